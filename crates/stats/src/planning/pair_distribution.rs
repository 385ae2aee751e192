//! Distributions of pairs over the five results, for plans and simulations.
//!
//! Two games of one opening have its bias with opposite signs, so the distribution of a pair is the
//! convolution of two games that Rao and Kupper's model plays at `b + bias` and `b - bias`. Given a draw
//! ratio and a bias between equal players, the model's parameters are in closed form, and the variance of a
//! pair is exactly [`Openings::variance_per_game`].
//!
//! A distribution is moved to another mean by the exponential tilt that minimises the divergence
//! ([`secular`]). Source: Van den Bergh, "MLE of a multinomial distribution with known mean".

use super::operating_point::Openings;
use crate::bayeselo::{BayesElo, DrawElo};
use crate::elo::Logistic;
use crate::root_finding::{decreasing_crossing, secular};
use crate::sample::Sample;
use threefold_named_enum::named_enum;

/// The probabilities of a pair's five results, worst first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairDistribution {
    sample: Sample<5>,
}

impl PairDistribution {
    /// A distribution proportional to finite weights that are not negative and not all zero; `None` for
    /// others.
    pub fn new(weights: [f64; 5]) -> Option<Self> {
        let sample = Sample::from_weights(weights)?;
        // Normalised twice, so that the sum is 1 to the last digit.
        Sample::from_weights(*sample.probabilities()).map(|sample| Self { sample })
    }

    /// Pairs with these openings between players with the difference `truth`. Draw ratio and bias are those
    /// between equal players; draws are rarer otherwise. `None` if they leave no room for a win or a loss.
    pub fn of_openings(openings: Openings, truth: Logistic) -> Option<Self> {
        let (favoured, half_draws) = (openings.bias.score(), openings.draw_ratio / 2.0);
        let (win, loss) = (favoured - half_draws, 1.0 - favoured - half_draws);
        // NaN fails a comparison, so it is refused here as well.
        if !(win > 0.0 && loss > 0.0 && openings.draw_ratio >= 0.0 && truth.0.is_finite()) {
            return None;
        }
        let (bias, draws) = BayesElo::from_probabilities([loss, openings.draw_ratio, win])?;
        let pair = |elo: f64| Self::of_games(elo, bias, draws);
        // The mean increases with the difference, no slower than the bracket assumes.
        let wanted = truth.score();
        let reach = REACH + 2.0 * truth.0.abs() + 2.0 * (bias.0.abs() + draws.0.abs());
        Some(pair(decreasing_crossing(-reach, reach, |elo| wanted - pair(elo).mean())))
    }

    /// Two independent games, with the bias of opposite signs.
    fn of_games(elo: f64, bias: BayesElo, draws: DrawElo) -> Self {
        let with = BayesElo(elo + bias.0).probabilities(draws);
        let against = BayesElo(elo - bias.0).probabilities(draws);
        let mut weights = [0.0; 5];
        for (first, p) in with.into_iter().enumerate() {
            for (second, q) in against.into_iter().enumerate() {
                // The draw probability is a difference of nearly equal numbers; rounding must not make it
                // negative.
                weights[first + second] += (p * q).max(0.0);
            }
        }
        Self::new(weights).expect("chances of games add up to 1")
    }

    /// The distribution with this mean score that is closest to this one. `None` if its results cannot have
    /// it.
    pub fn with_mean(&self, mean: f64) -> Option<Self> {
        let mut centred = Sample::<5>::scores().map(|score| score - mean);
        // Classes with probability 0 must not enter the search.
        centred
            .iter_mut()
            .zip(self.chances())
            .filter(|(_, chance)| **chance <= 0.0)
            .for_each(|(phi, _)| *phi = 0.0);
        let denominators = secular(self.chances(), &centred)?;
        let mut weights = *self.chances();
        weights.iter_mut().zip(denominators).for_each(|(weight, denominator)| *weight /= denominator);
        Self::new(weights)
    }

