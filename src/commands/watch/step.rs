//! One suite of a round, or the cases that were lost last, compared with the baseline.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::input::RoundInput;
use crate::files;
use crate::session::Session;
use crate::session::journal_path::JournalPath;
use crate::session::outcome::{self, RunOutcome};
use threefold_report::{Acceptance, Registry, Report};
use threefold_run::regress::baseline::{Baseline, CaseName};
use threefold_run::{FaultBudget, Part, RunSpec, SuiteTask, Task};
use threefold_suites::kinds::bench::{self, BenchReading};
use threefold_suites::single_case::with_cases;
use threefold_suites::{CaseRecord, VerdictKind};

/// The folder of the journals.
const JOURNALS: &str = "reports/watch";

/// The cases of a step.
pub(super) struct StepCases {
    name: String,
    /// The ids by suite; none for the whole suite.
    ids: BTreeMap<String, Vec<String>>,
}

impl StepCases {
    /// A suite, with the cases that the plan asks.
    pub(super) fn whole_suite(name: &str) -> Self {
        Self { name: name.to_owned(), ids: BTreeMap::new() }
    }

    /// Cases of several suites.
    pub(super) fn lost_last(ids: BTreeMap<String, Vec<String>>) -> Self {
        Self { name: "lost before".to_owned(), ids }
    }

    /// Are they suite `bench`?
    pub(super) fn is_bench(&self) -> bool {
        self.ids.is_empty() && self.name == "bench"
    }

    /// The parts of the run that ask them.
    fn parts(&self, spec: &RunSpec) -> anyhow::Result<Vec<Part>> {
        let mut parts = Vec::new();
        for part in &spec.parts {
            let Task::Suite(task) = &part.task else { continue };
            if self.ids.is_empty() && part.name == self.name {
                // The node count is the same in each run, and the first answer is wanted soon.
                let source = bench::run_once(task.source.clone());
                let task = SuiteTask { source, ..task.clone() };
                parts.push(Part { task: Task::Suite(task), ..part.clone() });
            }
            if let Some(ids) = self.ids.get(&part.name) {
                let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
                let source = with_cases(&task.source, &ids)?;
                let task = SuiteTask { source, per_class: None, left_out: Vec::new(), ..task.clone() };
                parts.push(Part { task: Task::Suite(task), ..part.clone() });
            }
        }
        Ok(parts)
    }

    /// Is a case of the baseline among them?
    fn has(&self, case: &CaseName) -> bool {
        if self.ids.is_empty() {
            return case.suite == self.name;
        }
        self.ids.get(&case.suite).is_some_and(|ids| ids.contains(&case.id))
    }
}

/// A case that is worse than in the baseline.
pub(super) struct LostCase {
    /// The journal that has it.
    pub(super) journal: PathBuf,
    /// `SUITE/ID`.
    pub(super) case: String,
    /// Why it is not passed.
    pub(super) reason: String,
}

/// The verdict on a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StepVerdict {
    /// No case is worse than in the baseline.
    Green,
    /// A case is worse, or the engine does not run: the headline.
    Red(String),
    /// Nothing could be compared: the headline.
    NotCompared(String),
}

/// What a step has found.
pub(super) struct StepResult {
    /// The suite, or `lost before`.
    pub(super) name: String,
    /// The verdict.
    pub(super) verdict: StepVerdict,
    /// How long it took, in seconds.
    pub(super) seconds: f64,
    /// The number of passed cases.
    pub(super) passed: usize,
    /// The number of cases that were not skipped.
    pub(super) cases: usize,
    /// What `bench` counted.
    pub(super) bench: Option<BenchReading>,
    /// The node count of `bench` in the baseline.
    pub(super) baseline_nodes: Option<u64>,
    /// The cases that are worse, in order.
    pub(super) lost: Vec<LostCase>,
}

impl StepResult {
    /// Is it worse than the baseline?
    pub(super) const fn is_red(&self) -> bool {
        matches!(self.verdict, StepVerdict::Red(_))
    }
}

