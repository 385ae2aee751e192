//! Suites: cases with proven answers, and the verdicts on engines.
//!
//! A case is a dialogue with one engine: the case asks and judges, and the runner passes questions and
//! answers on. The table [`KINDS`] lists the kinds of suites; a suite file names one of them, the positions
//! and the limits.

pub mod case_filter;
pub mod cause;
pub mod csv_line;
pub mod dialogue;
pub mod epd;
pub mod false_mate;
pub mod file;
pub mod input;
pub mod kinds;
mod lost_case;
pub mod reference;
pub mod signature;
pub mod single_case;
pub mod single_question;
pub mod solved_nodes;
pub mod tablebase_playout;
pub mod threshold;
pub mod timing;
pub mod trap;
pub mod two_scores;
pub mod verdict;
mod verdict_kind;

pub use case_filter::{CaseFilter, CaseFilterError};
pub use cause::{Cause, FailCause, PassCause, SkipCause};
pub use dialogue::{Case, CaseEnd, CaseStep, Interrupted, run_case, run_case_to_end};
pub use file::{Suite, SuiteSource, sampled_per_class};
pub use input::{CaseDefinition, CaseInfo, OptionOverrides, SourceFile, SuiteError, SuiteInput};
pub use kinds::KINDS;
pub use kinds::bench::bench_signature;
pub use lost_case::LostCase;
pub use signature::{Signature, SignatureReading};
pub use threshold::{Share, Shortfall, Thresholds};
pub use timing::Timing;
pub use verdict::{CaseRecord, Measure, Verdict, VerdictKind};

use threefold_chess::clock::Limits;

/// May the searches of a kind be limited by a clock (`tc`)?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockLimit {
    /// Yes: its searches are independent of each other, or it leaves out those that need another limit.
    Allowed,
    /// No: it plays games, whose clocks would never run, or needs searches that do not depend on time.
    Refused,
}

/// A kind of suite: its name, and how its cases are read.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The name in suite files and on the command line.
    pub name: &'static str,
    /// One line of help.
    pub summary: &'static str,
    /// Its use of a clock.
    pub clock: ClockLimit,
    /// What a lost case means, unless the suite file says otherwise.
    pub lost_case: LostCase,
    /// Reads the cases of a suite from its settings and positions.
    pub load: fn(&SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError>,
}

impl Kind {
    /// The kind with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// The remedy where a clock is refused.
    pub const CLOCK_REMEDY: &str = "limit it by nodes, depth or movetime where it takes them";

    /// Checks that limits have a clock only where the kind takes one. The error is for the user.
    pub fn check_clock(&self, limits: &Limits) -> Result<(), String> {
        if limits.clocks.is_none() || self.clock == ClockLimit::Allowed {
            return Ok(());
        }
        let kinds = KINDS.iter().filter(|kind| kind.clock == ClockLimit::Allowed);
        let names: Vec<&str> = kinds.map(|kind| kind.name).collect();
        Err(format!("kind `{}` takes no clock (`tc`); these do: {}", self.name, names.join(", ")))
    }

    /// The names of all kinds, for error messages.
    pub fn names() -> String {
        KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
    }
}

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
