//! Probability of passing and expected length of a test at a true difference.
//!
//! The log-likelihood ratio is approximated by a Brownian motion between the two bounds. Source: fishtest's
//! `sprt.js`; here the limit of no drift is a series, where the script loses digits to cancellation.

use crate::elo::Logistic;
use crate::sequential::expected_scores;
use crate::{Bounds, Sprt};

/// Properties of games from the chosen openings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Openings {
    /// The share of drawn games, from 0 to 1.
    pub draw_ratio: f64,
    /// The RMS advantage of an opening.
    pub bias: Logistic,
}

/// A test's behaviour at one true difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OperatingPoint {
    /// The probability of accepting H1.
    pub pass: f64,
    /// The expected number of games, two per pair.
    pub games: f64,
}

/// How many games a test is expected to take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedLength {
    /// If one of its hypotheses is true, the longer of the two.
    pub at_hypotheses: f64,
    /// At the difference between the hypotheses where it takes longest.
    pub at_worst: f64,
    /// The difference of `at_worst`, in the unit of the hypotheses.
    pub worst: f64,
}

impl Openings {
    /// The variance of a game's score in pairs with colours swapped; `None` if no such games exist.
    pub fn variance_per_game(self) -> Option<f64> {
        let variance = (1.0 - self.draw_ratio) / 4.0 - (self.bias.score() - 0.5).powi(2);
        (variance > 0.0).then_some(variance)
    }
}

/// The behaviour of `test` if the true difference is `truth`. `None` if no such games exist.
pub fn operating_point(test: &Sprt, openings: Openings, truth: Logistic) -> Option<OperatingPoint> {
    let variance = openings.variance_per_game()?;
    let [s0, s1] = expected_scores(test.hypotheses(), variance);
    let drift_in_steps = (2.0 * truth.score() - s0 - s1) / (s1 - s0);
    let step_variance = (s1 - s0).powi(2) / variance;
    Some(of_brownian_motion(drift_in_steps, step_variance, test.bounds()))
}

/// The behaviour of a Brownian motion between two bounds with drift h/2 per unit of variance; `variance` is
/// that of one game's step.
pub(super) fn of_brownian_motion(h: f64, variance: f64, bounds: Bounds) -> OperatingPoint {
    let Bounds { lower, upper } = bounds;
    let pass = pass_probability(h, bounds);
    // E = 2 (B P + A (1 - P)) / (h w²). Near h = 0 numerator and denominator vanish together.
    let games = if (h * (upper - lower)).abs() < NO_DRIFT {
        -lower * upper * (1.0 + h * (upper + lower) / 6.0) / variance
    } else {
        2.0 * (upper * pass + lower * (1.0 - pass)) / (h * variance)
    };
    OperatingPoint { pass, games }
}

/// Below this the exponentials are replaced by their series.
const NO_DRIFT: f64 = 1e-4;

/// The probability that Brownian motion with drift h/2 per unit of variance ends at the upper bound.
fn pass_probability(h: f64, Bounds { lower, upper }: Bounds) -> f64 {
    let width = upper - lower;
    if (h * width).abs() < NO_DRIFT {
        // (1 - e^(-hA)) / (e^(-hB) - e^(-hA)) to first order in h.
        return -lower / width * (1.0 + h * upper / 2.0);
    }
    // Scaled by the larger exponential, so that none overflows.
    if h > 0.0 {
        (h * lower).exp_m1() / (-h * width).exp_m1()
    } else {
        (h * upper).exp() * (-h * lower).exp_m1() / (h * width).exp_m1()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EloModel;
    use crate::Risks;

    const OPENINGS: Openings = Openings { draw_ratio: 0.5, bias: Logistic(100.0) };

    #[test]
    fn operating_point_errs_at_nominal_rates() {
        for &model in EloModel::ALL {
            let test = Sprt::new(model, -1.0, 4.0, Risks { alpha: 0.05, beta: 0.1 }).expect("a sound test");
            let variance = OPENINGS.variance_per_game().expect("there are such games");
            let [null, alternative] = expected_scores(test.hypotheses(), variance).map(|score| {
                operating_point(&test, OPENINGS, Logistic::of_score(score)).expect("there are such games")
            });
            assert!((null.pass - 0.05).abs() < 1e-9 && (alternative.pass - 0.9).abs() < 1e-9, "{model}");
        }
    }

    #[test]
    fn operating_point_series_agrees_with_the_formula() {
        let test =
            Sprt::new(EloModel::Logistic, 0.0, 2.0, Risks { alpha: 0.05, beta: 0.1 }).expect("a sound test");
        let at = |elo| operating_point(&test, OPENINGS, Logistic(elo)).expect("there are such games");
        // |h (B - A)| passes 1e-4 about 2e-5 Elo from the middle.
        for side in [-1.0, 1.0] {
            let (inside, outside) = (at(1.0 + side * 1.5e-5), at(1.0 + side * 2.5e-5));
            assert!((inside.pass - outside.pass).abs() < 1e-4, "{inside:?} {outside:?}");
            assert!((inside.games / outside.games - 1.0).abs() < 1e-5, "{inside:?} {outside:?}");
        }
    }

    #[test]
    fn openings_with_impossible_bias_have_no_variance() {
        assert_eq!(Openings { draw_ratio: 0.9, bias: Logistic(400.0) }.variance_per_game(), None);
    }
}
