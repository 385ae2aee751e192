//! The files of a baseline, and what can be wrong with them.

use std::fmt;

/// The file name of the cases.
pub const CASES: &str = "cases.csv";

/// The file name of the figures.
pub const FIGURES: &str = "figures.json";

/// The file name of the environment; baselines of earlier versions have none.
pub const ENVIRONMENT: &str = "environment.json";

/// The files of a baseline.
pub const FILES: [&str; 3] = [CASES, FIGURES, ENVIRONMENT];

/// An error in a baseline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct BaselineError {
    /// Which of its files.
    pub file: &'static str,
    /// The line, from 1, if the error has one.
    pub line: Option<u64>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for BaselineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}; restore it, or renew the baseline with `regress --accept`", self.what)
    }
}
