//! A smoothing spline through measured values, which combines the information of neighbours.
//!
//! The truth is modelled as a straight line plus an integrated Wiener process; its posterior mean is the
//! cubic smoothing spline. The roughness is unknown: the result averages over a grid of roughnesses, equally
//! spaced in the logarithm and weighted by the restricted likelihood, which does not depend on straight lines
//! in the values. Values without a pattern keep their values and errors; values on a smooth curve share
//! information.
//!
//! Sources: Wahba, "Improper priors, spline smoothing and the problem of guarding against model errors in
//! regression" (1978), for the process and the spline; Patterson and Thompson, "Recovery of inter-block
//! information when block sizes are unequal" (1971), for the restricted likelihood; Nychka, "Bayesian
//! confidence intervals for smoothing splines" (1988): averaged over the levels the intervals have their
//! nominal coverage.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::measurements::Measurements;

/// The grid of roughnesses: from `LEAST` times a typical error to `MOST` times the standard deviation of the
/// values. All smoother curves look like straight lines behind such errors; many of them in the grid would
/// outweigh a weak curvature, and intervals would be too narrow.
const ROUGHNESSES: usize = 40;
const LEAST: f64 = 0.5;
const MOST: f64 = 2.0;
/// A linear combination of correlated errors may have no error; this share of the mean variance is added to
/// each variance to keep the matrix positive definite.
const JITTER: f64 = 1e-6;

/// Smooths the values, assuming that they lie on a smooth curve; the errors of the result are correlated.
/// Fewer than three levels are returned unchanged. `None` unless every value has a finite level and the
/// levels increase.
pub fn smooth(levels: &[f64], measured: &Measurements) -> Option<Measurements> {
    let rising = levels.windows(2).all(|pair| pair[0] < pair[1]);
    if levels.len() != measured.levels() || !rising || !levels.iter().all(|level| level.is_finite()) {
        return None;
    }
    if levels.len() < 3 {
        return Some(measured.clone());
    }
    let design = Design::new(levels, measured);
    let fits: Vec<Fit> = design.roughnesses().filter_map(|roughness| design.fit(roughness)).collect();
    let likeliest = fits.iter().map(|fit| fit.likelihood).fold(f64::NEG_INFINITY, f64::max);
    // Relative to the largest likelihood, since the exponentials themselves may underflow.
    let shares: Vec<f64> = fits.iter().map(|fit| (fit.likelihood - likeliest).exp()).collect();
    let total: f64 = shares.iter().sum();
    let mut values = DVector::zeros(levels.len());
    for (fit, share) in fits.iter().zip(&shares) {
        values.axpy(share / total, &fit.values, 1.0);
    }
    // The mean of the covariances, plus the covariance of the means. Without any fit it is 0, and `joint`
    // refuses it.
    let mut covariance = DMatrix::zeros(levels.len(), levels.len());
    for (fit, share) in fits.iter().zip(&shares) {
        let off = &fit.values - &values;
        covariance += (&fit.covariance + &off * off.transpose()) * (share / total);
    }
    Measurements::joint(values.as_slice(), covariance).ok()
}

/// The design of the fit: values at places whose mean distance is 1.
struct Design {
    values: DVector<f64>,
    errors: DMatrix<f64>,
    /// The columns of a straight line: intercept and slope.
    line: DMatrix<f64>,
    /// The covariance of the process whose second difference over a step of 1 has variance 1.
    process: DMatrix<f64>,
}

/// The fit at one roughness.
struct Fit {
    likelihood: f64,
    values: DVector<f64>,
    covariance: DMatrix<f64>,
}

impl Design {
    fn new(levels: &[f64], measured: &Measurements) -> Self {
        let count = levels.len();
        let step = (levels[count - 1] - levels[0]) / (count - 1) as f64;
        let places: Vec<f64> = levels.iter().map(|level| (level - levels[0]) / step).collect();
        let process = |i: usize, j: usize| {
            let (near, far) = (places[i].min(places[j]), places[i].max(places[j]));
            // Without the factor an integrated Wiener process: its second difference over a step of 1 has
            // variance 2/3.
            1.5 * near * near * (far / 2.0 - near / 6.0)
        };
        let jitter = JITTER * measured.covariance().trace() / count as f64;
        Self {
            values: DVector::from_column_slice(measured.values()),
            errors: measured.covariance() + DMatrix::identity(count, count) * jitter,
            line: DMatrix::from_fn(count, 2, |i, j| if j == 0 { 1.0 } else { places[i] }),
            process: DMatrix::from_fn(count, count, process),
        }
    }

