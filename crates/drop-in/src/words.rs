//! The grammar of the command lines of fastchess and cutechess-cli: options, each with the words that follow
//! it.
//!
//! An option takes every following word that does not begin with `-`; negative numbers do belong to it. A
//! pair is `key=value` with neither part empty.

use super::options::{OptionRow, Words};
use super::peer::Peer;
use threefold_games::playout::adjudication::RuleError;

/// An option with its words.
#[derive(Debug)]
pub(super) struct Given<'w> {
    pub(super) row: &'static OptionRow,
    pub(super) words: Vec<&'w str>,
}

/// Why a command line is not understood. The first letter is in upper case, as these programs print it.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum UsageError {
    /// No such option.
    #[error("Unrecognized option: {given} parsing failed.{}", suggestion(suggested.as_deref()))]
    Unknown {
        /// The word as given.
        given: String,
        /// The option that it may stand for.
        suggested: Option<String>,
    },
    /// An option with words that it does not take.
    #[error("Error while reading option \"{option}\" with value \"{}\"\nReason: {reason}", words.join(" "))]
    Value {
        /// The option with its dash.
        option: String,
        /// The words that follow the option.
        words: Vec<String>,
        /// Why they can't be used.
        reason: String,
    },
    /// Settings of a rule of adjudication.
    #[error(transparent)]
    Rule(#[from] RuleError),
}

fn suggestion(suggested: Option<&str>) -> String {
    suggested.map_or_else(String::new, |option| format!(": Did you mean \"{option}\"?"))
}

/// Splits a command line without the program's name.
pub(super) fn split(peer: Peer, line: &[String]) -> Result<Vec<Given<'_>>, UsageError> {
    let mut given: Vec<Given<'_>> = Vec::new();
    for word in line {
        if belongs_to_option(word)
            && let Some(last) = given.last_mut()
        {
            last.words.push(word);
            continue;
        }
        // A word before the first option is reported as an unknown option.
        let row = peer.option(word).ok_or_else(|| UsageError::Unknown {
            given: word.clone(),
            suggested: peer.suggested(word).map(OptionRow::flag),
        })?;
        given.push(Given { row, words: Vec::new() });
    }
    given.iter().try_for_each(Given::check)?;
    Ok(given)
}

/// Is it a word of the option before it?
fn belongs_to_option(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next() != Some('-') || letters.next().is_some_and(|second| second.is_ascii_digit())
}

impl<'w> Given<'w> {
    /// Checks the number and the form of the words.
    fn check(&self) -> Result<(), UsageError> {
        let reason = match (self.row.words, self.words.len()) {
            (Words::NoWord(_), 1..) => "the option takes no value",
            (Words::OneWord(..), 0 | 2..) => "the option takes exactly one value",
            (Words::Pairs(_), 0) => "the option takes key=value pairs",
            (Words::Pairs(_) | Words::OptionalPairs(_), _) => return self.pairs().map(|_| ()),
            _ => return Ok(()),
        };
        Err(self.error(reason))
    }

    /// The pairs, in order. A bare word that the option knows as a key is a pair without value.
    pub(super) fn pairs(&self) -> Result<Vec<(&'w str, &'w str)>, UsageError> {
        self.words.iter().map(|word| self.pair(word)).collect()
    }

    fn pair(&self, word: &'w str) -> Result<(&'w str, &'w str), UsageError> {
        match word.split_once('=') {
            Some((key, value)) if !key.is_empty() && !value.is_empty() => Ok((key, value)),
            None if self.row.key(word).is_some_and(|key| key.is_bare) => Ok((word, "true")),
            Some(_) | None => Err(self.error(&format!("`{word}` is no key=value"))),
        }
    }

    /// The only value of an option of one value.
    pub(super) fn value(&self) -> &'w str {
        self.words.first().copied().unwrap_or_default()
    }

    /// An error of this option.
    pub(super) fn error(&self, reason: &str) -> UsageError {
        UsageError::Value {
            option: self.row.flag(),
            words: self.words.iter().map(|&word| word.to_owned()).collect(),
            reason: reason.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn option_takes_all_words_up_to_the_next_option() {
        let line = line("-recover -engine cmd=./a option.Hash=16 -sprt elo0=-5 elo1=0 -srand -1 -event a b");
        let given = split(Peer::Fastchess, &line).expect("sound");
        let shown: Vec<String> =
            given.iter().map(|given| format!("{}:{}", given.row.name, given.words.join("|"))).collect();
        assert_eq!(
            shown,
            ["recover:", "engine:cmd=./a|option.Hash=16", "sprt:elo0=-5|elo1=0", "srand:-1", "event:a|b"]
        );
    }

    #[test]
    fn unusable_words_are_errors() {
        let table = [
            ("-rond 5", "Unrecognized option: -rond parsing failed.: Did you mean \"-rounds\"?"),
            ("-entirelyunknown", "Unrecognized option: -entirelyunknown parsing failed."),
            ("stray", "Unrecognized option: stray parsing failed."),
            ("-recover yes", "takes no value"),
            ("-rounds", "takes exactly one value"),
            ("-rounds 1 2", "takes exactly one value"),
            ("-engine", "takes key=value pairs"),
            (
                "-engine cmd=",
                "Error while reading option \"-engine\" with value \"cmd=\"\nReason: `cmd=` is no",
            ),
            ("-pgnout file", "`file` is no key=value"),
        ];
        for (text, message) in table {
            let error = split(Peer::Fastchess, &line(text)).expect_err(text).to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
        // A bare word is a key in cutechess-cli's grammar alone.
        assert!(split(Peer::Cutechess, &line("-engine cmd=x ponder")).is_ok());
        assert!(split(Peer::Fastchess, &line("-engine cmd=x ponder")).is_err());
    }
}
