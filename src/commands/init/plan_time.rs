//! The time of each case in a first run, and with it the plan that takes less than three minutes.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::input::by_name::PLAN_FILE;
use crate::setup::cases_per_class;
use crate::setup::plan_text::LeftOutCases;
use threefold_run::event::RunEvent;
use threefold_run::job::{JobKey, JobResult};
use threefold_run::regress::baseline::CaseName;
use threefold_run::regress::plan_time::{SmallerPlan, TimedCase, TimedSuite};
use threefold_run::{PartResult, Task};
use threefold_suites::CaseDefinition;

/// How long a worker needed for each case.
#[derive(Debug, Default)]
pub(super) struct CaseTimes {
    begun: BTreeMap<JobKey, Instant>,
    ended: BTreeMap<CaseName, Duration>,
}

impl CaseTimes {
    /// Records the time of a case that begins or ends.
    #[expect(clippy::disallowed_methods, reason = "measures how long a case takes")]
    pub(super) fn take(&mut self, event: &RunEvent<'_>) {
        match event {
            RunEvent::JobStarted { key } => _ = self.begun.insert(*key, Instant::now()),
            RunEvent::JobEnded { key, result: JobResult::Case(case), .. } => {
                if let Some(begun) = self.begun.remove(key) {
                    let name = CaseName { suite: case.suite.clone(), id: case.id.clone() };
                    self.ended.insert(name, begun.elapsed());
                }
            }
            _ => {}
        }
    }

    /// The suites of a run, with the time that each case takes in later runs: 0 if it is left out.
    pub(super) fn suites<'r>(
        &self,
        parts: &[PartResult<'r>],
        left_out: &LeftOutCases,
    ) -> Vec<TimedSuite<'r>> {
        let suite = |part: &PartResult<'r>| {
            let (Task::Suite(task), Some(suite)) = (&part.part.task, part.suite) else { return None };
            // Cases that were not run after many faults are here, too: a smaller plan takes its sample from
            // all.
            let cases = suite.definitions.iter().map(|CaseDefinition { info: case, .. }| {
                let is_left_out = left_out.contains_key(&(case.suite.clone(), case.id.clone()));
                let name = CaseName { suite: case.suite.clone(), id: case.id.clone() };
                let time = self.ended.get(&name).copied().filter(|_| !is_left_out).unwrap_or_default();
                TimedCase { id: &case.id, class: &case.class, time }
            });
            Some(TimedSuite {
                name: &part.part.name,
                per_class: task.per_class,
                can_be_smaller: cases_per_class::can_be_smaller(&part.part.name),
                cases: cases.collect(),
            })
        };
        parts.iter().filter_map(suite).collect()
    }
}

/// The text of a plan with the numbers of cases of a smaller one.
pub(super) fn with_fewer_cases(plan: &str, smaller: &SmallerPlan) -> String {
    let numbers = smaller.per_class.iter().map(|(suite, cases)| (suite.as_str(), cases.get()));
    cases_per_class::with_per_class(plan, numbers, "fewer, since the plan took long")
}

/// The notice of `init` about the smaller plan.
pub(super) fn notice(smaller: &SmallerPlan) -> String {
    let [before, after] = smaller.times.map(|time| time.as_secs());
    let slow = smaller.slow.iter().map(|name| format!("  {} {}: left out", name.suite, name.id));
    let numbers = smaller.per_class.iter().map(|(suite, cases)| format!("  {suite}: {cases} of each class"));
    format!(
        "\n{PLAN_FILE}: later runs would take {before} s on two cores like these, so fewer cases are asked, which takes {after} s; \
         for more, change [per-class] and [left-out], and run `threefold regress --accept`, or if other programs ran meanwhile, \
         `threefold init --force` once they are done:\n{}",
        slow.chain(numbers).collect::<Vec<_>>().join("\n")
    )
}
