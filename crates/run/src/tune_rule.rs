//! What a tune is: a part of the specification of its run.

use threefold_stats::AnyRule;
use threefold_stats::spsa::{Parameters, Schedule, TuneSettings};

/// A tune and the test of its result.
#[derive(Debug, Clone, PartialEq)]
pub struct TuneRule {
    /// The parameters, which are options of the engine.
    pub parameters: Parameters,
    /// The iterations and their gains.
    pub schedule: Schedule,
    /// The number of iterations that can be played at a time, from 1.
    pub ahead: u32,
    /// The test of the tuned values against those of the start; `None` for none.
    pub test: Option<ResultTest>,
}

/// A test of the result of a tune.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultTest {
    /// Its stopping rule.
    pub rule: AnyRule,
    /// Its pairs at most.
    pub pairs: usize,
}

impl TuneRule {
    /// The settings of a tune with this seed.
    pub(super) fn settings(&self, seed: u64) -> TuneSettings {
        TuneSettings { parameters: self.parameters.clone(), schedule: self.schedule, seed, ahead: self.ahead }
    }
}
