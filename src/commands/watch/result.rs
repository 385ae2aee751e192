//! What a round has found.

use super::build::Build;
use super::step::{LostCase, StepResult, StepVerdict};

/// What a round has found.
#[derive(Default)]
pub(super) struct RoundResult {
    /// The build; `None` if the plan has none.
    pub(super) build: Option<Build>,
    /// The suites that were run, in order.
    pub(super) steps: Vec<StepResult>,
    /// Was it ended by Ctrl-C?
    pub(super) is_interrupted: bool,
}

impl RoundResult {
    /// Did the build fail, or is a suite worse than the baseline?
    pub(super) fn is_red(&self) -> bool {
        let has_failed = self.build.as_ref().is_some_and(|build| build.failure.is_some());
        has_failed || self.steps.iter().any(StepResult::is_red)
    }

    /// The number of suites that are compared and not worse.
    pub(super) fn compared_suites(&self) -> usize {
        self.steps.iter().filter(|step| step.verdict == StepVerdict::Green).count()
    }

    /// The first lost case.
    pub(super) fn first_lost(&self) -> Option<&LostCase> {
        self.steps.iter().find_map(|step| step.lost.first())
    }
}
