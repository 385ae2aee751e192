//! Suites: cases with a proven answer, and what an engine made of them.
//!
//! A case is a dialogue with one engine: it asks and judges, the runner does the talking. What kinds of case
//! there are stands in one table, [`KINDS`]; a suite file names one of them, the positions and the limits.

pub mod bout;
pub mod dialogue;
pub mod epd;
pub mod exam;
pub mod file;
pub mod kinds;
pub mod material;
pub mod signature;
pub mod threshold;
pub mod timing;
pub mod trap;
pub mod verdict;

pub use dialogue::{Case, Interrupted, Step, conduct};
pub use file::{Source, Suite};
pub use material::{CaseCard, Chair, Entry, Material, Page, SuiteError};
pub use signature::{Reading, Signature};
pub use threshold::{Share, Shortfall, Thresholds};
pub use timing::Timing;
pub use verdict::{CaseRecord, Mark, Measure, Verdict};

/// A kind of case: how it is called, and how its cases are read.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The name in suite files and on the command line.
    pub name: &'static str,
    /// One line of help.
    pub summary: &'static str,
    /// Reads the cases out of a suite's settings and positions, or says what is wrong with them.
    pub load: fn(&Material<'_>) -> Result<Vec<Entry>, SuiteError>,
}

/// Every kind there is: a new one is one file and one line here.
pub const KINDS: &[Kind] = &[
    kinds::repetition::KIND,
    kinds::rule::KIND,
    kinds::policy::KIND,
    kinds::mate::KIND,
    kinds::time_control::KIND,
    kinds::conversion::KIND,
    kinds::defence::KIND,
    kinds::hash_pollution::KIND,
    kinds::best_move::KIND,
    kinds::perft::KIND,
    kinds::signature::KIND,
    kinds::determinism::KIND,
    kinds::depth_limit::KIND,
    kinds::detector::KIND,
    kinds::effort::KIND,
    kinds::calibration::KIND,
];

impl Kind {
    /// The kind of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// The names of all kinds, for whoever gave an unknown one.
    pub fn names() -> String {
        KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
    }
}
