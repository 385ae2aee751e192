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
mod workflows;

use std::collections::{BTreeMap, BTreeSet};
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

#[test]
fn workflows_of_the_book_are_the_linted_files() {
    let example =
        |name: &str| fs::read_to_string(Path::new(WORKSPACE).join(format!("ci/examples/{name}.yml"))).ok();
    let pages = documentation();
    let breaches: Vec<String> =
        pages.iter().flat_map(|(path, text)| workflows::example_breaches(path, text, example)).collect();
    assert_eq!(breaches, [""; 0]);
    let page = &pages["docs/src/ci-examples.md"];
    let changed = page.replacen("runs-on: ubuntu-latest", "runs-on: other", 1);
    assert_eq!(workflows::example_breaches("page", &changed, example).len(), 1);
    assert_eq!(workflows::example_breaches("page", "```yaml example=missing\na: b\n```\n", example).len(), 1);

    let shown: BTreeSet<String> = pages.values().flat_map(|text| workflows::examples(text)).collect();
    let files = fs::read_dir(Path::new(WORKSPACE).join("ci/examples")).expect("the folder");
    let files = files.map(|file| file.expect("a file").path());
    let names: BTreeSet<String> =
        files.map(|file| file.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    assert_eq!(shown, names, "each workflow is on a page");
    let linted = fs::read_to_string(Path::new(WORKSPACE).join(".github/workflows/ci.yml")).expect("the CI");
    for name in names {
        assert!(linted.contains(&format!("ci/examples/{name}.yml")), "{name} is not linted");
    }
}

#[test]
fn workflows_and_plans_of_the_book_can_be_read() {
    let text = |path: &str| fs::read_to_string(Path::new(WORKSPACE).join(path)).expect("a file");
    let actions = [
        ("threefold-chess/threefold", workflows::inputs(&text("action.yml"))),
        ("threefold-chess/threefold/ci/comment", workflows::inputs(&text("ci/comment/action.yml"))),
    ];
    let pages = documentation();
    let mut breaches = Vec::new();
    let mut plans = 0;
    for (path, page) in &pages {
        for block in markdown::outline(page).blocks.iter().filter(|block| block.language == "yaml") {
            let found = workflows::workflow_breaches(&block.text, &actions).into_iter();
            breaches.extend(found.map(|breach| format!("{path}:{}, {breach}", block.line)));
        }
        let (number, found) = workflows::plan_breaches(path, page);
        plans += number;
        breaches.extend(found);
    }
    assert_eq!(breaches, [""; 0]);
    assert!(plans >= 2, "only {plans} plans were found");
}
