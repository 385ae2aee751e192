//! A tournament whose later rounds depend on results. The parts of its run are the known encounters, round
//! after round.
//!
//! When all encounters of a round are over, [`next_round`] adds those of the next one to the specification. It
//! depends on the results that count alone, so a run that is interrupted between two rounds goes on like one
//! that is not.
//!
//! All encounters of a round have the same openings, so that openings favour none. The next round goes on in
//! the book where the longest encounter of the round ended.

use super::encounter::EncounterState;
use super::job::{MatchTask, Part, RunSpec, Task};
use super::labels::Labels;
use super::run_record::RunRecord;
use super::{knockout, swiss};
use threefold_games::knockout::MOST_EXTRA_PAIRS;
use threefold_games::pairing::{ScheduleRules, TournamentFormat};

/// The label of an encounter: its round, from 1.
pub const ROUND_LABEL: &str = "tournament round";

/// An encounter of a round, from 0.
struct Meeting {
    round: usize,
    /// Places of the tournament's engines; the one that is named first comes first.
    players: [usize; 2],
}

/// The encounters of the first round.
pub fn first_round(games: &MatchTask) -> Vec<Part> {
    parts(games, &meetings(games, &[], &[]), &[])
}

/// The specification with the encounters of the next round; `None` if the run is no such tournament, if
/// encounters are not over yet, or if the tournament is.
pub fn next_round(run: &RunRecord) -> Option<RunSpec> {
    let spec = run.spec();
    let games = spec.tournament.as_ref()?;
    let encounters = run.encounters();
    let added = parts(games, &meetings(games, &spec.parts, &encounters), &encounters);
    (!added.is_empty()).then(|| RunSpec { parts: [spec.parts.clone(), added].concat(), ..spec.clone() })
}

/// The encounters of the known rounds, and of the next one if all others are over.
fn meetings(games: &MatchTask, known: &[Part], states: &[EncounterState]) -> Vec<Meeting> {
    let meetings = match games.format {
        TournamentFormat::Knockout => knockout::bracket(games.engines.len(), states).encounters().collect(),
        TournamentFormat::Swiss => swiss::meetings(games, known, states),
        TournamentFormat::RoundRobin | TournamentFormat::Gauntlet | TournamentFormat::Pyramid => Vec::new(),
    };
    meetings.into_iter().map(|(round, players)| Meeting { round, players }).collect()
}

/// The encounters that have no part yet.
fn parts(games: &MatchTask, meetings: &[Meeting], known: &[EncounterState]) -> Vec<Part> {
    let unit = games.rules.encounter.games();
    // No entry for the last round, since no round follows it yet.
    let mut longest = vec![0; meetings.last().map_or(0, |last| last.round)];
    for (meeting, state) in meetings.iter().zip(known) {
        if let Some(longest) = longest.get_mut(meeting.round) {
            *longest = state.games.div_ceil(unit).max(*longest);
        }
    }
    let added = meetings.iter().skip(known.len());
    added
        .map(|&Meeting { round, players }| {
            let task = encounter(games, players, longest[..round].iter().sum());
            let [one, other] = &task.engines[..] else { unreachable!("an encounter has two engines") };
            let name = format!("round {}: {} vs {}", round + 1, one.name, other.name);
            Part { name, labels: Labels::NONE.with(ROUND_LABEL, round + 1), task: Task::Match(task) }
        })
        .collect()
}

/// The games of an encounter, from an opening on.
fn encounter(games: &MatchTask, players: [usize; 2], first_opening: usize) -> MatchTask {
    let size = games.openings.len();
    // The remainder, since `skip` on a cycle steps over each opening.
    let openings = games.openings.iter().cycle().skip(first_opening % size.max(1));
    // An encounter of a Swiss tournament is a match: it has all its games, whatever their results.
    let (format, extra) = match games.format {
        TournamentFormat::Swiss => (TournamentFormat::RoundRobin, 0),
        format => (format, MOST_EXTRA_PAIRS),
    };
    MatchTask {
        engines: players.map(|player| games.engines[player].clone()).into(),
        openings: openings.take(size.min(games.encounters + extra)).cloned().collect(),
        format,
        rules: ScheduleRules { rounds: None, ..games.rules },
        ..games.clone()
    }
}
