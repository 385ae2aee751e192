//! What a case that did not pass means for the run.
//!
//! `junit.xml` and the findings for CI servers follow the same rule, so that all of them agree with the exit
//! code.

use crate::model::report::{Baseline, Report, SuitePart};
use crate::model::sources::case_name;
use threefold_run::regress::Loss;
use threefold_suites::{CaseRecord, VerdictKind};

/// What a case that did not pass means for the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CaseStanding {
    /// The run is refused or stopped because of it.
    Counts,
    /// The run is accepted in spite of it, for this reason.
    Accepted(&'static str),
}

impl CaseStanding {
    /// A case is counted where its verdict is worse than the baseline's, where no baseline knows it and its
    /// suite misses a threshold, where its fault stopped the run, and where failed cases stopped a run without baseline.
    pub(crate) fn judge(report: &Report, part: &SuitePart, case: &CaseRecord) -> Self {
        let name = case_name(case);
        let is_stop = report.stopped.as_ref().is_some_and(|stop| stop.part == part.name);
        let is_fault = case.verdict.kind() == VerdictKind::Fault;
        let has_failed = is_fault || case.verdict.kind() == VerdictKind::Failed;
        let is_compared = matches!(report.baseline, Baseline::Compared { .. });
        let stopped = report.is_stopped_by_failed_cases() && !is_compared && has_failed;
        if report.worse.contains(&name) || (is_fault && is_stop) || stopped {
            return Self::Counts;
        }
        match report.not_counted.get(&name) {
            Some(Loss::Later(_)) => return Self::Accepted("it is solved at another search limit"),
            Some(Loss::Alone(_)) => {
                return Self::Accepted("it is the only case of its suite that is lost for good");
            }
            Some(Loss::Flaky) => return Self::Accepted("it passed when it was tried again"),
            Some(Loss::LeftOut) => {
                return Self::Accepted("many other lost cases of its suite were asked again");
            }
            Some(_) => {
                return Self::Accepted("it is solved at no search limit, but that shows no regression");
            }
            None => {}
        }
        if report.becomes_baseline {
            return Self::Accepted("the results are the new baseline");
        }
        match &report.baseline {
            Baseline::Compared { known, .. } if known.contains(&name) => {
                Self::Accepted("the baseline fails as well")
            }
            Baseline::Compared { .. } | Baseline::Absent(_) => {
                let misses = part.thresholds.iter().any(|threshold| threshold.missed_by.is_some());
                // A threshold is a share of the cases that ran, so a skipped case cannot be why it is missed.
                match (misses && case.verdict.kind() != VerdictKind::Skipped, is_fault) {
                    (true, _) => Self::Counts,
                    (false, true) => Self::Accepted("engine faults are within --max-faults"),
                    (false, false) => Self::Accepted("no baseline and no threshold requires this case"),
                }
            }
        }
    }
}
