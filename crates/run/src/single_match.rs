//! A run that is one match, or one tournament.

use super::job::{MatchTask, Part, RunSpec, Task};
use super::tournament;

/// Why a run is not one match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotOneMatch {
    /// It is a suite.
    #[error("the run is no match")]
    Suite,
    /// It has several parts.
    #[error("the run has several matches; continue it with `threefold resume`")]
    Several,
}

/// The specification of these games alone: one part with this name, or the first encounters of a
/// tournament whose later rounds depend on results.
pub fn spec(name: &str, task: MatchTask) -> RunSpec {
    let names: Vec<&str> = task.engines.iter().map(|engine| engine.name.as_str()).collect();
    let title = names.join(" – ");
    if task.schedule().result_rounds().is_some() {
        let parts = tournament::first_round(&task);
        return RunSpec { title, parts, tournament: Some(Box::new(task)), ..RunSpec::default() };
    }
    let parts = vec![Part::without_labels(name.to_owned(), Task::Match(task))];
    RunSpec { title, parts, ..RunSpec::default() }
}

/// The games of such a specification.
///
/// # Errors
/// If it has other tasks.
pub fn task(spec: &RunSpec) -> Result<&MatchTask, NotOneMatch> {
    match (&spec.tournament, &spec.parts[..]) {
        (Some(task), _) => Ok(task),
        (None, [Part { task: Task::Match(task), .. }]) => Ok(task),
        (None, [Part { task: Task::Suite(_), .. }]) => Err(NotOneMatch::Suite),
        (None, _) => Err(NotOneMatch::Several),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_games::opening::Opening;
    use threefold_games::pairing::TournamentFormat;

    #[test]
    fn games_of_a_specification_are_those_it_was_made_of() {
        let engines = ["a", "b", "c"].map(|name| format!("{name},name={name}").parse().expect("sound"));
        for format in [TournamentFormat::RoundRobin, TournamentFormat::Knockout, TournamentFormat::Swiss] {
            let openings = vec![Opening::start_position()];
            let games = MatchTask { format, ..MatchTask::new(engines.to_vec(), openings, 3) };
            let mut spec = spec("match", games.clone());
            assert_eq!((task(&spec), spec.title.as_str()), (Ok(&games), "a – b – c"));
            spec.tournament = None;
            spec.parts.extend(spec.parts.clone());
            assert_eq!(task(&spec), Err(NotOneMatch::Several));
        }
    }
}
