//! Style rules that the compiler cannot check: module cycles, file sizes, headers, file names, and words.
//!
//! Each rule is a function from texts to violations, so that tests can show that it finds a violation.

mod circles;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

/// Lines a file may have, its tests included.
const LONGEST: usize = 400;

/// Names that say nothing about what a file holds.
const EMPTY_NAMES: &[&str] = &["util", "utils", "common", "helper", "helpers", "misc", "manager", "types"];

fn breaches_of_form(path: &str, text: &str) -> Vec<String> {
    let mut breaches = Vec::new();
    let lines = text.lines().count();
    if lines > LONGEST {
        breaches.push(format!("{lines} lines: split it by concept"));
    }
    if !text.starts_with("//!") {
        breaches.push("does not open with `//!`".to_owned());
    }
    let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if EMPTY_NAMES.contains(&stem) {
        breaches.push(format!("`{stem}` says nothing: name the noun it holds"));
    }
    for (index, line) in text.lines().enumerate() {
        for word in ["#[allow(", "#![allow(", "#[ignore"] {
            if line.trim_start().starts_with(word) {
                breaches
                    .push(format!("line {}: `{word}…`: `expect` it with a reason, or mend it", index + 1));
            }
        }
    }
    breaches
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        fs::read_dir(folder).expect("src is readable").map(|entry| entry.expect("entry").path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
}

/// Every crate of the workspace, the program included: its folder, and its files below `src/` with their
/// text.
#[expect(clippy::disallowed_methods, reason = "the sources are what is tested")]
fn crates() -> Vec<(String, Vec<(String, String)>)> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"));
    let members = fs::read_dir(workspace.join("crates")).expect("crates/ is readable");
    let mut folders: Vec<PathBuf> = members.map(|entry| entry.expect("an entry").path()).collect();
    folders.push(workspace.to_owned());
    folders.sort();
    let texts = |folder: &Path| {
        let mut found = Vec::new();
        let root = folder.join("src");
        sources(&root, &mut found);
        let text = |path: PathBuf| {
            let text = fs::read_to_string(&path).expect("a source file is text");
            (path.strip_prefix(&root).expect("below src").to_string_lossy().into_owned(), text)
        };
        found.into_iter().map(text).collect()
    };
    let name = |folder: &Path| folder.strip_prefix(workspace).expect("inside").to_string_lossy().into_owned();
    folders.iter().map(|folder| (name(folder), texts(folder))).collect()
}

#[test]
fn files_and_modules_have_no_circle() {
    let mut breaches = Vec::new();
    for (name, files) in crates() {
        let files = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        let uses = circles::Uses::of_crate(files);
        let circles = [uses.on_circles(), uses.of_top_modules().on_circles()].concat();
        breaches.extend(circles.into_iter().map(|circle| format!("{name}: {circle}")));
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

#[test]
fn every_file_follows_the_rules() {
    let mut breaches = Vec::new();
    for (name, files) in crates() {
        for (path, text) in files {
            let found = breaches_of_form(&path, &text).into_iter();
            breaches.extend(found.map(|breach| format!("{name}/src/{path}, {breach}")));
        }
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

#[test]
fn each_file_rule_has_a_counterexample() {
    let long = format!("//! Long.\n{}", "\n".repeat(LONGEST));
    assert_eq!(breaches_of_form("echo/search.rs", &long), ["401 lines: split it by concept"]);
    assert_eq!(breaches_of_form("echo/search.rs", "use x;"), ["does not open with `//!`"]);
    assert_eq!(breaches_of_form("echo/util.rs", "//! X."), ["`util` says nothing: name the noun it holds"]);
    assert_eq!(breaches_of_form("echo/x.rs", "//! X.\n#[allow(dead_code)]").len(), 1);
}
