//! Logistic and normalized Elo, each with its confidence interval.
//!
//! *Logistic* Elo is a transformed expected score; draws shrink it. *Normalized* Elo is the expected score
//! divided by the standard deviation of one game: it determines the number of games a test needs, whatever
//! the draw rate. The two agree for small differences without draws and differ otherwise, so they are
//! different types.
//!
//! Intervals here are fixed-sample intervals: valid for a match whose length was fixed beforehand, too narrow
//! after a test that stopped because of its results. Sources: fishtest `stat_util.get_elo` and its statistics
//! page.

use statrs::distribution::{Beta, ContinuousCDF};
use statrs::function::erf::{erfc, erfc_inv};

use super::pentanomial::{Pentanomial, ResultCounts};
use super::sample::Sample;

/// The normal quantile that leaves 2.5 % on each side.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Elo per unit of (score - 1/2) over the standard deviation of one game: 800 / ln 10.
pub const NORMALIZED_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// Scores are clamped this far from 0 and 1 before conversion, so that an estimate is never infinite.
const MARGIN: f64 = 1e-3;

/// A difference in logistic Elo.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Logistic(pub f64);

/// A difference in normalized Elo.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Normalized(pub f64);

/// A value with its 95 % interval, which need not be symmetric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate<T> {
    /// The lower end.
    pub low: T,
    /// The estimated value.
    pub value: T,
    /// The upper end.
    pub high: T,
}

impl Logistic {
    /// The expected score, from 0 to 1.
    pub fn score(self) -> f64 {
        1.0 / (1.0 + 10_f64.powf(-self.0 / 400.0))
    }

    /// The difference with this expected score; infinite at 0 and 1.
    pub fn of_score(score: f64) -> Self {
        Self(-400.0 * (1.0 / score - 1.0).log10())
    }

    /// The difference at a score clamped to [0.001, 0.999], as fishtest and OpenBench do: within ±1199.8 Elo.
    pub fn of_score_clamped(score: f64) -> Self {
        Self::of_score(score.clamp(MARGIN, 1.0 - MARGIN))
    }
}

impl Normalized {
    /// The mean divided by the standard deviation of a trial of `games_per_trial` games, measured from an
    /// even score.
    pub fn t_value(self, games_per_trial: f64) -> f64 {
        self.0 / NORMALIZED_SCALE * games_per_trial.sqrt()
    }

    /// The inverse of [`Normalized::t_value`].
    pub fn of_t_value(t: f64, games_per_trial: f64) -> Self {
        Self(t * NORMALIZED_SCALE / games_per_trial.sqrt())
    }
}

/// Logistic Elo of a match of fixed length, with its 95 % interval. `None` before the first trial.
pub fn logistic<const K: usize>(results: &ResultCounts<K>) -> Option<Estimate<Logistic>> {
    let score = score(results)?;
    Some(Estimate {
        low: Logistic::of_score_clamped(score.low),
        value: Logistic::of_score_clamped(score.value),
        high: Logistic::of_score_clamped(score.high),
    })
}

/// The mean score of a match of fixed length, from 0 to 1, with its 95 % interval, whose ends may lie outside
/// [0, 1]. `None` before the first trial.
pub fn score<const K: usize>(results: &ResultCounts<K>) -> Option<Estimate<f64>> {
    let sample = Sample::regularised(results)?;
    let (mean, reach) = (sample.mean(), Z95 * sample.standard_error());
    Some(Estimate { low: mean - reach, value: mean, high: mean + reach })
}

/// Normalized Elo of a match of fixed length, with its 95 % interval. `None` before the first trial.
///
/// The interval accounts for the estimated standard deviation (delta method): var t = 1 - t · skewness + t²
/// (excess kurtosis + 2) / 4.
pub fn normalized<const K: usize>(results: &ResultCounts<K>) -> Option<Estimate<Normalized>> {
    let sample = Sample::regularised(results)?;
    let t = (sample.mean() - 0.5) / sample.variance().sqrt();
    let variance = 1.0 - t * sample.skewness() + t * t * (sample.excess_kurtosis() + 2.0) / 4.0;
    // The variance is that of z - t (z² - 1) / 2 for a standardised z, so only rounding can make it negative.
    let reach = Z95 * (variance.max(0.0) / sample.trials()).sqrt();
    let elo = |t| Normalized::of_t_value(t, Sample::<K>::GAMES_PER_TRIAL);
    Some(Estimate { low: elo(t - reach), value: elo(t), high: elo(t + reach) })
}

/// The pair Elo: 100 log10((2 WW + WD) / (2 LL + LD)), which depends little on the book, since level pairs have
/// no influence. Infinite if no pair was lost, or none won; `None` if no pair was decided.
pub fn pair_elo(pairs: &Pentanomial) -> Option<Logistic> {
    let [ll, ld, _, wd, ww] = pairs.counts;
    let (won, lost) = (2 * ww + wd, 2 * ll + ld);
    (won + lost > 0).then(|| Logistic(100.0 * (won as f64 / lost as f64).log10()))
}

/// The likelihood of superiority (LOS) after a match of fixed length: the probability that the first player
/// is stronger, by the normal approximation. `None` before the first trial.
pub fn superiority<const K: usize>(results: &ResultCounts<K>) -> Option<f64> {
    let sample = Sample::regularised(results)?;
    Some(normal_cdf((sample.mean() - 0.5) / sample.standard_error()))
}

