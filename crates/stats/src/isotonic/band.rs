//! A simultaneous confidence band for a monotone curve.
//!
//! Each of the `n (n + 1) / 2` ranges of consecutive levels has a mean. With normal errors all these means
//! lie within z standard errors of the truth simultaneously with probability 1 - alpha. z is either that of
//! the union bound, or the smaller one found by simulation, which uses the correlations. If the true curve
//! never falls, the mean of a range that ends at a level bounds it from below, and the mean of a range that
//! begins there bounds it from above. If the lower and the upper end cross, no monotone curve fits:
//! monotonicity is rejected at level alpha.
//!
//! Around increasing data the band contains the fit. Otherwise it may not, even before it crosses: the fit
//! averages a range, the band uses its worst part.

use nalgebra::DMatrix;

use super::super::elo::normal_quantile;
use super::gaussian::GaussianErrors;
use super::measurements::Measurements;

/// Simulated error vectors, and the seed: equal errors give equal bands.
const DRAWS: usize = 4000;
const SEED: u64 = 1;
/// A mean whose error is below this share of the largest error counts as exact: it is the reference of the
/// measurement.
const KNOWN: f64 = 1e-6;

/// The band at each level, lowest level first.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// The z factor: the number of standard errors that each mean is allowed.
    pub quantile: f64,
    /// The lower ends, non-decreasing.
    pub low: Vec<f64>,
    /// The upper ends, non-decreasing.
    pub high: Vec<f64>,
}

impl Band {
    /// The band by the union bound. It misses a monotone truth anywhere with probability at most `alpha`,
    /// between 0 and 1.
    pub fn with_error(measured: &Measurements, alpha: f64) -> Self {
        let levels = measured.levels() as f64;
        Self::reaching(measured, -normal_quantile(alpha / (levels * (levels + 1.0))))
    }

    /// The band by simulation: narrower than by the union bound, most of all for correlated errors.
    pub fn simulated(measured: &Measurements, alpha: f64) -> Self {
        Self::reaching(measured, largest_error(measured, alpha))
    }

    /// Whether the ends cross, which rejects monotonicity.
    pub fn crosses(&self) -> bool {
        self.low.iter().zip(&self.high).any(|(low, high)| low > high)
    }

    fn reaching(measured: &Measurements, quantile: f64) -> Self {
        let levels = measured.levels();
        let (mut low, mut high) = (vec![f64::NEG_INFINITY; levels], vec![f64::INFINITY; levels]);
        for (first, high) in high.iter_mut().enumerate() {
            for (stretch, mean, error) in measured.means_from(first) {
                let low = &mut low[stretch.end - 1];
                *low = low.max(mean - quantile * error);
                *high = high.min(mean + quantile * error);
            }
        }
        // A monotone curve is above the lower end of every earlier level, and below the upper end of
        // every later one.
        for level in 1..levels {
            low[level] = low[level].max(low[level - 1]);
        }
        for level in (1..levels).rev() {
            high[level - 1] = high[level - 1].min(high[level]);
        }
        Self { quantile, low, high }
    }
}

