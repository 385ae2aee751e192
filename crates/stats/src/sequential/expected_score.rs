//! Expected scores of Elo differences, in each unit of a test.

use super::hypotheses::{EloHypotheses, EloModel};
use crate::bayeselo::{BayesElo, DrawElo};
use crate::elo::{Logistic, NORMALIZED_SCALE};

/// The expected scores under two hypotheses if a game's score has this variance.
pub fn expected_scores(test: &EloHypotheses, variance_per_game: f64) -> [f64; 2] {
    [test.elo0(), test.elo1()].map(|elo| score(test.model(), elo, variance_per_game))
}

/// The expected score at a difference in a model's unit if a game's score has this variance.
pub(crate) fn score(model: EloModel, elo: f64, variance_per_game: f64) -> f64 {
    match model {
        EloModel::Logistic => Logistic(elo).score(),
        EloModel::Normalized => 0.5 + elo / NORMALIZED_SCALE * variance_per_game.sqrt(),
        // Equal players with even openings have this variance at this draw rate.
        EloModel::BayesElo => BayesElo(elo).score(DrawElo::of_draw_ratio(1.0 - 4.0 * variance_per_game)),
    }
}
