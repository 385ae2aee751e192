//! The score that stands for a difference in Elo, in each of the units that tests have.

use super::sprt::{EloModel, Sprt};
use crate::bayeselo::{BayesElo, DrawElo};
use crate::elo::{Logistic, NORMALIZED_SCALE};

/// The scores that stand for a test's hypotheses when games have this variance.
pub fn hypotheses(test: &Sprt, variance_per_game: f64) -> [f64; 2] {
    [test.elo0(), test.elo1()].map(|elo| score(test.model(), elo, variance_per_game))
}

/// The score that stands for a difference in a model's unit when games have this variance.
pub(crate) fn score(model: EloModel, elo: f64, variance_per_game: f64) -> f64 {
    match model {
        EloModel::Logistic => Logistic(elo).score(),
        EloModel::Normalized => 0.5 + elo / NORMALIZED_SCALE * variance_per_game.sqrt(),
        // The games of equals from even openings have this variance if they draw this share.
        EloModel::BayesElo => BayesElo(elo).score(DrawElo::of_draw_ratio(1.0 - 4.0 * variance_per_game)),
    }
}
