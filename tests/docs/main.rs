//! The documentation: README.md, CHANGELOG.md, CONTRIBUTING.md, ARCHITECTURE.md and the book in `docs/src`.
//!
//! Links resolve, every page is listed, every command parses and those that need nothing but this program
//! run, and Echo's options are those of the code. `docs/src/dev/documentation.md` describes the conventions.
//! Each rule is a function from text to breaches, so that a counterexample can show that it bites. With
//! `UPDATE_EXPECT=1` the tests write what they would compare with.

#![expect(clippy::disallowed_methods, reason = "the documentation's files are what is tested")]

mod commands;
mod links;
mod markdown;
mod options;
mod peer_tests;
mod peers;
mod sessions;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs, thread};

use sessions::Session;

/// The folder of the workspace.
const WORKSPACE: &str = env!("CARGO_MANIFEST_DIR");

/// The folder of the book's pages, from the workspace.
const BOOK: &str = "docs/src";

/// Pages outside the book. CONTRIBUTING.md is tested if it is there.
const PAGES: [&str; 4] = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md"];

/// Should generated text be written instead of compared?
fn is_update() -> bool {
    env::var_os("UPDATE_EXPECT").is_some()
}

/// Every page of the documentation with its text, by its path from the workspace.
fn documentation() -> BTreeMap<String, String> {
    let workspace = Path::new(WORKSPACE);
    let mut found: Vec<PathBuf> = PAGES.iter().map(PathBuf::from).collect();
    let mut folders = vec![PathBuf::from(BOOK)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(workspace.join(&folder)).expect("the book's folder") {
            let entry = entry.expect("an entry");
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    let text = |path: PathBuf| {
        let text = fs::read_to_string(workspace.join(&path)).ok()?;
        Some((path.to_str().expect("a name in UTF-8").to_owned(), text))
    };
    found.into_iter().filter_map(text).collect()
}

#[test]
fn every_relative_link_anchor_and_image_resolves() {
    let pages = documentation();
    let exists = |path: &str| Path::new(WORKSPACE).join(path).exists();
    let breaches: Vec<String> =
        pages.iter().flat_map(|(path, text)| links::breaches(path, text, &pages, exists)).collect();
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

#[test]
fn every_named_file_exists() {
    let exists = |path: &str| Path::new(WORKSPACE).join(path).exists();
    // The changelog names files of earlier releases.
    let pages = documentation().into_iter().filter(|(path, _)| path != "CHANGELOG.md");
    let breaches: Vec<String> =
        pages.flat_map(|(path, text)| links::missing_files(&path, &text, exists)).collect();
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

#[test]
fn every_page_of_the_book_is_listed_once() {
    let breaches = links::unlisted(&documentation());
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

#[test]
fn every_command_of_the_documentation_parses() {
    let breaches: Vec<String> =
        documentation().iter().flat_map(|(path, text)| commands::breaches(path, text)).collect();
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

#[test]
fn every_self_contained_command_runs() {
    let pages = documentation();
    let sessions: Vec<(&String, &String, Session)> = thread::scope(|scope| {
        let begun = pages.iter().map(|(path, text)| (path, text, scope.spawn(|| sessions::run(path, text))));
        let begun: Vec<_> = begun.collect();
        begun.into_iter().map(|(path, text, run)| (path, text, run.join().expect("no panic"))).collect()
    });
    let mut breaches = Vec::new();
    let mut ran = 0;
    for (path, text, session) in sessions {
        ran += session.commands;
        breaches.extend(session.failures);
        if !is_update() {
            breaches.extend(session.stale);
        } else if session.text != *text {
            fs::write(Path::new(WORKSPACE).join(path), session.text).expect("the page can be written");
        }
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
    assert!(ran > 20, "only {ran} commands were found and run");
}

/// What is wrong with the blocks `yaml example=NAME` of a page, by the text of `ci/examples/NAME.yml`.
fn example_breaches(page: &str, example: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let blocks = markdown::outline(page).blocks;
    let named = blocks.iter().filter_map(|block| Some((block, block.value("example")?)));
    let breach = |(block, name): (&markdown::Block, &str)| {
        (example(name).as_deref() != Some(&block.text))
            .then(|| format!("line {}: differs from ci/examples/{name}.yml", block.line))
    };
    named.filter_map(breach).collect()
}

#[test]
fn workflows_of_the_book_are_the_linted_files() {
    let example =
        |name: &str| fs::read_to_string(Path::new(WORKSPACE).join(format!("ci/examples/{name}.yml"))).ok();
    let page = &documentation()["docs/src/ci-examples.md"];
    assert!(page.contains("example=weiss") && page.contains("example=halogen"));
    assert_eq!(example_breaches(page, example), Vec::<String>::new());
    let changed = page.replacen("runs-on: ubuntu-latest", "runs-on: other", 1);
    assert_eq!(example_breaches(&changed, example).len(), 1);
    assert_eq!(example_breaches("```yaml example=missing\na: b\n```\n", example).len(), 1);
}
