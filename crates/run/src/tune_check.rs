//! Checks the parts of a run that tunes.

use super::job::{Part, Purpose, RunSpec, Task};
use super::tune_state::TUNE_PART;

/// The most values that a tune may have: iterations times parameters.
const MOST_VALUES: u64 = 20_000_000;

/// Checks the parts of a run that tunes.
///
/// # Errors
/// What is wrong, and the remedy.
pub(super) fn check(spec: &RunSpec) -> Result<(), String> {
    let is_tuning = |part: &Part| matches!(&part.task, Task::Match(task) if task.purpose == Purpose::Tuning);
    let Some(rule) = &spec.tune else {
        let is_free = !spec.parts.iter().any(is_tuning);
        return if is_free {
            Ok(())
        } else {
            Err("has no parameters to tune; begin the run anew".to_owned())
        };
    };
    let games = rule.schedule.games();
    let tuning = spec.parts.get(TUNE_PART).filter(|part| is_tuning(part));
    let has_games =
        |part: &Part| matches!(&part.task, Task::Match(task) if task.schedule().games() as u64 == games);
    if !tuning.is_some_and(has_games) || spec.parts.len() > 2 || spec.parts.iter().skip(1).any(is_tuning) {
        return Err("its parts are not those of a tune; begin the run anew".to_owned());
    }
    let values = u64::from(rule.schedule.iterations()).saturating_mul(rule.parameters.all().len() as u64);
    if values > MOST_VALUES {
        return Err(format!(
            "{} iterations of {} parameters are too many; give fewer games, or more pairs for each iteration \
             (--pairs-per)",
            rule.schedule.iterations(),
            rule.parameters.all().len()
        ));
    }
    if spec.shard.is_some() || spec.tournament.is_some() || spec.takes.is_some() {
        return Err(
            "the next games of a tune depend on the results before them, so it has no shards; use --jobs, or \
             `threefold fleet submit` for several machines"
                .to_owned(),
        );
    }
    Ok(())
}
