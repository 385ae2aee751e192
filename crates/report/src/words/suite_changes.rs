//! How the suites of a run differ from the baseline: the suites with a lost or a gained case, and sentences
//! about the others.

use crate::format;
use crate::model::report::{PairedComparison, Report, SuitePart};
use crate::model::worst;
use threefold_suites::VerdictKind;

/// A suite with a case that was lost or gained.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChangedSuite<'r> {
    /// This run of the suite.
    pub(crate) part: &'r SuitePart,
    /// The cases that the baseline passes, of those that are compared.
    pub(crate) before: usize,
    /// The cases that are compared.
    pub(crate) compared: usize,
    /// The cases that count as worse.
    pub(crate) lost: usize,
    /// The cases that only this run passes.
    pub(crate) gained: usize,
}

impl ChangedSuite<'_> {
    /// `132/140`: what the baseline passes.
    pub(crate) fn baseline(&self) -> String {
        format!("{}/{}", self.before, self.compared)
    }
}

/// The suites that differ from the baseline, in the order of the comparisons.
pub(crate) fn changed<'r>(report: &'r Report, comparisons: &[PairedComparison]) -> Vec<ChangedSuite<'r>> {
    let changed = comparisons.iter().filter_map(|comparison| {
        // The baseline holds the verdicts of the engine that ran a suite last.
        let part = report.suites.iter().rfind(|part| part.suite == comparison.suite)?;
        // A skipped case counts as worse if several cases crashed once; the paired comparison has no skipped
        // cases.
        let worse = |is_skipped: bool| {
            let cases = part.cases.iter().filter(|case| worst::is_worse(report, case));
            cases.filter(|case| (case.verdict.kind() == VerdictKind::Skipped) == is_skipped).count()
        };
        let lost = worse(true) + worse(false);
        let gained = comparison.gained.len();
        (lost + gained > 0).then(|| ChangedSuite {
            part,
            before: comparison.both_pass + comparison.lost.len() + worse(true),
            compared: comparison.compared() + worse(true),
            lost,
            gained,
        })
    });
    changed.collect()
}

/// The sentence that no compared suite differs from the baseline.
pub(crate) fn unchanged(comparisons: &[PairedComparison]) -> String {
    let compared: Vec<&PairedComparison> = comparisons.iter().filter(|it| it.compared() > 0).collect();
    if compared.is_empty() {
        return "No suite is compared with the baseline.".to_owned();
    }
    let passed: usize = compared.iter().map(|it| it.both_pass).sum();
    let all: usize = compared.iter().map(|it| it.compared()).sum();
    let [passed, all] = [passed, all].map(|number| format::grouped(number as u64));
    format!("{} as in the baseline: {passed} of {all} cases passed.", all_suites(compared.len()))
}

fn all_suites(number: usize) -> String {
    match number {
        1 => "The suite is".to_owned(),
        _ => format!("All {} are", format::count(number, "suite")),
    }
}

/// The cases that only one side has, and those that were skipped.
pub(crate) fn coverage(report: &Report, comparisons: &[PairedComparison]) -> Option<String> {
    let sum = |ids: fn(&PairedComparison) -> &Vec<String>| comparisons.iter().map(|it| ids(it).len()).sum();
    let parts = [
        (sum(|it| &it.only_ours), "not in the baseline"),
        (sum(|it| &it.only_theirs), "of the baseline did not run"),
        (report.skips(), "skipped"),
    ];
    let said: Vec<String> = parts
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!("{} {what}", format::count(number, "case")))
        .collect();
    (!said.is_empty()).then(|| format!("{}.", said.join("; ")))
}
