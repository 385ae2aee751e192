//! A rule's settings as cutechess writes them: `key=value` pairs, separated by commas or spaces.

use std::fmt;
use std::str::FromStr;

/// A key of a rule's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SettingKey {
    /// Its name in the text form, as in cutechess.
    pub(super) name: &'static str,
    /// Its name in plans of version 1; journals of version 1 wrote `_` for `-`.
    pub(super) alias: &'static str,
}

impl SettingKey {
    fn is(self, given: &str) -> bool {
        given == self.name || given.replace('_', "-") == self.alias
    }
}

/// Why a text is not a rule's settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// Not a list of known keys with values.
    #[error("{place} `{given}` can't be read; write it as {example}")]
    Unreadable {
        /// Where the settings were given.
        place: String,
        /// What was given.
        given: String,
        /// An example.
        example: &'static str,
    },
    /// A key has two values.
    #[error("{place}: {key} is given twice; give it once")]
    Twice {
        /// Where the settings were given.
        place: String,
        /// The key, as the user wrote it the second time.
        key: String,
    },
    /// A number is missing or invalid.
    #[error("{place}: {key} must be a whole number; write it as {example}")]
    NotANumber {
        /// Where the settings were given.
        place: String,
        /// The number's key, as the user wrote it.
        key: String,
        /// An example.
        example: &'static str,
    },
    /// Neither true nor false.
    #[error("{place} {key}={given}: say true or false")]
    NotBoolean {
        /// Where the settings were given.
        place: String,
        /// The setting's name, as the user wrote it.
        key: String,
        /// What was given.
        given: String,
    },
    /// A word that is none of those that can be given.
    #[error("{place} {key}={given}: say {choices}")]
    UnknownWord {
        /// Where the settings were given.
        place: String,
        /// The setting's name, as the user wrote it.
        key: String,
        /// What was given.
        given: String,
        /// The words that can be given.
        choices: String,
    },
    /// An invalid number of moves.
    #[error("{place}: {given} is not in 1..{max}; give a number of full moves", max = u32::MAX)]
    Range {
        /// Where the settings were given.
        place: String,
        /// What was given.
        given: String,
    },
}

/// The parsed settings.
pub(super) struct RuleSettings<'r> {
    place: &'r str,
    example: &'static str,
    pairs: Vec<(&'r str, &'r str)>,
}

impl<'r> RuleSettings<'r> {
    pub(super) fn parse(
        place: &'r str,
        given: &'r str,
        keys: &[SettingKey],
        example: &'static str,
    ) -> Result<Self, RuleError> {
        let known = |given: &str| keys.iter().any(|key| key.is(given));
        let pairs = given
            .split([',', ' '])
            .filter(|pair| !pair.is_empty())
            .map(|pair| pair.split_once('=').filter(|(key, _)| known(key)))
            .collect::<Option<_>>();
        let unreadable =
            || RuleError::Unreadable { place: place.to_owned(), given: given.to_owned(), example };
        let pairs: Vec<(&str, &str)> = pairs.ok_or_else(unreadable)?;
        for key in keys {
            let mut values = pairs.iter().filter(|(given, _)| key.is(given)).skip(1);
            if let Some((again, _)) = values.next() {
                return Err(RuleError::Twice { place: place.to_owned(), key: (*again).to_owned() });
            }
        }
        Ok(Self { place, example, pairs })
    }

    /// A key as the user wrote it, and its value.
    fn get(&self, key: SettingKey) -> Option<(&'r str, &'r str)> {
        self.pairs.iter().copied().find(|(given, _)| key.is(given))
    }

    /// A required whole number.
    pub(super) fn number(&self, key: &SettingKey) -> Result<u32, RuleError> {
        let given = self.get(*key);
        given.and_then(|(_, value)| value.parse().ok()).ok_or_else(|| RuleError::NotANumber {
            place: self.place.to_owned(),
            key: given.map_or(key.name, |(written, _)| written).to_owned(),
            example: self.example,
        })
    }

    /// True or false; `None` if it is not set.
    pub(super) fn boolean(&self, key: &SettingKey) -> Result<Option<bool>, RuleError> {
        let read = |(key, given): (&str, &str)| {
            given.parse().map_err(|_| RuleError::NotBoolean {
                place: self.place.to_owned(),
                key: key.to_owned(),
                given: given.to_owned(),
            })
        };
        self.get(*key).map(read).transpose()
    }

    /// One of several words; `None` if it is not set.
    pub(super) fn named<T: FromStr + fmt::Display>(
        &self,
        key: &SettingKey,
        choices: &[T],
    ) -> Result<Option<T>, RuleError> {
        let read = |(key, given): (&str, &str)| {
            given.parse().map_err(|_| RuleError::UnknownWord {
                place: self.place.to_owned(),
                key: key.to_owned(),
                given: given.to_owned(),
                choices: choices.iter().map(T::to_string).collect::<Vec<_>>().join(", "),
            })
        };
        self.get(*key).map(read).transpose()
    }
}
