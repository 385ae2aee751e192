//! Several takes against one base: which take plays the next games?
//!
//! A take is a version of an engine. Each take has its own sequential test against the same base. The games go
//! to the take that wins a Thompson draw: a random number from the posterior of each take's difference. So a
//! take that looks good gets most of the games, and one that looks bad still gets some.
//!
//! With n trials (pairs or single games), standardised results x, and the middle m of the test's hypotheses in
//! the same unit (t-values), let S = Σ (x - m). The prior of a take's difference above the middle is normal
//! with mean 0 and deviation τ, the distance between the hypotheses. Its posterior is normal with mean S/(n +
//! 1/τ²) and variance 1/(n + 1/τ²). A draw has half of that variance. Source: W. R. Thompson,
//! Biometrika 25 (1933); `docs/src/statistics.md` has the figures.
//!
//! A draw depends on earlier results, the seed and the number of the batch alone, never on the result that it
//! asks for. So the error rates of each test hold whatever the draws are (Ville's inequality).

pub mod schedule;

pub use schedule::{BatchRule, TakeBatch, TakeSchedule};

use std::f64::consts::{FRAC_1_SQRT_2, TAU};
use std::num::NonZeroU32;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use threefold_named_enum::named_enum;

use crate::pentanomial::ResultCounts;
use crate::sample::Sample;
use crate::scoresheet::Scoresheet;
use crate::sequential::{EloHypotheses, Risks, TrialUnit, expected_scores};

named_enum! {
    /// The error probability under H0 that a run of several takes guarantees.
    pub enum Guarantee {
        /// At most alpha that any take passes for which H0 is true: each of K tests has the level alpha / K.
        Family = "family",
        /// At most alpha for each take, so that the chance that some take passes by error grows with K.
        Each = "each",
    }
}

named_enum! {
    /// When a run of several takes ends.
    pub enum TakesEnd {
        /// When a take passes, or no take is left.
        FirstPass = "first",
        /// When every test is decided.
        AllDecided = "all",
    }
}

impl Guarantee {
    /// The error probabilities of each of `takes` tests.
    #[must_use]
    pub fn risks(self, asked: Risks, takes: NonZeroU32) -> Risks {
        match self {
            Self::Family => Risks { alpha: asked.alpha / f64::from(takes.get()), ..asked },
            Self::Each => asked,
        }
    }
}

/// The posterior of a take's difference above the middle of its hypotheses, in t-values of a trial: normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TakePosterior {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
}

/// The deviation of a draw, relative to that of the posterior. With 1, Thompson's rule, up to 14 % more games are played until a
/// take passes. Narrower draws save more, but then a worse take passes more often.
pub(crate) const DRAW_WIDTH: f64 = FRAC_1_SQRT_2;

/// The assumed variance of a game's score, and its weight in trials: the variance of few results is not
/// known. 0.1 is that of 60 % draws.
const ASSUMED_VARIANCE: (f64, f64) = (0.1, 20.0);

impl TakePosterior {
    /// After these results of a test that counts pairs or single games.
    pub fn new(hypotheses: &EloHypotheses, counts: TrialUnit, results: &Scoresheet) -> Self {
        match counts {
            TrialUnit::Pairs => Self::of_counts(hypotheses, results.pairs()),
            TrialUnit::Games => Self::of_counts(hypotheses, results.games()),
        }
    }

    /// After these trials.
    pub fn of_counts<const K: usize>(hypotheses: &EloHypotheses, results: &ResultCounts<K>) -> Self {
        let trials = results.trials() as f64;
        let (mean, variance) = Sample::raw(results)
            .map_or((0.5, 0.0), |sample| (sample.mean(), sample.variance() * Sample::<K>::GAMES_PER_TRIAL));
        let (assumed, weight) = ASSUMED_VARIANCE;
        let per_game = (trials * variance + weight * assumed) / (trials + weight);
        let scale = (per_game / Sample::<K>::GAMES_PER_TRIAL).sqrt();
        let [lower, upper] = expected_scores(hypotheses, per_game);
        let width = (upper - lower) / scale;
        let excess = trials * (mean - f64::midpoint(lower, upper)) / scale;
        let precision = trials + width.powi(-2);
        Self { mean: excess / precision, deviation: precision.sqrt().recip() }
    }

    /// A draw, from a random number of the standard normal distribution.
    fn draw(self, standard: f64) -> f64 {
        self.mean + DRAW_WIDTH * self.deviation * standard
    }
}

