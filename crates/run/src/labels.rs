//! The labels of a part: what the part is about, as data.
//!
//! A part's name is for people. The creator of a run sets labels for everything that a report needs to know
//! of each part (which feature is off, which time control is played), so that no report has to parse a name.

use std::fmt::Display;
use std::str::FromStr;

/// Keys with one value each, in the order in which they were set. Keys and values are any text; the code that
/// sets a label documents its values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Labels(Vec<(String, String)>);

impl Labels {
    /// No labels.
    pub const NONE: Self = Self(Vec::new());

    /// These labels and one more. A key that is already set keeps its place and gets the new value.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Display) -> Self {
        let value = value.to_string();
        match self.0.iter_mut().find(|(known, _)| known == key) {
            Some((_, known)) => *known = value,
            None => self.0.push((key.to_owned(), value)),
        }
        self
    }

    /// The value of a key; `None` if it is not set.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == key).map(|(_, value)| value)
    }

    /// The parsed value of a key; `None` if it is not set or does not parse.
    pub fn parsed<T: FromStr>(&self, key: &str) -> Option<T> {
        self.get(key)?.parse().ok()
    }

    /// Keys and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Are there no labels?
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_order_and_one_value_for_each_key() {
        let labels = Labels::NONE.with("round", 1).with("policy", "HistoryDraw").with("round", 2);
        assert_eq!(labels.iter().collect::<Vec<_>>(), [("round", "2"), ("policy", "HistoryDraw")]);
        assert_eq!((labels.get("policy"), labels.get("Policy")), (Some("HistoryDraw"), None));
        assert_eq!((labels.parsed("round"), labels.parsed::<u32>("policy")), (Some(2_u32), None));
        assert!(Labels::NONE.is_empty() && !labels.is_empty());
    }
}
