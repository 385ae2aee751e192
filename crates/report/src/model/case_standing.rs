//! What a case that did not pass means for the run.
//!
//! `junit.xml` and the findings for CI servers follow the same rule, so that all of them agree with the exit
//! code.

use crate::model::report::{Baseline, Report, SuitePart, ThresholdResult};
use crate::model::sources::case_name;
use threefold_run::regress::Loss;
use threefold_run::regress::baseline::CaseName;
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
    /// A case is counted where its verdict is worse than the baseline's, where no baseline fails it and its
    /// suite misses a threshold for all cases or for its class, where its fault stopped the run, and where failed
    /// cases stopped a run without baseline.
    pub(crate) fn judge(report: &Report, part: &SuitePart, case: &CaseRecord) -> Self {
        let name = case_name(case);
        let is_stop = report.stopped.as_ref().is_some_and(|stop| stop.part == part.name);
        let is_fault = case.verdict.kind() == VerdictKind::Fault;
        let has_failed = is_fault || case.verdict.kind() == VerdictKind::Failed;
        let has_baseline = matches!(report.baseline, Baseline::Compared { .. });
        let stopped = report.is_stopped_by_failed_cases() && !has_baseline && has_failed;
        let is_compared = report.is_compared_part(part);
        if (is_compared && report.worse.contains(&name)) || (is_fault && is_stop) || stopped {
            return Self::Counts;
        }
        match report.not_counted.get(&name).filter(|_| is_compared) {
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
        if is_compared && report.baseline_fails(&name) {
            return Self::Accepted("the baseline fails as well");
        }
        let has_case = |it: &&ThresholdResult| it.class.as_ref().is_none_or(|class| *class == case.class);
        let misses = part.thresholds.iter().filter(has_case).any(|it| it.missed_by().is_some());
        // A threshold is a share of the cases that ran, so a skipped case cannot be why it is missed.
        match (misses && case.verdict.kind() != VerdictKind::Skipped, is_fault) {
            (true, _) => Self::Counts,
            (false, true) => Self::Accepted("engine faults are within --max-faults"),
            (false, false) => Self::Accepted("no baseline and no threshold requires this case"),
        }
    }
}

impl Report {
    /// Is this the part of its suite that the baseline is compared with? The baseline holds the verdicts of one
    /// engine for each suite: the engine that ran it last.
    pub(crate) fn is_compared_part(&self, part: &SuitePart) -> bool {
        let last = self.suites.iter().rfind(|other| other.suite == part.suite);
        last.is_some_and(|last| last.name == part.name)
    }

    /// Does the baseline have the case with a failure or an engine fault?
    pub(crate) fn baseline_fails(&self, name: &CaseName) -> bool {
        let Baseline::Compared { known, .. } = &self.baseline else { return false };
        known.get(name).is_some_and(|kind| matches!(kind, VerdictKind::Failed | VerdictKind::Fault))
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
    /// The standing of a failed case that the baseline knows with this verdict.
    fn known_as(kind: VerdictKind, change: impl Fn(&mut Report)) -> CaseStanding {
        let mut report = fixture::report();
        report.worse.clear();
        let cases = &report.suites[0].cases;
        let failed = cases.iter().find(|case| case.verdict.kind() == VerdictKind::Failed);
        let failed = failed.expect("a failed case").clone();
        let Baseline::Compared { known, .. } = &mut report.baseline else { panic!("it is compared") };
        known.insert(case_name(&failed), kind);
        change(&mut report);
        CaseStanding::judge(&report, &report.suites[0], &failed)
    }

    #[test]
    fn only_a_failure_in_the_baseline_excuses_a_failed_case() {
        // The suite misses its threshold.
        let excused = CaseStanding::Accepted("the baseline fails as well");
        assert_eq!(known_as(VerdictKind::Failed, |_| {}), excused);
        assert_eq!(known_as(VerdictKind::Fault, |_| {}), excused);
        assert_eq!(known_as(VerdictKind::Skipped, |_| {}), CaseStanding::Counts);
        assert_eq!(known_as(VerdictKind::Passed, |_| {}), CaseStanding::Counts);
    }

    #[test]
    fn baseline_says_nothing_of_an_earlier_engine_in_the_same_suite() {
        let with_later_engine = |report: &mut Report| {
            let later = SuitePart { name: "later".to_owned(), ..report.suites[0].clone() };
            report.suites.push(later);
            report.suites[0].thresholds.clear();
        };
        let expected = CaseStanding::Accepted("no baseline and no threshold requires this case");
        assert_eq!(known_as(VerdictKind::Failed, with_later_engine), expected);
        let lost_by_the_later_one = |report: &mut Report| {
            with_later_engine(report);
            report.worse = report.suites[0].cases.iter().map(case_name).collect();
        };
        assert_eq!(known_as(VerdictKind::Passed, lost_by_the_later_one), expected);
    }
}
