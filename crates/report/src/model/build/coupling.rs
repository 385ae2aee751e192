//! Reads how far the games of pairs are the same, from the journal.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use crate::model::coupling::{Choice, Coupling, PairDifference};
use crate::model::report::Report;
use threefold_chess::position::GamePosition;
use threefold_games::game::{GameOutcome, GameRecord};
use threefold_games::pair_difference::PairCourse;
use threefold_games::pairing::{EncounterLength, ScheduledGame};
use threefold_run::job::{MatchTask, Purpose, Task};
use threefold_run::{RecordedGame, RunRecord};
use threefold_stats::GameResult;

impl Report {
    /// Compares the games of each pair, in the matches whose engines search alike in every run.
    pub(crate) fn read_coupling(&mut self, run: &RunRecord) -> io::Result<()> {
        let parts = &run.spec().parts;
        let has_pair = |name: &str| self.matches.iter().any(|part| part.name == name && part.games.len() > 1);
        let coupled = parts.iter().enumerate().filter(|(_, part)| match &part.task {
            Task::Match(task) => has_coupled_pairs(task) && has_pair(&part.name),
            Task::Suite(_) => false,
        });
        let mut found: BTreeMap<usize, Coupling> =
            coupled.map(|(part, _)| (part, Coupling::default())).collect();
        // Without coupled pairs the journal need not be read again.
        if found.is_empty() {
            return Ok(());
        }
        let wanted: BTreeSet<usize> = found.keys().copied().collect();
        let mut before: Option<(usize, ScheduledGame, GameRecord)> = None;
        run.game_reader().read_some(
            &|key| wanted.contains(&key.part),
            &mut |RecordedGame { part, scheduled, game, .. }| {
                // The games come in the order of the schedule, so the first of a pair is right before the second.
                match before.take() {
                    Some((part_before, first, game_before))
                        if (part_before, first.index / 2) == (part, scheduled.index / 2) =>
                    {
                        if let Some(coupling) = found.get_mut(&part) {
                            count(coupling, &[(first, game_before), (scheduled, game)]);
                        }
                    }
                    _ => before = Some((part, scheduled, game)),
                }
                Ok(())
            },
        )?;
        for (part, coupling) in found {
            let name = &parts[part].name;
            if let Some(part) = self.matches.iter_mut().find(|part| part.name == *name) {
                part.coupling = (coupling.pairs > 0).then_some(coupling);
            }
        }
        Ok(())
    }
}

/// Do two engines play pairs that are the same game until they choose different moves?
fn has_coupled_pairs(task: &MatchTask) -> bool {
    task.engines.len() == 2
        && task.rules.encounter == EncounterLength::Pair
        && task.rules.cutechess.is_none()
        && !task.is_on_wall_clocks()
        && matches!(task.purpose, Purpose::Match | Purpose::Test(_))
}

fn count(coupling: &mut Coupling, games: &[(ScheduledGame, GameRecord); 2]) {
    let [(first_place, first), (_, second)] = games;
    let Some(course) = PairCourse::of_games(first, second) else { return };
    coupling.pairs += 1;
    match course {
        PairCourse::Same => coupling.same += 1,
        PairCourse::OtherEnd => coupling.other_end += 1,
        PairCourse::Different(found) => {
            // The first engine plays White in one game and Black in the other.
            let is_ours = (first_place.white == 0) == is_white_to_move(&found.position);
            let choice = |of: usize| Choice {
                played: found.moves[of].clone(),
                result: result(games[of].1.outcome, &found.position),
            };
            let [ours, theirs] = if is_ours { [0, 1] } else { [1, 0] };
            let plies = f64::midpoint(first.played.len() as f64, second.played.len() as f64);
            let difference = PairDifference {
                game: first_place.index + 1,
                ply: found.ply,
                choices: [choice(ours), choice(theirs)],
                position: found.position,
            };
            coupling.add(difference, plies);
        }
    }
}

fn is_white_to_move(position: &GamePosition) -> bool {
    position.start.as_setup().turn.is_white() == position.moves.len().is_multiple_of(2)
}

/// The result of a game for the side to move in a position of it.
fn result(outcome: GameOutcome, position: &GamePosition) -> GameResult {
    match (outcome.winner(), is_white_to_move(position)) {
        (None, _) => GameResult::Draw,
        (Some(winner), is_white) if winner.is_white() == is_white => GameResult::Win,
        (Some(_), _) => GameResult::Loss,
    }
}
