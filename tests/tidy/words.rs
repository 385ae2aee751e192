//! The words of the glossary that are not to be used: in code, help texts and documents.
//!
//! The table "Words not to use" of `docs/src/dev/glossary.md` is the list. A phrase in lower case is a
//! sequence of words and matches in every spelling: `look still`, `look_still`, `LookStill`. A phrase with a
//! capital letter is one identifier.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The page with the list.
const GLOSSARY: &str = "docs/src/dev/glossary.md";
const HEADING: &str = "## Words not to use";

/// The folders with words of the project; the files of the root are scanned, too. Positions, recorded reports
/// and fuzz inputs are data.
const FOLDERS: [&str; 11] = [
    ".cargo",
    ".ci",
    ".github",
    "build",
    "ci",
    "crates",
    "docs",
    "fuzz/fuzz_targets",
    "src",
    "suites",
    "tests",
];

/// Files that may name the words: the list, and this file, which looks for them.
const EXEMPT: [&str; 2] = [GLOSSARY, "tests/tidy/words.rs"];

/// The extensions of data files, which have words of others.
const DATA: [&str; 6] = ["csv", "dtm", "epd", "json", "lock", "pgn"];

/// A word or a phrase that is not to be used.
#[derive(Debug)]
enum Banned {
    /// One identifier, exactly as written.
    Identifier(String),
    /// Words in lower case, one after the other.
    Phrase(Vec<String>),
}

/// A word of a text: in lower case, with its line.
type Word = (String, usize);

/// The words of a text. Identifiers are split at underscores and capital letters.
fn words(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for run in line.split(|c: char| !c.is_alphabetic()).filter(|run| !run.is_empty()) {
            found.extend(parts(run).into_iter().map(|part| (part.to_lowercase(), index + 1)));
        }
    }
    found
}

/// `EngineSpec` is `Engine` and `Spec`, `LLRBound` is `LLR` and `Bound`.
fn parts(run: &str) -> Vec<String> {
    let letters: Vec<char> = run.chars().collect();
    let mut parts: Vec<String> = Vec::new();
    for (at, &letter) in letters.iter().enumerate() {
        let after_small = at > 0 && letters[at - 1].is_lowercase();
        let before_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        if at == 0 || letter.is_uppercase() && (after_small || before_small) {
            parts.push(String::new());
        }
        parts.last_mut().expect("one was just added").push(letter);
    }
    parts
}

/// The phrases in backticks in the first column of the table.
fn banned(glossary: &str) -> Vec<Banned> {
    let (_, table) = glossary.split_once(HEADING).expect("the glossary has the table");
    let rows = table.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    let cells = rows.take_while(|line| line.starts_with('|')).filter_map(|line| line.split('|').nth(1));
    let phrases = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    phrases
        .map(|phrase| {
            if phrase.chars().any(char::is_uppercase) {
                Banned::Identifier(phrase.to_owned())
            } else {
                Banned::Phrase(phrase.split_whitespace().map(str::to_owned).collect())
            }
        })
        .collect()
}

/// Every use of a banned phrase: its line and the phrase.
fn uses(text: &str, banned: &[Banned]) -> Vec<String> {
    let words = words(text);
    // Most words begin no phrase, and this reads every file of the repository.
    let mut beginning: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, (word, _)) in words.iter().enumerate() {
        beginning.entry(word).or_default().push(index);
    }
    let mut found = Vec::new();
    for banned in banned {
        match banned {
            Banned::Identifier(name) => {
                for (index, line) in text.lines().enumerate().filter(|(_, line)| line.contains(name)) {
                    let mut identifiers = line.split(|c: char| c != '_' && !c.is_alphanumeric());
                    if identifiers.any(|identifier| identifier == name) {
                        found.push(format!("{}: `{name}`", index + 1));
                    }
                }
            }
            Banned::Phrase(phrase) => {
                for &start in beginning.get(phrase[0].as_str()).into_iter().flatten() {
                    let here = words[start..].iter().take(phrase.len()).map(|(word, _)| word);
                    if here.eq(phrase) {
                        found.push(format!("{}: `{}`", words[start].1, phrase.join(" ")));
                    }
                }
            }
        }
    }
    found
}

/// The entries of a folder, by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut entries: Vec<_> = read.map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    entries
}

