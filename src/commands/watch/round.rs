//! A round: the build, then the short suites up to the first that is worse than the baseline.

use std::sync::mpsc;
use std::{iter, thread};

use super::build;
use super::input::{QUICK_SUITES, RoundInput};
use super::last_failed;
use super::result::RoundResult;
use super::screen;
use super::step::{self, StepCases, StepResult};
use crate::machine;
use threefold_run::{RunSpec, Task};

/// Builds the engine and runs the suites, up to the first that is worse than the baseline.
///
/// # Errors
/// If the plan can't be run, or the result can't be printed.
pub(super) fn run(input: &RoundInput, earlier: &RoundResult) -> anyhow::Result<RoundResult> {
    let mut result = RoundResult { build: build::build(input)?, ..RoundResult::default() };
    if let Some(build) = &result.build {
        screen::show_build(build)?;
    }
    if result.is_red() {
        return Ok(result);
    }
    let spec = input.plan.spec(&input.choices(), &input.materials)?;
    let has_suite = |name: &&str| {
        spec.parts.iter().any(|part| part.name == **name && matches!(part.task, Task::Suite(_)))
    };
    let mut steps: Vec<StepCases> =
        QUICK_SUITES.into_iter().filter(has_suite).map(StepCases::whole_suite).collect();
    let lost = last_failed::cases(&input.baseline);
    steps.extend((!lost.is_empty()).then(|| StepCases::lost_last(lost)));
    anyhow::ensure!(
        !steps.is_empty(),
        "the plan has none of the suites {}; add one of them",
        QUICK_SUITES.join(", ")
    );
    // The benchmarks of some engines take seconds, on one core, and the first answer is wanted soon.
    let together = if machine::cores().get() > 1 && steps[0].is_bench() { 2 } else { 1 };
    let (first, later) = steps.split_at(together.min(steps.len()));
    for group in iter::once(first).chain(later.chunks(1)) {
        let is_interrupted = !run_together(input, &spec, group, |step| {
            // An engine that does not start fails two suites at once for one reason.
            if step.is_red() && result.steps.iter().any(|shown| shown.verdict == step.verdict) {
                return Ok(());
            }
            let before = earlier.steps.iter().find(|before| before.name == step.name);
            screen::show_step(&step, before)?;
            result.steps.push(step);
            Ok(())
        })?;
        if is_interrupted {
            return Ok(RoundResult { is_interrupted, ..result });
        }
        if result.is_red() {
            break;
        }
    }
    screen::show_end(&result)?;
    Ok(result)
}

/// Runs steps at the same time, and takes each result when it comes; `false` if a run is interrupted.
fn run_together(
    input: &RoundInput,
    spec: &RunSpec,
    group: &[StepCases],
    mut take: impl FnMut(StepResult) -> anyhow::Result<()>,
) -> anyhow::Result<bool> {
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for cases in group {
            let sender = sender.clone();
            scope.spawn(move || {
                // After an error its result is not received.
                sender.send(step::run(input, spec, cases)).ok();
            });
        }
        // The channel ends with the last thread.
        drop(sender);
        let mut is_whole = true;
        for step in results {
            match step? {
                Some(step) => take(step)?,
                None => is_whole = false,
            }
        }
        Ok(is_whole)
    })
}
