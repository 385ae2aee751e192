//! The verdicts of a suite, seen against the baseline.

use std::collections::HashMap;

use crate::model::report::{Difference, PairedComparison, Report, SuitePart};
use crate::model::sources::case_name;
use threefold_suites::{CaseRecord, VerdictKind};

threefold_named_enum::named_enum! {
    /// A verdict, seen against the baseline. The worst comes first.
    pub(super) enum CaseState {
        /// The verdict is worse than in the baseline.
        Lost = "lost",
        /// The engine crashed, hung or broke the protocol.
        Fault = "fault",
        /// The case failed, and the baseline does not fail it.
        Failed = "failed",
        /// The verdict is worse than in the baseline, but does not count against the run.
        NotCounted = "not-counted",
        /// The baseline fails the case, and this run passes it.
        Gained = "gained",
        /// The case failed, as in the baseline.
        KnownFailure = "known-failure",
        /// The case passed.
        Passed = "passed",
        /// The case did not run.
        Skipped = "skipped",
    }
}

impl CaseState {
    /// The name with spaces.
    pub(super) fn words(self) -> String {
        match self {
            Self::NotCounted => "lost, but not counted".to_owned(),
            state => state.name().replace('-', " "),
        }
    }
}

/// A suite with the state of each case.
pub(super) struct JudgedSuite<'r> {
    pub(super) part: &'r SuitePart,
    /// The states of its cases, in their order.
    pub(super) states: Vec<CaseState>,
    /// The comparison with the baseline, if it has the suite.
    pub(super) comparison: Option<&'r PairedComparison>,
}

impl<'r> JudgedSuite<'r> {
    /// Every suite of a run.
    pub(super) fn all(report: &'r Report) -> Vec<Self> {
        report.suites.iter().map(|part| Self::new(report, part)).collect()
    }

    fn new(report: &'r Report, part: &'r SuitePart) -> Self {
        let is_compared = report.is_compared_part(part);
        let compared = if is_compared { report.comparisons() } else { &[] };
        let comparison = compared.iter().find(|comparison| comparison.suite == part.suite);
        let gained: Vec<&str> =
            comparison.iter().flat_map(|it| &it.gained).map(|case| case.id.as_str()).collect();
        let state = |case: &CaseRecord| {
            let name = case_name(case);
            match case.verdict.kind() {
                // First, so that a fault that the baseline does not have is shown as a lost case.
                _ if is_compared && report.worse.contains(&name) => CaseState::Lost,
                _ if is_compared && report.not_counted.contains_key(&name) => CaseState::NotCounted,
                VerdictKind::Fault => CaseState::Fault,
                VerdictKind::Failed if is_compared && report.baseline_fails(&name) => CaseState::KnownFailure,
                VerdictKind::Failed => CaseState::Failed,
                VerdictKind::Passed if gained.contains(&case.id.as_str()) => CaseState::Gained,
                VerdictKind::Passed => CaseState::Passed,
                VerdictKind::Skipped => CaseState::Skipped,
            }
        };
        Self { part, states: part.cases.iter().map(state).collect(), comparison }
    }

    /// The cases with their states.
    pub(super) fn cases(&self) -> impl Iterator<Item = (&'r CaseRecord, CaseState)> {
        self.part.cases.iter().zip(self.states.iter().copied())
    }

    /// How many cases have a state.
    pub(super) fn count(&self, state: CaseState) -> usize {
        self.states.iter().filter(|&&it| it == state).count()
    }

    /// Is no case lost, gained, new or at fault?
    pub(super) fn is_as_in_the_baseline(&self) -> bool {
        use CaseState::{KnownFailure, Passed, Skipped};
        self.states.iter().all(|state| matches!(state, KnownFailure | Passed | Skipped))
    }

    /// What the baseline says of the cases that differ.
    pub(super) fn baseline_verdicts(&self) -> HashMap<&'r str, &'r str> {
        let differing = self.comparison.into_iter().flat_map(|it| it.lost.iter().chain(&it.gained));
        differing.map(|Difference { id, theirs, .. }| (id.as_str(), theirs.as_str())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::baseline_fixture::fail_in_the_baseline;
    use crate::model::fixture;
    use crate::model::report::Baseline;

    #[test]
    fn states_compare_with_the_baseline() {
        use CaseState::{Failed, Fault, Gained, KnownFailure, Lost, Passed};
        let mut report = fixture::report();
        let states = |report: &Report| JudgedSuite::all(report)[0].states.clone();
        assert_eq!(states(&report), [Passed, Lost, Gained, Lost]);
        fail_in_the_baseline(&mut report);
        assert_eq!(states(&report), [Passed, KnownFailure, Gained, Fault]);
        report.baseline = Baseline::Absent("no baseline is named".to_owned());
        assert_eq!(states(&report), [Passed, Failed, Passed, Fault]);
        let suites = JudgedSuite::all(&report);
        assert_eq!((suites[0].count(Passed), suites[0].count(Lost)), (2, 0));
        assert!(!suites[0].is_as_in_the_baseline() && suites[1].is_as_in_the_baseline());
    }

    #[test]
    fn the_baseline_is_compared_with_the_last_engine() {
        let mut report = fixture::report();
        report.suites.insert(0, SuitePart { name: "first".to_owned(), ..report.suites[0].clone() });
        let suites = JudgedSuite::all(&report);
        assert_eq!((suites[0].count(CaseState::Lost), suites[1].count(CaseState::Lost)), (0, 2));
    }
}