/// Asks the cases of a step; `None` if the run is interrupted. An engine that can't be started is a red step.
///
/// # Errors
/// If the run can't begin for another reason.
#[expect(clippy::disallowed_methods, reason = "the time of a step is shown")]
pub(super) fn run(
    input: &RoundInput,
    plan: &RunSpec,
    cases: &StepCases,
) -> anyhow::Result<Option<StepResult>> {
    let begun = Instant::now();
    // Git does not report the folder as untracked.
    files::write_whole(&Path::new(JOURNALS).join(".gitignore"), b"*\n")?;
    let journal = Path::new(JOURNALS).join(format!("{}.sqlite", cases.name.replace(' ', "-")));
    let known = input.baseline.of_cases(|case| cases.has(case));
    let spec = RunSpec {
        parts: cases.parts(plan)?,
        baseline: Some(known.to_text()),
        max_faults: Some(FaultBudget::SUITE),
        ..plan.clone()
    };
    let set = outcome::report_set(&spec, &journal, &Registry::built_in())?;
    let empty = || StepResult {
        name: cases.name.clone(),
        verdict: StepVerdict::Green,
        seconds: begun.elapsed().as_secs_f64(),
        passed: 0,
        cases: 0,
        bench: None,
        baseline_nodes: None,
        lost: Vec::new(),
    };
    let ran = Session::open(&input.run_options)?.run(spec, &JournalPath::Over(&journal));
    let finished = match ran {
        Ok(RunOutcome::Finished(finished)) => finished,
        Ok(RunOutcome::Interrupted | RunOutcome::ShardFinished) => return Ok(None),
        Err(error) => {
            return Ok(Some(StepResult { verdict: StepVerdict::Red(format!("{error:#}")), ..empty() }));
        }
    };
    let report = outcome::build_report(&finished.run, &set)?;
    let asked = || report.suites.iter().flat_map(|suite| &suite.cases);
    let is_asked = |case: &&CaseRecord| case.verdict.kind() != VerdictKind::Skipped;
    Ok(Some(StepResult {
        verdict: verdict(&report),
        passed: asked().filter(|case| case.verdict.kind() == VerdictKind::Passed).count(),
        cases: asked().filter(is_asked).count(),
        bench: asked()
            .find(|case| case.id == bench::ID)
            .and_then(|case| BenchReading::from_verdict(&case.verdict.played, &case.verdict.detail)),
        baseline_nodes: baseline_nodes(&known),
        lost: lost(&report, &journal),
        ..empty()
    }))
}

fn verdict(report: &Report) -> StepVerdict {
    match report.acceptance() {
        Acceptance::Accepted => StepVerdict::Green,
        Acceptance::NotCompared => StepVerdict::NotCompared(report.headline()),
        Acceptance::Refused | Acceptance::Unfinished | Acceptance::Running | Acceptance::Stopped => {
            StepVerdict::Red(report.headline())
        }
    }
}

/// The node count of `bench`, if the step is that suite.
fn baseline_nodes(known: &Baseline) -> Option<u64> {
    let (_, case) = known.cases.iter().find(|(name, _)| name.id == bench::ID)?;
    Some(BenchReading::from_verdict(&case.played, &case.detail)?.nodes)
}

/// The cases that are worse than in the baseline.
fn lost(report: &Report, journal: &Path) -> Vec<LostCase> {
    let worse: &BTreeSet<CaseName> = &report.worse;
    let cases = report.suites.iter().flat_map(|suite| &suite.cases);
    let is_worse =
        |case: &&CaseRecord| worse.contains(&CaseName { suite: case.suite.clone(), id: case.id.clone() });
    cases
        .filter(is_worse)
        .map(|case| LostCase {
            journal: journal.to_owned(),
            case: format!("{}/{}", case.suite, case.id),
            reason: case.verdict.reason(),
        })
        .collect()
}
