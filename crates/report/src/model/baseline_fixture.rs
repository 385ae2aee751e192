//! Made-up runs that are compared with a baseline case by case, for the tests of the formats.

use threefold_run::regress::{ComparedCases, SuiteCoverage};

use crate::model::fixture;
use crate::model::paired_comparison::verdicts;
use crate::model::report::{Baseline, PairedComparison, Report, SuitePart};
use crate::model::sources::case_name;
use threefold_suites::{PassCause, Verdict, VerdictKind};

/// A run of this number of suites, each with this number of cases that pass as in the baseline.
pub(crate) fn passing(suites: usize, cases: usize) -> Report {
    let mut report = fixture::report();
    let first = report.suites.swap_remove(0);
    report.suites.clear();
    report.matches.truncate(1);
    report.failure_reasons.clear();
    report.worse.clear();
    report.matches[0].games.clear();
    for number in 0..suites {
        let mut part = first.clone();
        (part.name, part.title, part.suite) =
            (format!("suite {number}"), format!("Suite #{number}"), format!("suite {number}"));
        part.thresholds.clear();
        let case = part.cases[0].clone();
        part.cases = (0..cases)
            .map(|id| {
                let mut case = case.clone();
                (case.suite, case.id) = (part.suite.clone(), format!("case_{id}"));
                case
            })
            .collect();
        part.planned = cases;
        report.suites.push(part);
    }
    compare(&mut report, |_| {});
    report
}

/// Compares the report with a baseline that has passed every case, and changes this run.
pub(crate) fn compare(report: &mut Report, change: impl Fn(&mut Verdict)) {
    let mut comparisons = Vec::new();
    for part in &mut report.suites {
        let mut before = part.cases.clone();
        for case in &mut before {
            case.verdict = Verdict::unanswered(PassCause::AcceptedMove, "");
        }
        for case in &mut part.cases {
            change(&mut case.verdict);
        }
        let [now, before] = [&part.cases, &before].map(|cases| verdicts(cases));
        comparisons.push(PairedComparison::between(&part.suite, ("new", &now), ("the baseline", &before)));
    }
    let all = || report.suites.iter().flat_map(|part| &part.cases);
    report.worse = all().filter(|case| case.verdict.kind() != VerdictKind::Passed).map(case_name).collect();
    let known = all().map(|case| (case_name(case), VerdictKind::Passed)).collect();
    let covered = |part: &SuitePart| SuiteCoverage {
        suite: part.suite.clone(),
        compared: Ok(ComparedCases { cases: part.cases.len(), ..ComparedCases::default() }),
    };
    let coverage = report.suites.iter().map(covered).collect();
    report.baseline = Baseline::Compared {
        suites: comparisons,
        figures: Vec::new(),
        other_budgets: Vec::new(),
        known,
        coverage,
    };
}

/// Compares the report with a baseline that has failed every case, so that none is worse.
pub(crate) fn fail_in_the_baseline(report: &mut Report) {
    report.worse.clear();
    let Baseline::Compared { known, .. } = &mut report.baseline else { panic!("it is compared") };
    for kind in known.values_mut() {
        *kind = VerdictKind::Failed;
    }
}