    /// The grid: standard deviations of a second difference.
    fn roughnesses(&self) -> impl Iterator<Item = f64> {
        let error = (self.errors.trace() / self.values.len() as f64).sqrt();
        let (least, most) = (LEAST * error, MOST * (self.values.max() - self.values.min()).max(error));
        let step = (most / least).powf(1.0 / (ROUGHNESSES - 1) as f64);
        (0..ROUGHNESSES).map(move |number| least * step.powf(number as f64))
    }

    fn fit(&self, roughness: f64) -> Option<Fit> {
        let process = &self.process * roughness.powi(2);
        let all = Cholesky::new(&self.errors + &process)?;
        let of_line = all.solve(&self.line);
        let known = Cholesky::new(self.line.transpose() * &of_line)?;
        let line = known.solve(&(of_line.transpose() * &self.values));
        let off = &self.values - &self.line * &line;
        let pull = all.solve(&off);
        let likelihood = -0.5 * (off.dot(&pull) + log_determinant(&all) + log_determinant(&known));
        // The part of the line that the process does not determine.
        let open = &self.line - &process * &of_line;
        Some(Fit {
            likelihood,
            values: &self.line * &line + &process * &pull,
            covariance: &process - &process * all.solve(&process)
                + &open * known.inverse() * open.transpose(),
        })
    }
}

