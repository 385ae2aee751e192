//! The options of fastchess and cutechess-cli, as one table: the parser, the help, the migration page of the
//! book and the tests are made from it.
//!
//! The table of fastchess is that of version 1.8.2, and that of cutechess-cli has what differs in version
//! 1.4.

mod cutechess;
mod fastchess;
mod keys;

use super::peer::Peer;

/// What becomes of an option or a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    /// It acts: the equivalent in threefold's own command line, or what it does.
    Acts(&'static str),
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

/// Keys in order, in groups: options of both programs share some of them.
pub type KeyGroups = &'static [&'static [KeyRow]];

/// The words that follow an option.
#[derive(Debug, Clone, Copy)]
pub enum Words {
    /// No word.
    NoWord(Treatment),
    /// One word, such as this one.
    OneWord(&'static str, Treatment),
    /// Any words, such as these.
    AnyWords(&'static str, Treatment),
    /// One or more pairs `key=value`.
    Pairs(KeyGroups),
    /// Pairs `key=value`, or nothing.
    OptionalPairs(KeyGroups),
}

/// An option.
#[derive(Debug, Clone, Copy)]
pub struct OptionRow {
    /// Its name without the dash.
    pub name: &'static str,
    /// The words that may follow the option.
    pub words: Words,
}

use Treatment::{Acts, Refused};

const fn key(name: &'static str, example: &'static str, treatment: Treatment) -> KeyRow {
    KeyRow { name, example, is_bare: false, treatment }
}

const fn bare(name: &'static str, treatment: Treatment) -> KeyRow {
    KeyRow { name, example: "true", is_bare: true, treatment }
}

const fn option(name: &'static str, words: Words) -> OptionRow {
    OptionRow { name, words }
}

impl Words {
    /// What becomes of an option without keys.
    pub const fn treatment(self) -> Option<Treatment> {
        match self {
            Self::NoWord(treatment) | Self::OneWord(_, treatment) | Self::AnyWords(_, treatment) => {
                Some(treatment)
            }
            Self::Pairs(_) | Self::OptionalPairs(_) => None,
        }
    }
}

impl OptionRow {
    /// The option as it is written.
    pub fn flag(&self) -> String {
        format!("-{}", self.name)
    }

    /// Its keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &'static KeyRow> {
        let groups: KeyGroups = match self.words {
            Words::NoWord(_) | Words::OneWord(..) | Words::AnyWords(..) => &[],
            Words::Pairs(groups) | Words::OptionalPairs(groups) => groups,
        };
        groups.iter().copied().flatten()
    }

    /// The key that a word names.
    pub fn key(&self, word: &str) -> Option<&'static KeyRow> {
        let names = |row: &&KeyRow| {
            row.name == word
                // `option.` alone names no option of the engine.
                || (row.name.ends_with('.') && word.len() > row.name.len() && word.starts_with(row.name))
        };
        self.keys().find(names)
    }
}

impl Peer {
    /// The options of its own table.
    pub const fn own_options(self) -> &'static [OptionRow] {
        match self {
            Self::Fastchess => fastchess::OPTIONS,
            Self::Cutechess => cutechess::OPTIONS,
        }
    }

    /// All options: its own first. The grammar of cutechess-cli includes that of fastchess.
    pub fn options(self) -> impl Iterator<Item = &'static OptionRow> {
        let own = self.own_options();
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