/// The exact likelihood of superiority from independent decisive games: P(Beta(wins + 1, losses + 1) > 1/2).
pub fn superiority_of_decisive(wins: u64, losses: u64) -> f64 {
    // Both parameters are at least 1, so the default is never used.
    Beta::new(wins as f64 + 1.0, losses as f64 + 1.0).map_or(0.5, |posterior| posterior.sf(0.5))
}

/// The standard normal distribution function, accurate in both tails.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z / std::f64::consts::SQRT_2)
}

/// The standard normal quantile of a probability strictly between 0 and 1.
pub fn normal_quantile(probability: f64) -> f64 {
    -std::f64::consts::SQRT_2 * erfc_inv(2.0 * probability)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::pentanomial::Trinomial;
    use super::*;

    #[test]
    fn pair_elo_by_hand() {
        let table = [
            ([0, 0, 0, 0, 0], None),
            ([0, 0, 9, 0, 0], None),
            ([0, 0, 1, 3, 0], Some(f64::INFINITY)),
            ([1, 0, 1, 0, 0], Some(f64::NEG_INFINITY)),
            ([1, 2, 50, 4, 18], Some(100.0)),
            ([3, 1, 7, 1, 3], Some(0.0)),
        ];
        for (counts, elo) in table {
            assert_eq!(pair_elo(&Pentanomial { counts }).map(|it| it.0), elo, "{counts:?}");
        }
    }

    #[test]
    fn elo_of_scores_by_hand() {
        for (elo, score) in [(0.0, 0.5), (400.0, 10.0 / 11.0), (-400.0, 1.0 / 11.0)] {
            assert!((Logistic(elo).score() - score).abs() < 1e-15);
            assert!((Logistic::of_score(score).0 - elo).abs() < 1e-10);
        }
        assert_eq!(Logistic::of_score(1.0), Logistic(f64::INFINITY));
        assert!(Logistic::of_score_clamped(1.0).0 < 1200.0);
    }

    /// Computed in Python from the definitions of mean, variance and standard error. The last two results are
    /// those of fastchess's own tests: 55.58 ± 27.65 and -8.64 ± 10.33, where ± is half of the interval.
    #[test]
    fn elo_of_pairs_and_games_has_its_published_interval() {
        let table = [
            // pairs, logistic Elo with its interval, normalized Elo with its interval, likelihood of
            // superiority
            (
                [10, 20, 40, 30, 15],
                [-5.626_852, 30.288_286, 66.863_349],
                [-7.791_157, 37.852_045, 83.495_247],
                0.950_759,
            ),
            (
                [34, 54, 63, 64, 75],
                [28.276_160, 55.579_780, 83.583_019],
                [28.702_721, 57.935_600, 87.168_478],
                0.999_970,
            ),
            (
                [332, 433, 498, 333, 334],
                [-18.984_509, -8.642_667, 1.683_880],
                [-20.154_207, -9.172_914, 1.808_378],
                0.050_470,
            ),
        ];
        for (counts, by_score, by_deviation, superior) in table {
            check(&Pentanomial { counts }, by_score, by_deviation, superior);
        }
        check(
            &Trinomial { counts: [30, 50, 35] },
            [-32.649_848, 15.115_424, 63.462_367],
            [-43.524_943, 20.126_403, 83.777_749],
            0.732_770,
        );
    }

    fn check<const K: usize>(
        results: &ResultCounts<K>,
        by_score: [f64; 3],
        by_deviation: [f64; 3],
        superior: f64,
    ) {
        let (elo, nelo) = (logistic(results).expect("trials"), normalized(results).expect("trials"));
        let found = [[elo.low.0, elo.value.0, elo.high.0], [nelo.low.0, nelo.value.0, nelo.high.0]];
        for (found, expected) in found.as_flattened().iter().zip([by_score, by_deviation].as_flattened()) {
            assert!((found - expected).abs() < 1e-4, "{results:?}: {found} for {expected}");
        }
        let likelihood = superiority(results).expect("trials");
        assert!((likelihood - superior).abs() < 1e-5, "{results:?}: {likelihood}");
    }

    #[test]
    fn interval_ends_are_asymmetric_at_high_scores() {
        let elo = logistic(&Pentanomial { counts: [0, 0, 5, 10, 20] }).expect("35 pairs");
        assert!(elo.high.0 - elo.value.0 > elo.value.0 - elo.low.0);
        assert_eq!(logistic(&Pentanomial::EMPTY), None);
    }

    proptest! {
        #[test]
        fn results_are_never_nan(counts in prop::array::uniform5(0..=1_000_000_000_u64)) {
            let pairs = Pentanomial { counts };
            if let (Some(elo), Some(nelo), Some(los)) = (logistic(&pairs), normalized(&pairs), superiority(&pairs)) {
                prop_assert!(elo.low <= elo.value && elo.value <= elo.high);
                prop_assert!(nelo.low <= nelo.value && nelo.value <= nelo.high);
                prop_assert!((0.0..=1.0).contains(&los));
            } else {
                prop_assert_eq!(pairs, Pentanomial::EMPTY);
            }
        }

        #[test]
        fn estimates_are_antisymmetric_in_the_players(counts in prop::array::uniform5(0..5000_u64)) {
            let pairs = Pentanomial { counts };
            if let (Some(ours), Some(theirs)) = (normalized(&pairs), normalized(&pairs.reversed())) {
                prop_assert!((ours.value.0 + theirs.value.0).abs() < 1e-9);
                prop_assert!((ours.low.0 + theirs.high.0).abs() < 1e-8);
            }
        }
    }
}
