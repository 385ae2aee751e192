//! Coupled pairs: how far the two games of a pair are the same game, and where they part.
//!
//! At fixed nodes or on virtual clocks two versions of an engine play the same game until they choose
//! different moves. A change that acts rarely leaves most pairs equal, so a pair's result varies little, and
//! few games show what independent pairs would need many for. The first differences show what the change does.

use serde_json::{Value, json};

use crate::model::position_fen::fen;
use threefold_chess::position::GamePosition;
use threefold_games::game::MoveRecord;
use threefold_stats::GameResult;

/// The most differences that a report shows.
pub(crate) const MOST_DIFFERENCES: usize = 50;

/// The pairs of a match of two engines that search alike in every run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Coupling {
    /// The complete pairs.
    pub pairs: usize,
    /// The pairs whose games are the same.
    pub same: usize,
    /// The pairs with the same moves, of which one game ended earlier or with another outcome.
    pub other_end: usize,
    /// Moves of both sides before the first difference, over all pairs that part.
    pub plies_before: usize,
    /// Moves of both sides in the games of these pairs, on average of the two games.
    pub plies: f64,
    /// The first differences, those with the largest swing first; at most 50.
    pub differences: Vec<PairDifference>,
}

/// The position in which the games of a pair part.
#[derive(Debug, Clone, PartialEq)]
pub struct PairDifference {
    /// The number of the pair's first game.
    pub game: usize,
    /// The moves of both sides between the opening and the position.
    pub ply: usize,
    /// The position with its history.
    pub position: GamePosition,
    /// What the first engine did, then the second.
    pub choices: [Choice; 2],
}

/// What an engine did in a position, and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Its move, with its score and depth.
    pub played: MoveRecord,
    /// The result of its game, for the engine.
    pub result: GameResult,
}

impl Coupling {
    /// The pairs that part.
    pub const fn parted(&self) -> usize {
        self.pairs - self.same - self.other_end
    }

    /// Adds the difference of a pair. Only those with the largest swing are kept.
    pub fn add(&mut self, difference: PairDifference, plies: f64) {
        self.plies_before += difference.ply;
        self.plies += plies;
        // The number of the game makes keys unique, so the list does not depend on the order of additions.
        let key = |it: &PairDifference| (std::cmp::Reverse(it.swing().unsigned_abs()), it.game);
        let at = self.differences.partition_point(|known| key(known) <= key(&difference));
        self.differences.insert(at, difference);
        self.differences.truncate(MOST_DIFFERENCES);
    }

    /// Its object in `report.json`.
    pub(crate) fn json(&self, engines: [&str; 2], ratio: Option<f64>) -> Value {
        let differences: Vec<Value> = self.differences.iter().map(|it| it.json(engines)).collect();
        let parted = self.parted();
        json!({
            "pairs": self.pairs, "same": self.same, "other_end": self.other_end, "parted": parted,
            "mean_ply": (parted > 0).then(|| self.plies_before as f64 / parted as f64),
            "variance_ratio": ratio, "differences": differences,
        })
    }
}

impl PairDifference {
    /// Points of the first engine's choice minus those of the second's, in half points.
    pub const fn swing(&self) -> isize {
        let [ours, theirs] = &self.choices;
        ours.result.half_points().cast_signed() - theirs.result.half_points().cast_signed()
    }

    fn json(&self, engines: [&str; 2]) -> Value {
        let choices = self.choices.iter().zip(engines).map(|(Choice { played, result }, engine)| {
            json!({
                "engine": engine, "move": played.mv.to_string(), "score": played.score.map(|score| score.to_string()),
                "depth": played.depth.0, "nodes": played.nodes, "points": result.half_points() as f64 / 2.0,
            })
        });
        json!({
            "games": [self.game, self.game + 1], "ply": self.ply, "fen": fen(&self.position),
            "choices": choices.collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn difference(game: usize, results: [GameResult; 2]) -> PairDifference {
        let choice = |mv: &str, result| Choice { played: MoveRecord::new(mv.parse().expect(mv)), result };
        PairDifference {
            game,
            ply: 10,
            position: "fen 4k3/8/8/8/8/8/8/R3K3 b - - 0 12 moves e8e7".parse().expect("a position"),
            choices: [choice("a1a7", results[0]), choice("e1d1", results[1])],
        }
    }

    #[test]
    fn largest_swing_comes_first() {
        use GameResult::{Draw, Loss, Win};
        let mut coupling = Coupling::default();
        for (game, results) in [(1, [Draw, Draw]), (3, [Win, Draw]), (5, [Loss, Win]), (7, [Win, Loss])] {
            coupling.add(difference(game, results), 40.0);
        }
        let order: Vec<(usize, isize)> =
            coupling.differences.iter().map(|it| (it.game, it.swing())).collect();
        assert_eq!(order, [(5, -2), (7, 2), (3, 1), (1, 0)]);
        for game in 0..MOST_DIFFERENCES {
            coupling.add(difference(9 + 2 * game, [Draw, Draw]), 40.0);
        }
        assert_eq!((coupling.differences.len(), coupling.differences[0].game), (MOST_DIFFERENCES, 5));
    }
}
