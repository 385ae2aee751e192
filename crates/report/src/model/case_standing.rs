//! What a case that did not pass means for the run.
//!
//! `junit.xml` and the findings for CI servers follow the same rule, so that all of them agree with the exit
//! code.

use crate::model::report::{Baseline, Report, SuitePart, ThresholdResult};
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
    /// suite misses a threshold for all cases or for its class, where its fault stopped the run, and where failed
    /// cases stopped a run without baseline.
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
            Baseline::Compared { known, .. } if known.contains_key(&name) => {
                Self::Accepted("the baseline fails as well")
            }
            Baseline::Compared { .. } | Baseline::Absent(_) => {
                let has_case =
                    |it: &&ThresholdResult| it.class.as_ref().is_none_or(|class| *class == case.class);
                let misses = part.thresholds.iter().filter(has_case).any(|it| it.missed_by().is_some());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;
    use crate::model::report::ThresholdState;

    #[test]
    fn missed_threshold_of_a_class_counts_its_cases_only() {
        let mut report = fixture::report();
        report.worse.clear();
        report.baseline = Baseline::Absent("none was given".to_owned());
        let mut cases = report.suites[0].cases.iter();
        let failed = cases.find(|case| case.verdict.kind() == VerdictKind::Failed);
        let failed = failed.expect("a failed case").clone();
        let other = format!("not {}", failed.class);
        for (class, counts) in [(None, true), (Some(failed.class.clone()), true), (Some(other), false)] {
            let threshold = "at least 90 %".to_owned();
            let state = ThresholdState::Missed("0 of 1 passed".to_owned());
            let missed = ThresholdResult { class, threshold, state };
            report.suites[0].thresholds = vec![missed];
            let standing = CaseStanding::judge(&report, &report.suites[0], &failed);
            assert_eq!(standing == CaseStanding::Counts, counts, "{:?}", report.suites[0].thresholds);
        }
    }
}
