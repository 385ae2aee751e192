//! The format of a golden file: cases with expected values and tolerances.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde_json::{Map, Value};
use threefold_stats::ResultCounts;

/// `{"format": 1, "prefix": …, "cases": […]}`.
#[derive(Debug, Deserialize)]
pub(crate) struct File {
    pub(crate) format: u32,
    pub(crate) cases: Vec<Case>,
}

/// One input with the values that the program in `source` computes.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) input: Input,
    expected: Map<String, Value>,
    source: String,
    tolerance: Tolerance,
}

#[derive(Debug, Deserialize)]
struct Tolerance {
    #[serde(flatten)]
    usual: Limits,
    #[serde(default)]
    fields: BTreeMap<String, Limits>,
}

/// Agreement is `|found - expected| <= abs + rel * |expected|`.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Limits {
    abs: f64,
    rel: f64,
}

/// The fields of an input; a missing one fails the test by name.
#[derive(Debug, Deserialize)]
pub(crate) struct Input(Map<String, Value>);

impl Input {
    pub(crate) fn value(&self, field: &str) -> &Value {
        self.0.get(field).unwrap_or_else(|| panic!("the input lacks `{field}`"))
    }

    pub(crate) fn has(&self, field: &str) -> bool {
        self.0.contains_key(field)
    }

    pub(crate) fn number(&self, field: &str) -> f64 {
        self.value(field).as_f64().unwrap_or_else(|| panic!("`{field}` is no number"))
    }

    pub(crate) fn count(&self, field: &str) -> u64 {
        self.value(field).as_u64().unwrap_or_else(|| panic!("`{field}` is no count"))
    }

    pub(crate) fn text(&self, field: &str) -> &str {
        self.value(field).as_str().unwrap_or_else(|| panic!("`{field}` is no text"))
    }

    pub(crate) fn read<T: serde::de::DeserializeOwned>(&self, field: &str) -> T {
        serde_json::from_value(self.value(field).clone()).unwrap_or_else(|error| panic!("`{field}`: {error}"))
    }

    pub(crate) fn tally(&self, field: &str) -> AnyTally {
        let counts: Vec<u64> = self.read(field);
        let games =
            <[u64; 3]>::try_from(counts.as_slice()).map(|counts| AnyTally::Games(ResultCounts { counts }));
        let pairs =
            <[u64; 5]>::try_from(counts.as_slice()).map(|counts| AnyTally::Pairs(ResultCounts { counts }));
        games.or(pairs).unwrap_or_else(|_| panic!("`{field}` has {} classes", counts.len()))
    }
}

/// Counts of games or of pairs, as the case has it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AnyTally {
    Games(ResultCounts<3>),
    Pairs(ResultCounts<5>),
}

/// Evaluates the same expression for either kind of tally.
#[macro_export]
macro_rules! for_tally {
    ($any:expr, $tally:ident => $body:expr) => {
        match $any {
            $crate::case::AnyTally::Games($tally) => $body,
            $crate::case::AnyTally::Pairs($tally) => $body,
        }
    };
}

/// The values that the library computes, by field.
pub(crate) type Found = BTreeMap<&'static str, Outcome>;

/// A JSON value whose numbers may also be infinite or none.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    Null,
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Outcome>),
    Record(BTreeMap<String, Outcome>),
}

impl Case {
    /// Every field with a difference, in words. A field that the library does not compute is a difference.
    pub(crate) fn disagreements(&self, found: &Found) -> Vec<String> {
        let mut wrong = Vec::new();
        for (field, expected) in &self.expected {
            let limits = self.tolerance.fields.get(field).copied().unwrap_or(self.tolerance.usual);
            match found.get(field.as_str()) {
                Some(found) if limits.agree(found, expected) => {}
                Some(found) => wrong.push(format!("{field}: found {found}, {} says {expected}", self.source)),
                None => wrong.push(format!("{field}: not computed")),
            }
        }
        wrong
    }
}

impl Limits {
    fn agree(self, found: &Outcome, expected: &Value) -> bool {
        match (found, expected) {
            (Outcome::Null, Value::Null) => true,
            (Outcome::Flag(found), Value::Bool(expected)) => found == expected,
            (Outcome::Text(found), Value::String(expected)) => found == expected,
            (Outcome::Number(found), Value::Number(expected)) => {
                let expected = expected.as_f64().expect("a JSON number is an f64");
                (found - expected).abs() <= self.abs + self.rel * expected.abs()
            }
            (Outcome::Number(found), Value::String(expected)) => match expected.as_str() {
                "inf" => *found == f64::INFINITY,
                "-inf" => *found == f64::NEG_INFINITY,
                "nan" => found.is_nan(),
                _ => false,
            },
            (Outcome::List(found), Value::Array(expected)) => {
                found.len() == expected.len()
                    && found.iter().zip(expected).all(|(found, expected)| self.agree(found, expected))
            }
            (Outcome::Record(found), Value::Object(expected)) => {
                let agrees = |(name, found)| expected.get(name).is_some_and(|value| self.agree(found, value));
                found.len() == expected.len() && found.iter().all(agrees)
            }
            _ => false,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(list) => f.debug_list().entries(list.iter().map(ToString::to_string)).finish(),
            Self::Record(fields) => {
                f.debug_map().entries(fields.iter().map(|(name, value)| (name, value.to_string()))).finish()
            }
        }
    }
}

impl From<f64> for Outcome {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Outcome {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&str> for Outcome {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl<T: Into<Self>> From<Option<T>> for Outcome {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Outcome {
    fn from(list: Vec<T>) -> Self {
        Self::List(list.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Self>> From<BTreeMap<String, T>> for Outcome {
    fn from(fields: BTreeMap<String, T>) -> Self {
        Self::Record(fields.into_iter().map(|(name, value)| (name, value.into())).collect())
    }
}

impl<T: Into<Self>, const N: usize> From<[T; N]> for Outcome {
    fn from(list: [T; N]) -> Self {
        Self::List(list.into_iter().map(Into::into).collect())
    }
}
