//! The parameters of a stopping rule: names and values, as a journal stores them and a report shows them.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::num::NonZeroU64;
use std::str::FromStr;

use crate::sequential::{EloHypotheses, Risks};

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Parameter {
    /// A whole number.
    Count(u64),
    /// A real number.
    Number(f64),
    /// One of several words.
    Word(String),
}

/// The parameters of a rule by name, in the order in which they are shown.
pub type Parameters = Vec<(&'static str, Parameter)>;

impl EloHypotheses {
    /// The hypotheses as parameters, which every rule has.
    pub fn parameters(&self) -> Parameters {
        vec![
            ("model", Parameter::Word(self.model().name().to_owned())),
            ("elo0", Parameter::Number(self.elo0())),
            ("elo1", Parameter::Number(self.elo1())),
            ("alpha", Parameter::Number(self.risks().alpha)),
            ("beta", Parameter::Number(self.risks().beta)),
        ]
    }
}

/// Parameters that are read back. Each is taken once; what is left at the end is unknown to the rule.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GivenParameters(BTreeMap<String, Parameter>);

impl FromIterator<(String, Parameter)> for GivenParameters {
    fn from_iter<I: IntoIterator<Item = (String, Parameter)>>(given: I) -> Self {
        Self(given.into_iter().collect())
    }
}

impl GivenParameters {
    /// Takes the hypotheses.
    ///
    /// # Errors
    /// If one of their parameters is missing or invalid.
    pub fn hypotheses(&mut self) -> Result<EloHypotheses, String> {
        let risks = Risks { alpha: self.number("alpha")?, beta: self.number("beta")? };
        EloHypotheses::new(self.word("model")?, self.number("elo0")?, self.number("elo1")?, risks)
            .map_err(|error| error.to_string())
    }

    /// Takes a real number.
    ///
    /// # Errors
    /// If it is missing, or no number.
    pub fn number(&mut self, name: &str) -> Result<f64, String> {
        match self.take(name)? {
            Parameter::Number(number) => Ok(number),
            Parameter::Count(count) => Ok(count as f64),
            Parameter::Word(word) => Err(format!("`{name}` is `{word}`, which is no number")),
        }
    }

    /// Takes a whole number from 1.
    ///
    /// # Errors
    /// If it is missing, no such number, or outside the range of `T`.
    pub fn count<T: TryFrom<NonZeroU64>>(&mut self, name: &str) -> Result<T, String> {
        let wrong = |what: &dyn Display| format!("`{name}` is `{what}`, which is no such number");
        match self.take(name)? {
            Parameter::Count(count) => {
                NonZeroU64::new(count).and_then(|count| T::try_from(count).ok()).ok_or_else(|| wrong(&count))
            }
            Parameter::Number(number) => Err(wrong(&number)),
            Parameter::Word(word) => Err(wrong(&word)),
        }
    }

    /// Takes a word.
    ///
    /// # Errors
    /// If it is missing, or not one of the known words.
    pub fn word<T: FromStr<Err: Display>>(&mut self, name: &str) -> Result<T, String> {
        match self.take(name)? {
            Parameter::Word(word) => word.parse::<T>().map_err(|error| format!("`{name}`: {error}")),
            Parameter::Count(_) | Parameter::Number(_) => Err(format!("`{name}` is a number, not a word")),
        }
    }

    /// Checks that every parameter was taken.
    ///
    /// # Errors
    /// If one was not: the rule does not know it, so it may have another meaning than this program thinks.
    pub fn finish(self) -> Result<(), String> {
        match self.0.keys().next() {
            Some(name) => Err(format!("the test has no parameter `{name}`")),
            None => Ok(()),
        }
    }

    fn take(&mut self, name: &str) -> Result<Parameter, String> {
        self.0.remove(name).ok_or_else(|| format!("`{name}` is missing"))
    }
}
