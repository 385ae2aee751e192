//! The words of the glossary that are not to be used: in code, help texts and documents.
//!
//! The table "Words not to use" of `docs/src/dev/glossary.md` is the list. A phrase in lower case is a sequence of words
//! and matches in every spelling: `look still`, `look_still`, `LookStill`. A phrase with a capital letter is one
//! identifier.

use std::fs;
use std::path::{Path, PathBuf};

/// The page with the list. It and the history of changes may name the words.
const GLOSSARY: &str = "docs/src/dev/glossary.md";
const HEADING: &str = "## Words not to use";

/// Folders and files with words of the project. Positions, recorded reports and fuzz inputs are data.
const SCANNED: &[&str] =
    &["src", "crates", "tests", "benches", "fuzz/fuzz_targets", "suites", "docs/src", "README.md"];

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
    let mut found = Vec::new();
    for banned in banned {
        match banned {
            Banned::Identifier(name) => {
                for (index, line) in text.lines().enumerate() {
                    let mut identifiers = line.split(|c: char| c != '_' && !c.is_alphanumeric());
                    if identifiers.any(|identifier| identifier == name) {
                        found.push(format!("{}: `{name}`", index + 1));
                    }
                }
            }
            Banned::Phrase(phrase) => {
                let is_here =
                    |window: &&[Word]| window.iter().zip(phrase).all(|((word, _), banned)| word == banned);
                let windows = words.windows(phrase.len()).filter(is_here);
                found.extend(windows.map(|window| format!("{}: `{}`", window[0].1, phrase.join(" "))));
            }
        }
    }
    found
}

fn texts(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let mut entries: Vec<_> =
            fs::read_dir(path).expect("readable").map(|entry| entry.expect("an entry").path()).collect();
        entries.sort();
        for entry in entries {
            texts(&entry, found);
        }
    } else if path
        .extension()
        .is_some_and(|extension| ["rs", "md", "toml"].iter().any(|known| extension == *known))
    {
        found.push(path.to_owned());
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the texts are what is tested")]
fn texts_use_no_banned_word() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let glossary = root.join(GLOSSARY);
    let banned = banned(&fs::read_to_string(&glossary).expect("the glossary is there"));
    assert!(!banned.is_empty());
    let mut files = Vec::new();
    for path in SCANNED.iter().map(|path| root.join(path)).filter(|path| path.exists()) {
        texts(&path, &mut files);
    }
    let mut breaches = Vec::new();
    for file in files.iter().filter(|file| **file != glossary && !file.ends_with("tidy/words.rs")) {
        let text = fs::read_to_string(file).expect("text");
        let shown = file.strip_prefix(root).expect("below the root").display();
        breaches.extend(uses(&text, &banned).into_iter().map(|used| format!("{shown}:{used}")));
    }
    assert!(breaches.is_empty(), "see {GLOSSARY} for the words to use instead:\n{}", breaches.join("\n"));
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
