//! The smallest differences that a number of games can detect.
//!
//! They depend on the standard deviation of a game's score, which is the unit of normalized Elo; these limits
//! therefore hold for any draw rate, and logistic Elo shows them for given openings. At error probabilities
//! of 5 % and a width of W normalized Elo a sequential test takes 8.67 (C/W)² games on average in the worst
//! case, midway between the hypotheses, and 5.30 (C/W)² where a hypothesis is true. Here the factors are
//! computed from the error probabilities. Source: Van den Bergh, "Normalized Elo: practical".

use super::operating_point::of_brownian_motion;
use crate::elo::{NORMALIZED_SCALE, Z95, normal_quantile};
use crate::{Logistic, Normalized, Risks};

/// A difference in both units, for one variance of a game's score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloDifference {
    /// In normalized Elo.
    pub normalized: Normalized,
    /// In logistic Elo.
    pub logistic: Logistic,
}

impl EloDifference {
    /// Converts normalized Elo at this variance of a game's score.
    pub fn of_normalized(normalized: Normalized, variance_per_game: f64) -> Self {
        let score = 0.5 + normalized.t_value(1.0) * variance_per_game.sqrt();
        Self { normalized, logistic: Logistic::of_score_clamped(score) }
    }
}

/// The smallest differences that a number of games can see.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DetectableDifferences {
    /// The width of a sequential test whose expected length is at most this number of games at any true
    /// difference.
    pub sequential_at_worst: EloDifference,
    /// The width of a sequential test whose expected length is at most this number of games if one of its
    /// hypotheses is true.
    pub sequential_at_bounds: EloDifference,
    /// The difference that a match of this fixed length distinguishes from 0 with the same error
    /// probabilities.
    pub fixed: EloDifference,
    /// The half-width of its 95 % interval.
    pub fixed_interval: EloDifference,
}

impl DetectableDifferences {
    /// For a number of games, above 0, whose score has this variance.
    pub fn with_games(games: f64, risks: Risks, variance_per_game: f64) -> Self {
        let wide = |factor: f64| {
            let width = NORMALIZED_SCALE * (factor / games).sqrt();
            EloDifference::of_normalized(Normalized(width), variance_per_game)
        };
        // Expected lengths of tests of width C, whose steps have variance 1. Below the middle h is -1.
        let games_at = |h: f64| of_brownian_motion(h, 1.0, risks.bounds()).games;
        let quantiles = normal_quantile(1.0 - risks.alpha) + normal_quantile(1.0 - risks.beta);
        Self {
            sequential_at_worst: wide(games_at(0.0)),
            sequential_at_bounds: wide(games_at(-1.0).max(games_at(1.0))),
            fixed: wide(quantiles * quantiles),
            fixed_interval: wide(Z95 * Z95),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detectable_differences_match_the_rules_of_thumb() {
        let table = [
            // games, width in the worst case, at the hypotheses; the rules of thumb are rounded to 0.1 %
            (262_000.0, 2.0, 1.563),
            (41_900.0, 5.0, 3.908),
            (10_470.0, 10.0, 7.82),
        ];
        for (games, at_worst, at_bounds) in table {
            let sight = DetectableDifferences::with_games(games, Risks::USUAL, 0.08);
            let close =
                |found: EloDifference, reported: f64| (found.normalized.0 / reported - 1.0).abs() < 2e-3;
            assert!(close(sight.sequential_at_worst, at_worst), "{games}: {sight:?}");
            assert!(close(sight.sequential_at_bounds, at_bounds), "{games}: {sight:?}");
        }
    }

    /// ± z · 2C · σ / √G logistic Elo, and (z + z) · 2C · σ / √G.
    #[test]
    fn detectable_difference_of_a_fixed_match() {
        let (games, variance) = (10_000.0, 0.09_f64);
        let sight = DetectableDifferences::with_games(games, Risks { alpha: 0.05, beta: 0.1 }, variance);
        let elo = 2.0 * NORMALIZED_SCALE * variance.sqrt() / 100.0;
        assert!((sight.fixed_interval.logistic.0 - 1.959_964 * elo).abs() < 1e-3, "{sight:?}");
        assert!((sight.fixed.logistic.0 - (1.644_854 + 1.281_552) * elo).abs() < 1e-3, "{sight:?}");
    }

    #[test]
    fn detectable_differences_of_few_games_are_finite() {
        let sight = DetectableDifferences::with_games(2.0, Risks::USUAL, 0.2);
        assert!(sight.sequential_at_worst.logistic.0 < 1200.0);
    }
}
