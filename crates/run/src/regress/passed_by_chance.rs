//! Dialogues and smoke games that an engine with a race passes by chance.

use std::collections::BTreeSet;

use crate::job::{Part, RunSpec, SuiteTask, Task};
use crate::labels::Labels;
use crate::outputs::Outputs;
use crate::part_extent::PartEnding;
use crate::run_record::RunRecord;
use threefold_suites::single_case::with_cases;
use threefold_suites::{CaseRecord, FailCause, LostCase, PassCause, SkipCause, VerdictKind};

/// A run that holds passed dialogues and smoke games of complete suites again, this often: those of each class in which the
/// engine has failed another one; `None` if there are none. An engine with a race passes some of them by chance, which later runs
/// would take for a regression.
pub fn asked_again(run: &RunRecord, times: usize) -> Option<RunSpec> {
    let planned = run.planned_parts();
    let again = planned.iter().filter_map(|part| {
        let (Task::Suite(task), Some(suite)) = (&part.part.task, part.suite) else { return None };
        let is_failed = |case: &&CaseRecord| {
            let causes =
                [FailCause::ProtocolViolated.into(), SkipCause::Flaky.into(), SkipCause::NoAnswer.into()];
            causes.contains(&case.verdict.cause) || case.verdict.kind() == VerdictKind::Fault
        };
        let failed: BTreeSet<&str> = part.cases().filter(is_failed).map(|case| case.class.as_str()).collect();
        let by_chance = [PassCause::ClauseMet.into(), PassCause::NoFault.into()];
        let is_asked = |case: &&CaseRecord| {
            by_chance.contains(&case.verdict.cause) && failed.contains(case.class.as_str())
        };
        let passed: Vec<&str> = part.cases().filter(is_asked).map(|case| case.id.as_str()).collect();
        let is_complete = part.progress.ending == Some(PartEnding::Complete);
        if passed.is_empty() || suite.lost_case != LostCase::Strict || !is_complete {
            return None;
        }
        let source = with_cases(&task.source, &passed).expect("the suite has been read before");
        Some((&part.part.name, SuiteTask { source, ..task.clone() }))
    });
    let again: Vec<_> = again.collect();
    let parts: Vec<Part> = (0..times)
        .flat_map(|time| again.iter().map(move |it| (time + 2, it)))
        .map(|(time, (name, task))| Part {
            name: format!("{name}, time {time}"),
            labels: Labels::NONE,
            task: Task::Suite(task.clone()),
        })
        .collect();
    let spec = run.spec().clone();
    (!parts.is_empty()).then(|| RunSpec { parts, outputs: Outputs::default(), max_faults: None, ..spec })
}
