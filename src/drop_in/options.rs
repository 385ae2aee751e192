//! The options of fastchess and cutechess-cli, as one table: the parser, the help, the migration page of the book and the
//! tests are made from it.
//!
//! The table of fastchess is that of version 1.8.2, and that of cutechess-cli has what differs in version 1.4.

mod cutechess;
mod fastchess;
mod fastchess_keys;

use crate::peer::Peer;

/// The form of an option's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// No word.
    None,
    /// One word.
    One,
    /// One or more pairs `key=value`.
    Pairs,
    /// Pairs `key=value`, or nothing.
    OptionalPairs,
    /// Any words.
    Free,
}

/// The treatment of an option or a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    /// It acts: the equivalent in threefold's own command line, or what it does; and the name of the test that holds it.
    Acts(&'static str, &'static str),
    /// It is refused as by that program itself, for this reason.
    Refused(&'static str),
}

/// A key of an option.
#[derive(Debug, Clone, Copy)]
pub struct KeyRow {
    /// Its name; `option.` stands for all keys that begin with it.
    pub name: &'static str,
    /// A value that it takes.
    pub example: &'static str,
    /// May it be written without a value?
    pub is_bare: bool,
    /// What becomes of it.
    pub treatment: Treatment,
}

/// An option.
#[derive(Debug, Clone, Copy)]
pub struct OptionRow {
    /// Its name without the dash.
    pub name: &'static str,
    /// The form of its words.
    pub style: Style,
    /// Words that it takes, if it has no keys.
    pub example: &'static str,
    /// Its keys.
    pub keys: &'static [KeyRow],
    /// What becomes of it.
    pub treatment: Treatment,
}

use Treatment::{Acts, Refused};

const fn key(name: &'static str, example: &'static str, treatment: Treatment) -> KeyRow {
    KeyRow { name, example, is_bare: false, treatment }
}

const fn bare(name: &'static str, treatment: Treatment) -> KeyRow {
    KeyRow { name, example: "true", is_bare: true, treatment }
}

const fn option(name: &'static str, style: Style, example: &'static str, treatment: Treatment) -> OptionRow {
    OptionRow { name, style, example, keys: &[], treatment }
}

const fn keyed(name: &'static str, style: Style, treatment: Treatment, keys: &'static [KeyRow]) -> OptionRow {
    OptionRow { name, style, example: "", keys, treatment }
}

impl OptionRow {
    /// The option as it is written.
    pub fn flag(&self) -> String {
        format!("-{}", self.name)
    }

    /// The key that a word names.
    pub fn key(&self, word: &str) -> Option<&'static KeyRow> {
        let names = |row: &&KeyRow| {
            row.name == word
                || (row.name.ends_with('.') && word.len() > row.name.len() && word.starts_with(row.name))
        };
        self.keys.iter().find(names)
    }
}

impl Peer {
    /// All options: its own first. The grammar of cutechess-cli includes that of fastchess.
    pub fn options(self) -> impl Iterator<Item = &'static OptionRow> {
        let own = match self {
            Self::Fastchess => &[],
            Self::Cutechess => cutechess::OPTIONS,
        };
        let shared = fastchess::OPTIONS.iter();
        own.iter().chain(shared.filter(move |row| own.iter().all(|other| other.name != row.name)))
    }

    /// The option that a word names.
    pub(super) fn option(self, word: &str) -> Option<&'static OptionRow> {
        let name = word.strip_prefix('-')?;
        self.options().find(|row| row.name == name)
    }

    /// The option whose name differs least, by at most two letters.
    pub(super) fn suggested(self, word: &str) -> Option<&'static OptionRow> {
        let near = self.options().map(|row| (strsim::levenshtein(word, &row.flag()), row));
        near.filter(|(distance, _)| *distance <= 2).min_by_key(|(distance, _)| *distance).map(|(_, row)| row)
    }
}

/// The test of rows that are refused.
const EVERY_ROW: &str = "every_row_is_accepted_or_refused_as_the_table_says";

/// The rows of the book's table: option, key, what becomes of it, and the test that holds it.
pub fn markdown(peer: Peer) -> String {
    let own = match peer {
        Peer::Fastchess => fastchess::OPTIONS,
        Peer::Cutechess => cutechess::OPTIONS,
    };
    let mut table = format!("| {} | | threefold | test |\n| --- | --- | --- | --- |\n", peer.program());
    for row in own {
        if row.keys.is_empty() {
            table += &line(&row.flag(), "", row.treatment);
        }
        if row.name == "each" {
            table += "| `-each` | the keys of `-engine` | has: `--each` | `engines_have_their_keys_and_those_of_each` |\n";
            continue;
        }
        for key in row.keys {
            let written = if key.is_bare { key.name.to_owned() } else { format!("{}=", key.name) };
            table += &line(&row.flag(), &written.replace(".=", ".NAME="), key.treatment);
        }
    }
    table
}

fn line(option: &str, key: &str, treatment: Treatment) -> String {
    let key = if key.is_empty() { String::new() } else { format!("`{key}`") };
    let (outcome, test) = match treatment {
        Acts(equivalent, test) => (format!("has: {equivalent}"), test),
        Refused(reason) => (format!("has: refused, as there: {reason}"), EVERY_ROW),
    };
    format!("| `{option}` | {key} | {} | `{test}` |\n", outcome.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestion_is_near() {
        assert_eq!(Peer::Fastchess.suggested("-pgnotu").map(|row| row.name), Some("pgnout"));
        assert!(Peer::Fastchess.suggested("-entirelyother").is_none());
        assert!(
            Peer::Fastchess.option("-resultformat").is_none()
                && Peer::Cutechess.option("-resultformat").is_some()
        );
    }
}
