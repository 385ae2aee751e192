//! The figures of the earlier versions of a baseline, for the trend in a summary. No result depends on them.

use std::collections::BTreeMap;

/// A version of a baseline, in short.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrendPoint {
    /// The commit that made it.
    pub commit: String,
    /// The cases of each suite; skipped ones do not count.
    pub suites: BTreeMap<String, CaseCount>,
    /// The node count of the engine's bench, if it has one.
    pub bench: Option<u64>,
    /// The speed of the bench in nodes per second, if it is known. It depends on the machine.
    pub nps: Option<u64>,
}

/// The passed cases among some.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CaseCount {
    /// Those that passed.
    pub passed: u64,
    /// All of them.
    pub cases: u64,
}
