//! How well measured values agree with their levels: slope, RMS error, and order.
//!
//! Both intervals are valid for normal errors with any covariance and any number of levels. The slope is
//! linear in the values, so its error is exact. The RMS error is a norm; it differs from the true norm by at
//! most the norm of the errors. The simulated quantile of that norm is the half-width of the interval, which
//! is therefore conservative.

use nalgebra::DVector;

use super::super::elo::{Estimate, normal_cdf, normal_quantile};
use super::gaussian::GaussianErrors;
use super::measurements::Measurements;

/// Simulated error vectors.
const DRAWS: usize = 4000;

/// The slope of the weighted straight line of values on levels, with its 1 - `alpha` interval. `None` unless
/// every value has a finite level and at least two levels differ.
pub fn slope(levels: &[f64], measured: &Measurements, alpha: f64) -> Option<Estimate<f64>> {
    let weights = measured.weights();
    if levels.len() != measured.levels() || !levels.iter().all(|level| level.is_finite()) {
        return None;
    }
    let total: f64 = weights.iter().sum();
    let middle = levels.iter().zip(weights).map(|(level, weight)| level * weight).sum::<f64>() / total;
    let spread: f64 =
        levels.iter().zip(weights).map(|(level, weight)| weight * (level - middle).powi(2)).sum();
    if spread <= 0.0 {
        return None;
    }
    let pull = DVector::from_iterator(
        levels.len(),
        levels.iter().zip(weights).map(|(level, weight)| weight * (level - middle) / spread),
    );
    let value: f64 = pull.iter().zip(measured.values()).map(|(pull, value)| pull * value).sum();
    let variance = pull.dot(&(measured.covariance() * &pull));
    let reach = -normal_quantile(alpha / 2.0) * variance.max(0.0).sqrt();
    Some(Estimate { low: value - reach, value, high: value + reach })
}

/// The root mean square of value minus level, corrected for the errors' contribution, with its 1 - `alpha`
/// interval. `None` unless every value has a finite level.
pub fn rms_error(levels: &[f64], measured: &Measurements, alpha: f64, seed: u64) -> Option<Estimate<f64>> {
    let count = measured.levels();
    if levels.len() != count || !levels.iter().all(|level| level.is_finite()) {
        return None;
    }
    let square: f64 =
        levels.iter().zip(measured.values()).map(|(level, value)| (value - level).powi(2)).sum();
    let mut noise = GaussianErrors::new(measured.covariance(), seed);
    let mut lengths: Vec<f64> = (0..DRAWS).map(|_| noise.draw().norm()).collect();
    lengths.sort_by(f64::total_cmp);
    let longest = lengths[((1.0 - alpha) * DRAWS as f64).ceil().clamp(1.0, DRAWS as f64) as usize - 1];
    let root = (count as f64).sqrt();
    let [low, high] = [-longest, longest].map(|reach| (square.sqrt() + reach).max(0.0) / root);
    let value = (square - measured.covariance().trace()).max(0.0).sqrt() / root;
    Some(Estimate { low, value: value.clamp(low, high), high })
}

