//! The cases of a run, worst first.
//!
//! Cases that are worse than the baseline come before others, and engine faults before wrong answers. Suites
//! take turns, so that a suite with a hundred lost cases does not hide the single lost case of another one.
//! Failures that the baseline has as well are not listed.

use crate::model::case_standing::CaseStanding;
use crate::model::report::{Baseline, Report, SuitePart};
use crate::model::sources::case_name;
use threefold_suites::{CaseRecord, VerdictKind};

/// A case with its suite.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorstCase<'r> {
    /// The suite's run.
    pub(crate) part: &'r SuitePart,
    pub(crate) case: &'r CaseRecord,
}

/// Is its verdict worse than in the baseline?
pub(crate) fn is_worse(report: &Report, case: &CaseRecord) -> bool {
    report.worse.contains(&case_name(case))
}

/// The cases that count against the run. Without a baseline also every other that did not pass.
pub(crate) fn cases(report: &Report) -> Vec<WorstCase<'_>> {
    let is_alone = matches!(report.baseline, Baseline::Absent(_));
    let mut ranked = Vec::new();
    for part in &report.suites {
        let mut found: Vec<(u8, &CaseRecord)> =
            part.cases.iter().filter_map(|case| Some((rank(report, part, case, is_alone)?, case))).collect();
        found.sort_by_key(|(rank, _)| *rank);
        ranked.extend(
            found
                .into_iter()
                .enumerate()
                .map(|(turn, (rank, case))| ((rank, turn), WorstCase { part, case })),
        );
    }
    // The sort is stable, so suites with equal rank and turn stay in the order of the run.
    ranked.sort_by_key(|(order, _)| *order);
    ranked.into_iter().map(|(_, worst)| worst).collect()
}

/// The lower, the worse; `None` for a case that is no news.
fn rank(report: &Report, part: &SuitePart, case: &CaseRecord, is_alone: bool) -> Option<u8> {
    let counts = CaseStanding::judge(report, part, case) == CaseStanding::Counts;
    match (case.verdict.kind(), counts) {
        (VerdictKind::Passed, _) | (VerdictKind::Skipped, false) => None,
        (VerdictKind::Fault, true) => Some(0),
        (VerdictKind::Failed, true) => Some(1),
        (VerdictKind::Skipped, true) => Some(2),
        (VerdictKind::Fault, false) => Some(3),
        (VerdictKind::Failed, false) => is_alone.then_some(4),
    }
}