/// The 1 - `alpha` quantile of the largest error of a range's mean, in standard errors.
fn largest_error(measured: &Measurements, alpha: f64) -> f64 {
    let levels = measured.levels();
    let stretches: Vec<_> = (0..levels).flat_map(|first| measured.means_from(first)).collect();
    let largest = stretches.iter().map(|(_, _, error)| *error).fold(0.0, f64::max);
    let known = |error: f64| error <= KNOWN * largest;
    let uncertain: Vec<_> = stretches.iter().filter(|(_, _, error)| !known(*error)).collect();
    let shares = DMatrix::from_fn(uncertain.len(), levels, |row, level| {
        let (stretch, _, error) = uncertain[row];
        let weight: f64 = stretch.clone().map(|level| measured.weights()[level]).sum();
        if stretch.contains(&level) { measured.weights()[level] / weight / error } else { 0.0 }
    });
    let mut noise = GaussianErrors::new(measured.covariance(), SEED);
    let mut found: Vec<f64> = (0..DRAWS).map(|_| (&shares * noise.draw()).amax()).collect();
    found.sort_by(f64::total_cmp);
    found[((1.0 - alpha) * DRAWS as f64).ceil().clamp(1.0, DRAWS as f64) as usize - 1]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::fit::Isotonic;
    use super::super::gaussian::GaussianErrors;
    use super::*;
    use crate::interval::Rate;

    const ALPHA: f64 = 0.05;
    const RUNS: u64 = 2000;

    /// Independent errors, and errors relative to the first level, which are correlated.
    fn designs() -> Vec<DMatrix<f64>> {
        let own = [30.0_f64, 12.0, 20.0, 9.0, 16.0, 25.0];
        let variance = |i: usize, j: usize| if i == j { own[i] * own[i] } else { 0.0 };
        let anchored = |i: usize, j: usize| {
            if i == 0 || j == 0 { 0.0 } else { own[0] * own[0] + variance(i, j) }
        };
        vec![DMatrix::from_fn(6, 6, variance), DMatrix::from_fn(6, 6, anchored)]
    }

    /// How often a band misses the truth at any level.
    fn misses(truth: &[f64], covariance: &DMatrix<f64>, band: impl Fn(&Measurements) -> Band) -> u64 {
        let mut noise = GaussianErrors::new(covariance, 7);
        let mut missed = 0;
        for _ in 0..RUNS {
            let values: Vec<f64> =
                truth.iter().zip(&noise.draw()).map(|(truth, error)| truth + error).collect();
            let band = band(&Measurements::joint(&values, covariance.clone()).expect("sound"));
            let holds = truth
                .iter()
                .zip(band.low.iter().zip(&band.high))
                .all(|(truth, (low, high))| low - 1e-9 <= *truth && *truth <= high + 1e-9);
            missed += u64::from(!holds);
        }
        missed
    }

    /// Whether this number of misses is consistent with a rate of at most alpha.
    fn is_credible(misses: u64) -> bool {
        Rate { successes: misses, failures: RUNS - misses }.clopper_pearson(0.002).low <= ALPHA
    }

    #[test]
    fn band_covers_the_truth_and_a_pointwise_one_does_not() {
        let truths = [[0.0, 60.0, 130.0, 170.0, 260.0, 300.0], [0.0; 6], [0.0, 0.0, 50.0, 50.0, 50.0, 90.0]];
        for covariance in designs() {
            let any = Measurements::joint(&[0.0; 6], covariance.clone()).expect("sound");
            let quantile = Band::simulated(&any, ALPHA).quantile;
            assert!(quantile < Band::with_error(&any, ALPHA).quantile - 0.1, "{quantile}");
            for truth in truths {
                let ours = misses(&truth, &covariance, |measured| Band::with_error(measured, ALPHA));
                assert!(is_credible(ours), "{ours} of {RUNS} miss {truth:?}");
                let simulated = misses(&truth, &covariance, |measured| Band::reaching(measured, quantile));
                assert!(is_credible(simulated), "{simulated} of {RUNS} miss {truth:?}");
                let narrow = misses(&truth, &covariance, |measured| Band::reaching(measured, 1.96));
                assert!(!is_credible(narrow), "only {narrow} of {RUNS} pointwise bands miss {truth:?}");
            }
        }
    }

    #[test]
    fn decreasing_values_make_the_band_cross() {
        let falling = Measurements::independent(&[0.0, 300.0, 100.0], &[20.0, 20.0, 20.0]).expect("sound");
        assert!(Band::with_error(&falling, ALPHA).crosses());
        let hardly = Measurements::independent(&[0.0, 110.0, 100.0], &[20.0, 20.0, 20.0]).expect("sound");
        assert!(!Band::with_error(&hardly, ALPHA).crosses());
    }

    #[test]
    fn fit_may_be_outside_a_band_that_does_not_cross() {
        let tight = Measurements::independent(&[0.0, -2.9], &[1.0, 0.5]).expect("sound");
        let (fit, band) = (Isotonic::fit(&tight).values(), Band::reaching(&tight, 2.0));
        assert!(!band.crosses() && fit[0] < band.low[0], "{fit:?} {band:?}");
    }

    proptest! {
        #[test]
        fn band_contains_the_fit_of_increasing_values(
            steps in prop::collection::vec((0.0..50.0_f64, 0.1..40.0_f64), 1..15),
            alpha in 0.001..0.5_f64,
        ) {
            let (steps, errors): (Vec<f64>, Vec<f64>) = steps.into_iter().unzip();
            let values: Vec<f64> =
                steps.iter().scan(0.0, |at, step| { *at += step; Some(*at) }).collect();
            let measured = Measurements::independent(&values, &errors).expect("sound");
            let band = Band::with_error(&measured, alpha);
            prop_assert!(band.low.is_sorted() && band.high.is_sorted() && !band.crosses());
            for ((fit, low), high) in Isotonic::fit(&measured).values().iter().zip(&band.low).zip(&band.high) {
                prop_assert!(low - 1e-9 <= *fit && *fit <= high + 1e-9);
            }
        }
    }
}
