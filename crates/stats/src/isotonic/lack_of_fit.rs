//! Tests whether a monotone curve fits.
//!
//! The weighted distance of the values from the fit has no tabulated distribution: it depends on the number
//! of levels that are nearly equal. It is therefore simulated: errors with the same covariance around the fit
//! are fitted again. Around pooled blocks distances are larger than around a strictly increasing curve, so
//! the p-value is conservative.

use super::fit::Isotonic;
use super::gaussian::GaussianErrors;
use super::measurements::Measurements;

/// The distance of values from their isotonic fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LackOfFit {
    /// The weighted sum of squared distances.
    pub distance: f64,
    /// The p-value: how often the simulation gives at least this distance.
    pub p: f64,
}

/// Simulated error vectors; a p-value of 0.05 has a standard error of 0.005.
const DRAWS: u32 = 2000;

/// The distance from the isotonic fit, and its p-value.
pub fn lack_of_fit(measured: &Measurements, seed: u64) -> LackOfFit {
    let observed = distance(measured);
    let fit = Isotonic::fit(measured).values();
    let mut noise = GaussianErrors::new(measured.covariance(), seed);
    let as_far = (0..DRAWS)
        .filter(|_| {
            let drawn = fit.iter().zip(&noise.draw()).map(|(fit, error)| fit + error).collect();
            distance(&measured.around(drawn)) >= observed
        })
        .count();
    // The observation counts as one of the draws, so that p is never zero.
    LackOfFit { distance: observed, p: (as_far + 1) as f64 / f64::from(DRAWS + 1) }
}

fn distance(measured: &Measurements) -> f64 {
    let fit = Isotonic::fit(measured).values();
    let off = measured.values().iter().zip(fit).zip(measured.weights());
    off.map(|((value, fit), weight)| weight * (value - fit).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::Rate;

    #[test]
    fn lack_of_fit_needs_values_far_out_of_order() {
        let misfit =
            |values: &[f64]| lack_of_fit(&Measurements::independent(values, &[10.0; 4]).expect("sound"), 3);
        let in_order = misfit(&[0.0, 10.0, 20.0, 30.0]);
        assert_eq!((in_order.distance, in_order.p), (0.0, 1.0));
        let nearly = misfit(&[0.0, 25.0, 20.0, 30.0]);
        assert!(nearly.p > 0.2, "{nearly:?}");
        let far = misfit(&[0.0, 80.0, 20.0, 30.0]);
        assert!(far.p < 0.001, "{far:?}");
        assert_eq!(misfit(&[0.0, 25.0, 20.0, 30.0]), nearly, "the same seed gives the same p");
    }

    #[test]
    fn lack_of_fit_rarely_rejects_monotone_curves() {
        let truth = Measurements::independent(&[0.0, 0.0, 5.0, 40.0, 45.0], &[10.0; 5]).expect("sound");
        let mut noise = GaussianErrors::new(truth.covariance(), 11);
        let runs = 120;
        let suspected = (0..runs)
            .filter(|&run| {
                let values = truth.values().iter().zip(&noise.draw()).map(|(it, error)| it + error).collect();
                lack_of_fit(&truth.around(values), run).p <= 0.05
            })
            .count() as u64;
        let rate = Rate { successes: suspected, failures: runs - suspected }.clopper_pearson(0.002);
        assert!(rate.low <= 0.05, "{suspected} of {runs}");
    }
}
