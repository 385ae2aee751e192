//! What a run of a plan takes from the command line and from the machine.

use std::num::{NonZeroU64, NonZeroUsize};

use threefold_player::EngineSpec;

threefold_named_enum::named_enum! {
    /// How many of a plan's games are played.
    pub enum PlanLength {
        /// All of them.
        Full = "full",
        /// The quick budgets.
        Quick = "quick",
    }
}

/// What a run of a plan takes from the command line and from the machine.
#[derive(Debug, Clone)]
pub struct PlanChoices {
    /// The engine under test.
    pub engine: EngineSpec,
    /// Its base version; without it the test against the base version is left out.
    pub base: Option<EngineSpec>,
    /// How many of the plan's games are played.
    pub length: PlanLength,
    /// The node count that suites of the kind `bench` must find; without it the count is recorded only.
    pub bench: Option<NonZeroU64>,
    /// The number of games at a time, which divides the time for the test against the base version.
    pub jobs: NonZeroUsize,
}
