//! How the suites of a run differ from the baseline: the suites with a lost or a gained case, and sentences
//! about the others.

use crate::format;
use crate::model::report::{Baseline, PairedComparison, Report, SuitePart};
use crate::model::sources::case_name;
use crate::model::worst;
use threefold_suites::{CaseRecord, VerdictKind};

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
        let worse: Vec<&CaseRecord> =
            part.cases.iter().filter(|case| worst::is_worse(report, case)).collect();
        // A skipped case counts as worse if several cases crashed once; the paired comparison has no skipped
        // cases.
        let skipped = worse.iter().filter(|case| case.verdict.kind() == VerdictKind::Skipped);
        let skipped: Vec<Option<VerdictKind>> = skipped.map(|case| before(report, case)).collect();
        let passed_before = skipped.iter().filter(|before| **before == Some(VerdictKind::Passed)).count();
        let (lost, gained) = (worse.len(), comparison.gained.len());
        (lost + gained > 0).then(|| ChangedSuite {
            part,
            before: comparison.both_pass + comparison.lost.len() + passed_before,
            compared: comparison.compared() + skipped.len(),
            lost,
            gained,
        })
    });
    changed.collect()
}

/// The verdict of a case in the baseline.
fn before(report: &Report, case: &CaseRecord) -> Option<VerdictKind> {
    let Baseline::Compared { known, .. } = &report.baseline else { return None };
    known.get(&case_name(case)).copied()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::baseline_fixture::{compare, passing};
    use threefold_suites::{SkipCause, Verdict};

    #[test]
    fn baseline_passes_a_skipped_case_only_if_it_passed_there() {
        let mut report = passing(1, 3);
        compare(&mut report, |verdict| *verdict = Verdict::unanswered(SkipCause::CrashedOnce, ""));
        let baseline = |report: &Report| changed(report, report.comparisons())[0].baseline();
        assert_eq!(baseline(&report), "3/3");
        let Baseline::Compared { known, .. } = &mut report.baseline else { panic!("it is compared") };
        *known.first_entry().expect("three cases").get_mut() = VerdictKind::Failed;
        assert_eq!(baseline(&report), "2/3");
    }
}
