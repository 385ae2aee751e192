//! The cases that the last `threefold regress` lost.

use std::collections::BTreeMap;
use std::path::Path;

use super::input::QUICK_SUITES;
use crate::streams;
use threefold_run::regress::baseline::{Baseline, CaseName};
use threefold_run::{PartResult, RunRecord};
use threefold_suites::VerdictKind;

/// The journal of the last `threefold regress`.
const LAST_RUN: &str = "reports/latest/run.sqlite";

/// The most cases that are asked: a round is to be short.
const MOST: usize = 30;

/// The ids of the cases by suite, except those of suites that a round asks anyway.
pub(super) fn cases(baseline: &Baseline) -> BTreeMap<String, Vec<String>> {
    let file = Path::new(LAST_RUN);
    if !file.exists() {
        return BTreeMap::new();
    }
    match RunRecord::read(file) {
        Ok(run) => lost(&run, baseline),
        Err(error) => {
            streams::notice(&format!("warning: {error}; the cases that failed there are not asked"));
            BTreeMap::new()
        }
    }
}

fn lost(run: &RunRecord, baseline: &Baseline) -> BTreeMap<String, Vec<String>> {
    let parts = run.planned_parts();
    let is_bad = |kind| matches!(kind, VerdictKind::Failed | VerdictKind::Fault);
    let names = parts.iter().flat_map(PartResult::cases).filter(|case| is_bad(case.verdict.kind()));
    let names = names.map(|case| CaseName { suite: case.suite.clone(), id: case.id.clone() });
    let was_passed = |name: &CaseName| {
        baseline.cases.get(name).is_some_and(|case| case.kind() == VerdictKind::Passed)
            && !QUICK_SUITES.contains(&name.suite.as_str())
    };
    let mut lost: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for CaseName { suite, id } in names.filter(was_passed).take(MOST) {
        lost.entry(suite).or_default().push(id);
    }
    lost
}
