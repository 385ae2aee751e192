//! Several takes against one base: each is a part of the run, a test of its own against the same base.
//!
//! [`TakesRule`] is stored with the run. `TakesState` says which games are next and in
//! which order they count. Everything else treats the takes as the tests that they are.

mod order;
#[cfg(test)]
mod tests;

pub(super) use order::TakesState;

use super::job::{MatchTask, Part, Purpose, RunSpec, Task};
use super::takes_rule::TakesRule;

/// The most takes of a run: with more, the games and the error probability are spread too thin.
pub const MOST_TAKES: usize = 64;

/// The specification of these takes: each task is a test of a take against the base, in this order.
pub fn spec(tasks: Vec<MatchTask>, rule: TakesRule, seed: u64) -> RunSpec {
    let name = |task: &MatchTask, place: usize| {
        task.engines.get(place).map(|engine| engine.name.clone()).unwrap_or_default()
    };
    let names: Vec<String> = tasks.iter().map(|task| name(task, 0)).collect();
    let base = tasks.first().map(|task| name(task, 1)).unwrap_or_default();
    let title = format!("{} – {base}", names.join(", "));
    let parts = names.into_iter().zip(tasks);
    let parts = parts.map(|(name, task)| Part::without_labels(name, Task::Match(task))).collect();
    RunSpec { title, seed, parts, takes: Some(rule), ..RunSpec::default() }
}

/// Checks the parts of a run of several takes.
pub(super) fn check(spec: &RunSpec) -> Result<(), String> {
    if spec.takes.is_none() {
        return Ok(());
    }
    if !(2..=MOST_TAKES).contains(&spec.parts.len()) {
        return Err(format!("there are {} takes; give 2 to {MOST_TAKES}", spec.parts.len()));
    }
    if spec.shard.is_some() || spec.tournament.is_some() {
        return Err(
            "the next games of a take depend on the results of all, so a run of several takes has no shards; use \
             --jobs, or `threefold fleet submit` for several machines"
                .to_owned(),
        );
    }
    let base = |part: &Part| part.task.engines().get(1).map(|engine| engine.text.clone());
    let first = spec.parts.first().and_then(base);
    for part in &spec.parts {
        let is_test = matches!(&part.task, Task::Match(task) if matches!(task.purpose, Purpose::Test(_)));
        if !is_test || base(part) != first {
            return Err(format!(
                "`{}` is no test against the base of the other takes; begin the run anew",
                part.name
            ));
        }
    }
    Ok(())
}