    /// The distribution from the opponent's side.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut weights = *self.chances();
        weights.reverse();
        Self::new(weights).expect("a reversed distribution is a distribution")
    }

    /// The probabilities, worst result first; their sum is 1.
    pub const fn chances(&self) -> &[f64; 5] {
        self.sample.probabilities()
    }

    /// The mean score, from 0 to 1.
    pub fn mean(&self) -> f64 {
        self.sample.mean()
    }

    /// The variance of a pair's score.
    pub fn variance(&self) -> f64 {
        self.sample.variance()
    }
}

/// Search limit beyond twice the requested difference, in BayesElo.
const REACH: f64 = 1000.0;

named_enum! {
    /// Reference distributions for tests, each to be tilted to a test's hypothesis.
    pub enum ReferencePairs {
        /// Balanced openings between equal engines.
        Typical = "typical",
        /// Half of the pairs are won or lost 2-0.
        Bimodal = "bimodal",
        /// 98 % level pairs.
        Drawish = "drawish",
        /// Narrow wins, and rarer losses of all sizes without any 2-0 win.
        Skewed = "skewed",
        /// Narrow wins only, and rare 0-2 losses.
        Lopsided = "lopsided",
    }
}

impl ReferencePairs {
    /// The distribution before tilting.
    pub fn distribution(self) -> PairDistribution {
        let weights = match self {
            Self::Typical => [0.02, 0.21, 0.54, 0.21, 0.02],
            Self::Bimodal => [0.25, 0.10, 0.30, 0.10, 0.25],
            Self::Drawish => [0.0005, 0.0095, 0.98, 0.0095, 0.0005],
            Self::Skewed => [0.005, 0.025, 0.92, 0.05, 0.0],
            Self::Lopsided => [0.01, 0.0, 0.90, 0.09, 0.0],
        };
        PairDistribution::new(weights).expect("the weights above are sound")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pair_distribution_has_the_planned_variance() {
        for (draw_ratio, bias) in [(0.0, 0.0), (0.6, 0.0), (0.6, 100.0), (0.9, 20.0), (0.3, 250.0)] {
            let openings = Openings { draw_ratio, bias: Logistic(bias) };
            let distribution =
                PairDistribution::of_openings(openings, Logistic(0.0)).expect("there are such games");
            let variance = openings.variance_per_game().expect("there are such games");
            assert!(
                (2.0 * distribution.variance() - variance).abs() < 1e-12,
                "{openings:?}: {distribution:?}"
            );
            for elo in [-300.0, -5.0, 0.0, 30.0, 600.0] {
                let distribution =
                    PairDistribution::of_openings(openings, Logistic(elo)).expect("there are such games");
                assert!((distribution.mean() - Logistic(elo).score()).abs() < 1e-12, "{elo} in {openings:?}");
            }
        }
    }

    #[test]
    fn openings_without_a_win_or_a_loss_have_no_distribution() {
        let table = [(1.0, 0.0), (0.8, 100.0), (f64::NAN, 0.0), (-0.1, 0.0), (0.5, f64::INFINITY)];
        for (draw_ratio, bias) in table {
            let openings = Openings { draw_ratio, bias: Logistic(bias) };
            assert_eq!(PairDistribution::of_openings(openings, Logistic(0.0)), None, "{openings:?}");
        }
    }

    #[test]
    fn reference_pairs_can_be_tilted_to_a_hypothesis() {
        for &reference in ReferencePairs::ALL {
            for mean in [0.45, 0.5, 0.53] {
                let tilted = reference.distribution().with_mean(mean).expect("losses and wins occur");
                assert!((tilted.mean() - mean).abs() < 1e-12, "{reference}: {tilted:?}");
                let mirrored =
                    reference.distribution().reversed().with_mean(1.0 - mean).expect("losses and wins occur");
                assert!(
                    mirrored
                        .chances()
                        .iter()
                        .zip(tilted.reversed().chances())
                        .all(|(a, b)| (a - b).abs() < 1e-12)
                );
            }
        }
        assert_eq!(
            PairDistribution::new([0.0, 0.0, 1.0, 1.0, 0.0])
                .and_then(|distribution| distribution.with_mean(0.4)),
            None
        );
    }
}
