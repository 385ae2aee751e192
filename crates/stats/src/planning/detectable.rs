//! What so many games can see, before they are played.
//!
//! Everything follows from the spread of a game's score. In normalized Elo that spread is the unit, so these limits
//! hold for any draw rate; logistic Elo shows what they mean for given openings. At risks of 5 % and a width of W
//! normalized Elo a sequential test takes 8.67 (C/W)² games on average where it takes longest, in the middle, and
//! 5.30 (C/W)² where one of its hypotheses is true; here these factors are computed from the risks. Source:
//! Van den Bergh, "Normalized Elo: practical".

use super::operating_point::of_brownian_motion;
use crate::elo::{NORMALIZED_SCALE, Z95, normal_quantile};
use crate::{Logistic, Normalized, Risks};

/// A difference in both units, for games of one spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Over the spread of a game.
    pub normalized: Normalized,
    /// From an even score.
    pub logistic: Logistic,
}

impl Difference {
    /// What so much normalized Elo is where a game's score has this variance.
    pub fn of_normalized(normalized: Normalized, variance_per_game: f64) -> Self {
        let score = 0.5 + normalized.t_value(1.0) * variance_per_game.sqrt();
        Self { normalized, logistic: Logistic::of_score_clamped(score) }
    }
}

/// The smallest differences that a number of games can see.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DetectableDifferences {
    /// Between the hypotheses of a sequential test that takes so many games on average wherever the truth lies.
    pub sequential_at_worst: Difference,
    /// The same where one of the hypotheses is true.
    pub sequential_at_bounds: Difference,
    /// That a match of this length tells from none with the same risks.
    pub fixed: Difference,
    /// By which its 95 % interval reaches to either side.
    pub fixed_interval: Difference,
}

impl DetectableDifferences {
    /// Of so many games, above 0, whose score has this variance.
    pub fn of(games: f64, risks: Risks, variance_per_game: f64) -> Self {
        let wide = |factor: f64| {
            let width = NORMALIZED_SCALE * (factor / games).sqrt();
            Difference::of_normalized(Normalized(width), variance_per_game)
        };
        // The mean lengths of tests of width C, whose steps have the variance 1. Below the middle h is -1.
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
    fn the_rules_of_thumb() {
        let table = [
            // games, width at worst, at the bounds; a tenth of a per cent of rounding in the rules
            (262_000.0, 2.0, 1.563),
            (41_900.0, 5.0, 3.908),
            (10_470.0, 10.0, 7.82),
        ];
        for (games, at_worst, at_bounds) in table {
            let sight = DetectableDifferences::of(games, Risks::USUAL, 0.08);
            let close = |found: Difference, told: f64| (found.normalized.0 / told - 1.0).abs() < 2e-3;
            assert!(close(sight.sequential_at_worst, at_worst), "{games}: {sight:?}");
            assert!(close(sight.sequential_at_bounds, at_bounds), "{games}: {sight:?}");
        }
    }

    /// ± z · 2C · σ / √G logistic Elo, and (z + z) · 2C · σ / √G.
    #[test]
    fn a_match_of_fixed_length() {
        let (games, variance) = (10_000.0, 0.09_f64);
        let sight = DetectableDifferences::of(games, Risks { alpha: 0.05, beta: 0.1 }, variance);
        let elo = 2.0 * NORMALIZED_SCALE * variance.sqrt() / 100.0;
        assert!((sight.fixed_interval.logistic.0 - 1.959_964 * elo).abs() < 1e-3, "{sight:?}");
        assert!((sight.fixed.logistic.0 - (1.644_854 + 1.281_552) * elo).abs() < 1e-3, "{sight:?}");
    }

    #[test]
    fn a_handful_of_games_sees_no_more_than_is_there() {
        let sight = DetectableDifferences::of(2.0, Risks::USUAL, 0.2);
        assert!(sight.sequential_at_worst.logistic.0 < 1200.0);
    }
}