/// The neighbouring levels whose order is least certain: the index of the lower one, and the posterior
/// probability (flat prior) that the upper one is higher, from 0 to 1. `None` with fewer than two levels.
pub fn least_certain_order(measured: &Measurements) -> Option<(usize, f64)> {
    let (values, errors) = (measured.values(), measured.covariance());
    let above = |at: usize| {
        let variance = errors[(at, at)] + errors[(at + 1, at + 1)] - 2.0 * errors[(at, at + 1)];
        normal_cdf((values[at + 1] - values[at]) / variance.max(f64::MIN_POSITIVE).sqrt())
    };
    (1..measured.levels())
        .map(|next| (next - 1, above(next - 1)))
        .min_by(|one, other| one.1.total_cmp(&other.1))
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::*;
    use crate::interval::Rate;

    #[test]
    fn calibration_fit_of_a_straight_line_is_exact() {
        let levels = [1000.0, 1200.0, 1500.0, 1900.0];
        let values = levels.map(|level| 1.5 * level - 400.0);
        let measured = Measurements::independent(&values, &[5.0, 9.0, 2.0, 7.0]).expect("sound");
        let line = slope(&levels, &measured, 0.05).expect("different levels");
        assert!((line.value - 1.5).abs() < 1e-12 && line.low < 1.5 && 1.5 < line.high, "{line:?}");
        let asked = Measurements::independent(&levels, &[5.0; 4]).expect("sound");
        let error = rms_error(&levels, &asked, 0.05, 1).expect("levels for all");
        assert_eq!((error.low, error.value), (0.0, 0.0));
        assert_eq!(slope(&[1.0; 4], &measured, 0.05), None);
        assert_eq!(slope(&levels[1..], &measured, 0.05), None);
        assert_eq!(rms_error(&levels[1..], &measured, 0.05, 1), None);
    }

    #[test]
    fn least_certain_order_is_at_the_smallest_relative_step() {
        let reported = |values: &[f64], covariance: DMatrix<f64>| {
            least_certain_order(&Measurements::joint(values, covariance).expect("sound"))
        };
        let alone = |variance: f64| DMatrix::from_diagonal_element(3, 3, variance);
        let (at, sure) = reported(&[0.0, 100.0, 120.0], alone(200.0)).expect("three levels");
        assert!(at == 1 && (sure - 0.841_344_746).abs() < 1e-8, "one standard error: {at} {sure}");
        // Positively correlated errors make the same steps more certain.
        let tied = DMatrix::from_fn(3, 3, |one, other| if one == other { 200.0 } else { 150.0 });
        let (at, sure) = reported(&[0.0, 100.0, 120.0], tied).expect("three levels");
        assert!(at == 1 && (sure - 0.977_249_868).abs() < 1e-8, "two standard errors: {at} {sure}");
        let (at, sure) = reported(&[100.0, 0.0, 120.0], alone(200.0)).expect("three levels");
        assert!(at == 0 && sure < 1e-6, "out of order: {at} {sure}");
        assert_eq!(reported(&[1.0], DMatrix::from_diagonal_element(1, 1, 1.0)), None);
    }

    #[test]
    fn calibration_intervals_have_nominal_coverage() {
        let levels = [0.0, 100.0, 200.0, 300.0, 400.0];
        let truth =
            Measurements::independent(&[10.0, 90.0, 230.0, 340.0, 430.0], &[20.0, 10.0, 15.0, 8.0, 30.0])
                .expect("sound");
        let slope_of = |measured: &Measurements| slope(&levels, measured, 0.05).expect("different levels");
        let rms_of =
            |measured: &Measurements, seed| rms_error(&levels, measured, 0.05, seed).expect("levels");
        let deviations = levels.iter().zip(truth.values()).map(|(level, value)| (level - value).powi(2));
        let true_rms = (deviations.sum::<f64>() / 5.0).sqrt();
        let mut noise = GaussianErrors::new(truth.covariance(), 5);
        let (mut slopes_missed, mut errors_missed, runs) = (0, 0, 300);
        for run in 0..runs {
            let values = truth.values().iter().zip(&noise.draw()).map(|(it, error)| it + error).collect();
            let measured = truth.around(values);
            let misses = |at: Estimate<f64>, truth: f64| u64::from(truth < at.low || at.high < truth);
            slopes_missed += misses(slope_of(&measured), slope_of(&truth).value);
            errors_missed += misses(rms_of(&measured, run), true_rms);
        }
        for missed in [slopes_missed, errors_missed] {
            let rate = Rate { successes: missed, failures: runs - missed }.clopper_pearson(0.002);
            assert!(rate.low <= 0.05, "{missed} of {runs}");
        }
    }
}