/// Adds the files of a folder and of the folders in it.
fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() {
            add_files(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// Every use of a banned phrase in the repository: its file, line and phrase.
#[expect(clippy::disallowed_methods, reason = "the texts are what is tested")]
fn breaches(root: &Path, banned: &[Banned]) -> Vec<String> {
    let mut files: Vec<PathBuf> = entries(root).into_iter().filter(|path| path.is_file()).collect();
    for folder in FOLDERS {
        add_files(&root.join(folder), &mut files);
    }
    let mut breaches = Vec::new();
    for file in files {
        let shown = file.strip_prefix(root).expect("below the root");
        let is_data = shown.extension().is_some_and(|extension| DATA.iter().any(|data| extension == *data));
        let is_licence = shown.file_name().is_some_and(|name| name.to_string_lossy().starts_with("LICENSE"));
        if is_data || is_licence || EXEMPT.iter().any(|exempt| shown == Path::new(exempt)) {
            continue;
        }
        // What is not UTF-8 is an image or an archive.
        let Ok(text) = fs::read_to_string(&file) else { continue };
        breaches.extend(uses(&text, banned).into_iter().map(|used| format!("{}:{used}", shown.display())));
    }
    breaches
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the texts are what is tested")]
fn texts_use_no_banned_word() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let banned = banned(&fs::read_to_string(root.join(GLOSSARY)).expect("the glossary is there"));
    assert!(!banned.is_empty());
    let breaches = breaches(root, &banned);
    assert!(breaches.is_empty(), "see {GLOSSARY} for the words to use instead:\n{}", breaches.join("\n"));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a repository of files is what is scanned")]
fn banned_word_is_found_in_every_place() {
    let root = tempfile::tempdir().expect("a folder");
    let write = |file: &str| {
        let path = root.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        fs::write(path, "one\nthe clerk\n").expect("writable");
    };
    for folder in FOLDERS {
        fs::create_dir_all(root.path().join(folder)).expect("writable");
    }
    let scanned = [
        ".editorconfig",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Makefile",
        "README.md",
        "clippy.toml",
        ".cargo/config.toml",
        ".ci/run",
        ".github/workflows/ci.yml",
        "build/version.rs",
        "ci/examples/weiss.yml",
        "ci/install.sh",
        "crates/stats/Cargo.toml",
        "crates/stats/src/lib.rs",
        "docs/book.toml",
        "docs/src/suites.md",
        "fuzz/fuzz_targets/csv.rs",
        "src/main.rs",
        "suites/traps.toml",
        "tests/suites/plan.toml",
        "tests/tidy/main.rs",
    ];
    let exempt = [
        "Cargo.lock",
        "crates/stats/LICENSE-APACHE",
        GLOSSARY,
        "fuzz/corpus/csv/rules",
        "positions/traps.csv",
        "reports/baseline/page.html",
        "target/debug/build.rs",
        "tests/games.pgn",
        "tests/tidy/words.rs",
    ];
    scanned.iter().chain(&exempt).for_each(|file| write(file));
    let banned = [Banned::Phrase(vec!["clerk".to_owned()])];
    let found = breaches(root.path(), &banned);
    assert_eq!(found, scanned.map(|file| format!("{file}:2: `clerk`")));
}

#[test]
fn banned_word_is_found_in_every_spelling() {
    let table = format!(
        "{HEADING}\n\nText.\n\n| not | write |\n| --- | --- |\n| `clerk`, `look still` | worker |\n| `Hush` | error |\n"
    );
    let banned = banned(&table);
    assert_eq!(banned.len(), 3);
    for text in [
        "// The clerk waits.",
        "fn clerk_of() {}",
        "struct OldClerk;",
        "const CLERK: u8 = 1;",
        "//! They look\n//! still.",
        "fn look_still() {}",
        "lookStill",
        "enum Hush {}",
        "\"Clerk\"",
    ] {
        assert_eq!(uses(text, &banned).len(), 1, "{text}");
    }
    for text in ["clerks", "look here; still", "hush", "Hushed", "stillness"] {
        assert_eq!(uses(text, &banned), [""; 0], "{text}");
    }
    assert_eq!(uses("a\nb clerk", &banned), ["2: `clerk`"]);
    assert_eq!(parts("LLRBound"), ["LLR", "Bound"]);
}
