//! A rule's settings as cutechess writes them: `key=value` pairs, separated by commas or spaces.

/// A key of a rule's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SettingKey {
    /// Its name in the text form, as in cutechess.
    pub(super) name: &'static str,
    /// Its name in plans of version 1; journals of version 1 write `_` for `-`.
    pub(super) alias: &'static str,
}

impl SettingKey {
    fn is(self, given: &str) -> bool {
        given == self.name || given.replace('_', "-") == self.alias
    }
}

/// Why text is no setting of a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// It is no list of known keys with values.
    #[error("{place} `{given}` can't be read; write it as {example}")]
    Unreadable {
        /// What names the settings.
        place: String,
        /// What was given.
        given: String,
        /// What would be right.
        example: &'static str,
    },
    /// A number is missing, or is none.
    #[error("{place}: {key} must be a whole number; write it as {example}")]
    NotANumber {
        /// What names the settings.
        place: String,
        /// The number's key.
        key: &'static str,
        /// What would be right.
        example: &'static str,
    },
    /// Neither true nor false.
    #[error("{place} {key}={given}: say true or false")]
    NotBoolean {
        /// What names the settings.
        place: String,
        /// The key.
        key: &'static str,
        /// What was given.
        given: String,
    },
    /// No number of moves.
    #[error("{place}: {given} is not in 1..{max}; give a number of full moves", max = u32::MAX)]
    Range {
        /// What names the settings.
        place: String,
        /// What was given.
        given: String,
    },
}

/// Settings that are read.
pub(super) struct RuleSettings<'r> {
    place: &'r str,
    example: &'static str,
    pairs: Vec<(&'r str, &'r str)>,
}

impl<'r> RuleSettings<'r> {
    pub(super) fn read(
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
        Ok(Self { place, example, pairs: pairs.ok_or_else(unreadable)? })
    }

    fn get(&self, key: SettingKey) -> Option<&str> {
        self.pairs.iter().find(|(given, _)| key.is(given)).map(|&(_, value)| value)
    }

    /// A whole number, which must be there.
    pub(super) fn number(&self, key: &SettingKey) -> Result<u32, RuleError> {
        self.get(*key).and_then(|value| value.parse().ok()).ok_or_else(|| RuleError::NotANumber {
            place: self.place.to_owned(),
            key: key.name,
            example: self.example,
        })
    }

    /// True or false, if it is there.
    pub(super) fn boolean(&self, key: &SettingKey) -> Result<Option<bool>, RuleError> {
        let read = |given: &str| {
            given.parse().map_err(|_| RuleError::NotBoolean {
                place: self.place.to_owned(),
                key: key.name,
                given: given.to_owned(),
            })
        };
        self.get(*key).map(read).transpose()
    }
}
