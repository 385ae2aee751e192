//! The families of a match's openings.

use super::played::{Scheduled, result};
use crate::model::families::OpeningFamilies;
use threefold_chess::position::GamePosition;
use threefold_games::opening::Opening;
use threefold_games::pairing::EncounterLength;
use threefold_run::distinct_pairs::{DistinctPairs, PairCounting, PlayedGame};
use threefold_run::job::MatchTask;
use threefold_stats::clusters::ClusteredMean;
use threefold_stats::{GameResult, Trial};

/// Openings with these first moves of both sides in common are of one family.
const PLIES: usize = 6;

/// The pairs that count, or the single games, by the families of their openings. `None` unless two engines played from
/// openings whose first moves are known.
pub(super) fn families(
    task: &MatchTask,
    games: &[Scheduled<'_>],
    counting: PairCounting,
) -> Option<OpeningFamilies> {
    if task.engines.len() != 2 {
        return None;
    }
    let encounter = counting.trials(task.rules.encounter, task.test());
    let mut distinct = DistinctPairs::new(counting, encounter);
    let mut scores = Vec::new();
    for trial in games.chunks(encounter.games()) {
        let played: Option<Vec<PlayedGame>> =
            trial.iter().map(|game| Some(PlayedGame::of_summary(game.1, result(game, 0)?))).collect();
        if let Some(counted) = distinct.add(&played?) {
            let opening = task.openings.get(trial[0].0.opening)?;
            scores.push((family(opening)?, score(counted.results)));
        }
    }
    let are_games = encounter == EncounterLength::Single;
    ClusteredMean::of(scores).map(|scores| OpeningFamilies { are_games, scores })
}

/// The first moves of an opening; `None` if the book does not give them from the beginning of the game.
fn family(opening: &Opening) -> Option<String> {
    let GamePosition { start, moves } = &opening.history;
    // The start of Chess960 varies, so its pieces are counted and not compared with the standard array.
    let is_beginning =
        start.as_setup().board.occupied().count() == 32 && start.as_setup().fullmoves.get() == 1;
    let first = moves.get(..PLIES).filter(|_| is_beginning)?;
    let first: Vec<String> = first.iter().map(ToString::to_string).collect();
    // In Chess960 the same moves from another start are another family.
    Some(format!("{start} {}", first.join(" ")))
}

/// The first engine's share of the points.
fn score(results: Trial) -> f64 {
    let points = |result: GameResult| result.half_points() as f64 / 2.0;
    match results {
        Trial::Pair([first, second]) => f64::midpoint(points(first), points(second)),
        Trial::Game(game) => points(game),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn family_is_the_first_six_moves_of_a_game() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let opening = |start: &str, moves: &str| Opening {
            history: GamePosition::parse(start, moves).expect("sound"),
            eco: None,
            name: None,
        };
        let of = |start: &str, moves: &str| family(&opening(start, moves));
        let line = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6";
        let long = format!("{line} b5a4");
        assert!(of(START, line).is_some());
        assert_eq!(of(START, line), of(START, &long));
        assert_ne!(of(START, line), of(START, "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6"));
        // Short lines, and positions without the moves that led to them.
        assert_eq!(of(START, "e2e4 e7e5"), None);
        assert_eq!(of(START, ""), None);
        assert_eq!(of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e1d1 e8d8 d1c1 d8c8 c1b1 c8b8"), None);
        // Chess960: another start is another family.
        assert_ne!(
            of("nrbqkbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBRN w GBgb - 0 1", "e2e4 e7e5 d2d4 d7d5 c2c4 c7c5"),
            None
        );
    }
}
