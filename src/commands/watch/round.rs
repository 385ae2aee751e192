//! A round: the build, then the short suites up to the first that is worse than the baseline.

use super::build;
use super::input::{QUICK_SUITES, RoundInput};
use super::last_failed;
use super::result::RoundResult;
use super::screen;
use super::step::{self, StepCases};
use threefold_run::Task;

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
    for cases in &steps {
        let Some(step) = step::run(input, &spec, cases)? else {
            return Ok(RoundResult { is_interrupted: true, ..result });
        };
        let before = earlier.steps.iter().find(|before| before.name == step.name);
        screen::show_step(&step, before)?;
        let is_red = step.is_red();
        result.steps.push(step);
        if is_red {
            break;
        }
    }
    screen::show_end(&result)?;
    Ok(result)
}
