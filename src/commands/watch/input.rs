//! What a round needs: the plan with its engine, and the baseline.

use std::path::PathBuf;

use crate::args::RunOptions;
use threefold_player::EngineSpec;
use threefold_run::regress::baseline::Baseline;
use threefold_run::regress::plan::PlanFiles;
use threefold_run::regress::{PlanChoices, PlanLength, RegressionPlan};

/// The suites of a round, in their order: those that answer soonest come first.
pub(super) const QUICK_SUITES: [&str; 4] = ["bench", "perft", "compliance", "repetition"];

/// What a round needs.
pub(super) struct RoundInput {
    /// The plan.
    pub(super) plan: RegressionPlan,
    /// The files that it names.
    pub(super) materials: PlanFiles,
    /// The engine of the plan.
    pub(super) engine: EngineSpec,
    /// Its program.
    pub(super) program: PathBuf,
    /// The command that builds it.
    pub(super) build: Option<String>,
    /// The results to compare with.
    pub(super) baseline: Baseline,
    /// The options of each run.
    pub(super) run_options: RunOptions,
}

impl RoundInput {
    /// The plan as it stands, without a base version and without a promised node count.
    pub(super) fn choices(&self) -> PlanChoices {
        PlanChoices {
            engine: self.engine.clone(),
            base: None,
            length: PlanLength::Full,
            bench: None,
            jobs: self.run_options.workers(),
        }
    }
}
