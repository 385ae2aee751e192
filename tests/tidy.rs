//! The house rules that a machine can check: floors, file sizes, headers, names.
//!
//! Each rule is a function from a file's text to its breaches, so that the tests below can show each one a
//! file that breaks it.

use std::fs;
use std::path::{Path, PathBuf};

/// The floors, lowest first. A module imports from floors below its own, never from its own floor or above.
const FLOORS: &[&[&str]] = &[
    &["bounded", "closed_set", "line", "output_file", "score", "visible"],
    &["clock", "stats"],
    &["echo", "truth", "uci"],
    &["player", "playout", "serve"],
    &["arena", "suite"],
    &["work"],
    &["calibration", "mining"],
    &["regress", "tuning"],
    &["report"],
    &["cli"],
];

/// Lines a file may have, its tests included.
const LONGEST: usize = 400;

/// Names that say nothing about what a file holds.
const EMPTY_NAMES: &[&str] = &["util", "utils", "common", "helper", "helpers", "misc", "manager", "types"];

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|modules| modules.contains(&module))
}

/// The modules of this crate that a text names: `crate::NAME`, `crate::{NAME…, NAME…}`, `threefold::NAME`.
fn named_modules(text: &str) -> Vec<(usize, String)> {
    let mut named = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        for root in ["crate::", "threefold::"] {
            for (at, _) in code.match_indices(root) {
                let mut rest = &code[at + root.len()..];
                if let Some(group) = rest.strip_prefix('{') {
                    // rustfmt breaks long groups over lines: the house imports one path a line instead.
                    named.push((index + 1, format!("{{{group}")));
                    continue;
                }
                rest = &rest
                    [..rest.find(|c: char| c != '_' && !c.is_ascii_alphanumeric()).unwrap_or(rest.len())];
                named.push((index + 1, rest.to_owned()));
            }
        }
    }
    named
}

fn breaches_of_floors(module: &str, text: &str) -> Vec<String> {
    let Some(own) = floor(module) else { return vec![format!("module `{module}` has no floor")] };
    named_modules(text)
        .into_iter()
        .filter_map(|(line, named)| {
            if named.starts_with('{') {
                return Some(format!("line {line}: write one `use crate::…` a module, not a group"));
            }
            let below = named == module || floor(&named).is_none_or(|other| other < own);
            (!below).then(|| format!("line {line}: `{module}` must not know `{named}`"))
        })
        .collect()
}

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

#[expect(clippy::disallowed_methods, reason = "the sources are what is tested")]
fn own_sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    sources(&root, &mut found);
    found
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a source file is text");
            (path.strip_prefix(&root).expect("below src").to_string_lossy().into_owned(), text)
        })
        .collect()
}

#[test]
fn every_module_stays_on_its_floor() {
    let mut breaches = Vec::new();
    for (path, text) in own_sources() {
        let module = path.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_owned();
        if matches!(module.as_str(), "lib" | "main" | "bin") {
            continue;
        }
        breaches.extend(breaches_of_floors(&module, &text).into_iter().map(|b| format!("src/{path}, {b}")));
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

#[test]
fn every_file_keeps_the_form() {
    let breaches: Vec<String> = own_sources()
        .iter()
        .flat_map(|(path, text)| {
            breaches_of_form(path, text).into_iter().map(move |b| format!("src/{path}, {b}"))
        })
        .collect();
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

#[test]
fn the_table_of_floors_names_each_module_once() {
    let library = own_sources().into_iter().find(|(path, _)| path == "lib.rs").expect("lib.rs").1;
    let mut declared: Vec<&str> =
        library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    let mut listed: Vec<&str> = FLOORS.concat();
    declared.sort_unstable();
    listed.sort_unstable();
    assert_eq!(declared, listed);
}

#[test]
fn each_rule_can_be_broken() {
    let table = [
        // module, text, what is said
        ("echo", "use crate::uci::Info;", "line 1: `echo` must not know `uci`"),
        ("clock", "fn f() {}\nfn g(x: crate::stats::Sprt) {}", "line 2: `clock` must not know `stats`"),
        ("work", "use crate::{arena, cli};", "line 1: write one `use crate::…` a module, not a group"),
        ("attic", "", "module `attic` has no floor"),
    ];
    for (module, text, said) in table {
        assert_eq!(breaches_of_floors(module, text), [said]);
    }
    assert!(
        breaches_of_floors("work", "use crate::work::plan;\nuse crate::arena::game; // crate::cli")
            .is_empty()
    );

    let long = format!("//! Long.\n{}", "\n".repeat(LONGEST));
    assert_eq!(breaches_of_form("echo/search.rs", &long), ["401 lines: split it by concept"]);
    assert_eq!(breaches_of_form("echo/search.rs", "use x;"), ["does not open with `//!`"]);
    assert_eq!(breaches_of_form("echo/util.rs", "//! X."), ["`util` says nothing: name the noun it holds"]);
    assert_eq!(breaches_of_form("echo/x.rs", "//! X.\n#[allow(dead_code)]").len(), 1);
}