/// The take with the largest draw. A take that is out has no posterior. `None` if all are out.
///
/// Each batch has its own stream of the seed, and each take its place in it, so a take that leaves changes no
/// other draw.
///
/// ```
/// use threefold_stats::takes::{TakePosterior, next_take};
///
/// let good = TakePosterior { mean: 1.0, deviation: 0.01 };
/// let bad = TakePosterior { mean: -1.0, deviation: 0.01 };
/// assert_eq!(next_take(&[Some(bad), Some(good)], 1, 0), Some(1));
/// assert_eq!(next_take(&[Some(bad), None], 1, 0), Some(0));
/// assert_eq!(next_take(&[None, None], 1, 0), None);
/// ```
pub fn next_take(takes: &[Option<TakePosterior>], seed: u64, batch: u64) -> Option<usize> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(batch);
    let draws = takes.iter().map(|take| (take, standard_normal(&mut random)));
    let draws =
        draws.enumerate().filter_map(|(index, (take, standard))| Some((index, (*take)?.draw(standard))));
    // Of equal draws the first take wins.
    draws.reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|(index, _)| index)
}

/// A number of the standard normal distribution (Box and Muller, Annals of Mathematical Statistics 29, 1958).
fn standard_normal(random: &mut ChaCha8Rng) -> f64 {
    // Above 0 and at most 1, so that the logarithm is finite.
    let radius = (f64::from(random.next_u32()) + 1.0) / (f64::from(u32::MAX) + 1.0);
    let angle = f64::from(random.next_u32()) / (f64::from(u32::MAX) + 1.0);
    (-2.0 * radius.ln()).sqrt() * (TAU * angle).cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EloModel, Pentanomial};

    fn hypotheses(risks: Risks) -> EloHypotheses {
        EloHypotheses::new(EloModel::Normalized, 0.0, 5.0, risks).expect("sound")
    }

    #[test]
    fn family_shares_the_level_among_the_takes() {
        let takes = NonZeroU32::new(4).expect("some");
        let asked = Risks { alpha: 0.05, beta: 0.1 };
        let upper = |guarantee: Guarantee| guarantee.risks(asked, takes).bounds().upper;
        assert!((upper(Guarantee::Family) - (0.9_f64 * 4.0 / 0.05).ln()).abs() < 1e-12);
        assert!((upper(Guarantee::Each) - (0.9_f64 / 0.05).ln()).abs() < 1e-12);
    }

    #[test]
    fn posterior_is_the_prior_without_results_and_the_mean_with_many() {
        let hypotheses = hypotheses(Risks::USUAL);
        let prior = TakePosterior::of_counts(&hypotheses, &Pentanomial::EMPTY);
        // 5 nElo are 5 / 347.4 t-values of a game, and √2 times that of a pair.
        let width = 5.0 / (800.0 / 10_f64.ln()) * 2_f64.sqrt();
        assert!(prior.mean.abs() < 1e-12);
        assert!((prior.deviation - width).abs() < 1e-12, "{prior:?} {width}");
        let many = Pentanomial { counts: [40, 200, 520, 200, 40].map(|count| count * 1_000_000) };
        let level = TakePosterior::of_counts(&hypotheses, &many);
        assert!((level.mean + width / 2.0).abs() < 1e-5 && level.deviation < 1e-4, "{level:?}");
    }

    #[test]
    fn equal_takes_win_equally_often_and_better_ones_more_often() {
        let hypotheses = hypotheses(Risks::USUAL);
        let prior = TakePosterior::of_counts(&hypotheses, &Pentanomial::EMPTY);
        let wins = |takes: &[Option<TakePosterior>]| {
            let mut wins = vec![0_u32; takes.len()];
            for batch in 0..4_000 {
                wins[next_take(takes, 7, batch).expect("some are in")] += 1;
            }
            wins
        };
        let equal = wins(&[Some(prior); 4]);
        assert!(equal.iter().all(|&wins| (900..1_100).contains(&wins)), "{equal:?}");
        // One deviation of a draw above the other: Φ(1/√2) = 76.0 %.
        let above = TakePosterior { mean: DRAW_WIDTH * prior.deviation, ..prior };
        let better = wins(&[Some(prior), None, Some(above)]);
        assert!(better[1] == 0 && (2_940..3_140).contains(&better[2]), "{better:?}");
    }

    #[test]
    fn take_that_leaves_changes_no_other_draw() {
        let takes = [0.0, 0.2, -0.1].map(|mean| Some(TakePosterior { mean, deviation: 1.0 }));
        for batch in 0..200 {
            let all = next_take(&takes, 3, batch);
            let without = next_take(&[takes[0], takes[1], None], 3, batch);
            assert!(all == Some(2) || all == without, "batch {batch}");
        }
        let draws = |seed| (0..50).map(|batch| next_take(&takes, seed, batch)).collect::<Vec<_>>();
        assert_eq!(draws(3), draws(3));
        assert_ne!(draws(3), draws(4));
    }
}