fn log_determinant(factors: &Cholesky<f64, Dyn>) -> f64 {
    2.0 * factors.l_dirty().diagonal().iter().map(|entry| entry.ln()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::band::Band;
    use super::super::gaussian::GaussianErrors;
    use super::*;
    use crate::interval::Rate;

    const LEVELS: [f64; 12] =
        [600.0, 800.0, 1000.0, 1100.0, 1200.0, 1400.0, 1600.0, 1800.0, 2000.0, 2200.0, 2500.0, 2600.0];

    fn independent(values: &[f64], error: f64) -> Measurements {
        Measurements::independent(values, &vec![error; values.len()]).expect("sound")
    }

    fn errors(measured: &Measurements) -> Vec<f64> {
        measured.covariance().diagonal().iter().map(|variance| variance.sqrt()).collect()
    }

    /// The rate at which 95 % intervals miss the truth.
    fn missed(truth: &[f64], error: f64, smoothed: impl Fn(&Measurements) -> Measurements) -> Rate {
        let mut noise = GaussianErrors::new(independent(truth, error).covariance(), 3);
        let (mut failures, mut successes) = (0, 0);
        for _ in 0..200 {
            let off = noise.draw();
            let values: Vec<f64> = truth.iter().zip(&off).map(|(truth, off)| truth + off).collect();
            let reported = smoothed(&independent(&values, error));
            for ((value, error), truth) in reported.values().iter().zip(errors(&reported)).zip(truth) {
                if (value - truth).abs() > 1.96 * error { successes += 1 } else { failures += 1 }
            }
        }
        Rate { successes, failures }
    }

    #[test]
    fn smoothing_reduces_errors_on_a_smooth_curve() {
        let truth = LEVELS.map(|level| level + 150.0 * (level / 500.0).sin());
        let reported = smooth(&LEVELS, &independent(&truth, 30.0)).expect("levels in order");
        for (error, (value, truth)) in errors(&reported).iter().zip(reported.values().iter().zip(truth)) {
            assert!(*error < 27.0 && (value - truth).abs() < 15.0, "{value} ± {error} for {truth}");
        }
        let line = smooth(&LEVELS, &independent(&LEVELS, 30.0)).expect("levels in order");
        assert!(errors(&line).iter().sum::<f64>() < 12.0 * 20.0, "{:?}", errors(&line));
    }

    #[test]
    fn smoothing_keeps_values_without_a_pattern() {
        let truth = [0.0, 900.0, 100.0, 700.0, -300.0, 800.0, 0.0, 650.0, -100.0, 900.0, 50.0, 400.0];
        let reported = smooth(&LEVELS, &independent(&truth, 10.0)).expect("levels in order");
        for (error, (value, truth)) in errors(&reported).iter().zip(reported.values().iter().zip(truth)) {
            assert!(*error > 9.0 && (value - truth).abs() < 2.0, "{value} ± {error} for {truth}");
        }
    }

    /// A line, a wave, and a kink as at the onset of a handicap.
    fn truths() -> [[f64; LEVELS.len()]; 3] {
        [
            LEVELS,
            LEVELS.map(|level| level + 150.0 * (level / 500.0).sin()),
            LEVELS.map(|level| if level < 1300.0 { 2.5 * level } else { level + 1950.0 }),
        ]
    }

    #[test]
    fn smoothed_band_covers_the_truth_simultaneously() {
        const RUNS: u64 = 100;
        for (number, truth) in truths().iter().enumerate() {
            let mut noise = GaussianErrors::new(independent(truth, 30.0).covariance(), 5);
            let (mut beside_the_band, mut beside_an_interval) = (0, 0);
            for _ in 0..RUNS {
                let off = noise.draw();
                let values: Vec<f64> = truth.iter().zip(&off).map(|(truth, off)| truth + off).collect();
                let reported = smooth(&LEVELS, &independent(&values, 30.0)).expect("in order");
                let band = Band::simulated(&reported, 0.05);
                let ends = band.low.iter().zip(&band.high);
                beside_the_band +=
                    u64::from(ends.zip(truth).any(|((low, high), truth)| truth < low || high < truth));
                let intervals = reported.values().iter().zip(errors(&reported));
                beside_an_interval += u64::from(
                    intervals.zip(truth).any(|((value, error), truth)| (value - truth).abs() > 1.96 * error),
                );
            }
            let rate = |missed| Rate { successes: missed, failures: RUNS - missed }.clopper_pearson(0.002);
            assert!(rate(beside_the_band).low <= 0.05, "{number}: {beside_the_band} of {RUNS}");
            // A line has two parameters, so its intervals hold or miss together.
            assert!(
                number == 0 || rate(beside_an_interval).low > 0.05,
                "{number}: {beside_an_interval} of {RUNS}"
            );
        }
    }

    #[test]
    fn smoothing_intervals_cover_the_truth_and_those_of_a_line_do_not() {
        for (number, truth) in truths().iter().enumerate() {
            let ours = missed(truth, 30.0, |measured| smooth(&LEVELS, measured).expect("in order"));
            assert!(ours.clopper_pearson(0.002).low <= 0.06, "{number}: {ours:?}");
            let straight = missed(truth, 30.0, |measured| {
                let fit = Design::new(&LEVELS, measured).fit(0.01).expect("positive definite");
                Measurements::joint(fit.values.as_slice(), fit.covariance).expect("sound")
            });
            assert_eq!(straight.clopper_pearson(0.002).low > 0.06, number > 0, "{number}: {straight:?}");
        }
    }

    #[test]
    fn smoothing_refuses_invalid_levels_and_keeps_short_input() {
        let two = independent(&[3.0, 1.0], 1.0);
        assert_eq!(smooth(&[1.0, 2.0], &two), Some(two.clone()));
        for levels in [&[2.0, 1.0][..], &[1.0, 1.0], &[1.0], &[1.0, f64::NAN]] {
            assert_eq!(smooth(levels, &two), None, "{levels:?}");
        }
        // Values relative to their own mean: one direction has no error.
        let centred = DMatrix::from_fn(4, 4, |i, j| if i == j { 75.0 } else { -25.0 });
        let values = [-30.0, -11.0, 12.0, 29.0];
        let reported = smooth(&[1.0, 2.0, 3.0, 4.0], &Measurements::joint(&values, centred).expect("sound"));
        let reported = reported.expect("levels in order");
        assert!(reported.values().iter().sum::<f64>().abs() < 0.01, "{reported:?}");
        assert!(errors(&reported).iter().all(|error| *error < 75.0_f64.sqrt()), "{reported:?}");
    }

    proptest! {
        #[test]
        fn smoothing_commutes_with_adding_a_line(
            values in prop::collection::vec(-500.0..500.0_f64, 4..12), height in -100.0..100.0_f64,
        ) {
            let levels = &LEVELS[..values.len()];
            let one = smooth(levels, &independent(&values, 25.0)).expect("in order");
            let raised: Vec<f64> = values.iter().map(|value| value + height).collect();
            let other = smooth(levels, &independent(&raised, 25.0)).expect("in order");
            for (one, other) in one.values().iter().zip(other.values()) {
                prop_assert!((one + height - other).abs() < 1e-6, "{one} {other}");
            }
            for (own, reported) in errors(&independent(&values, 25.0)).iter().zip(errors(&one)) {
                prop_assert!(reported.is_finite() && reported > 0.0 && reported < own * 1.5);
            }
        }
    }
}
