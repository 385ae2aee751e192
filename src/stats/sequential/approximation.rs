//! Quick stand-ins for the log-likelihood ratio, without a search for likeliest laws.
//!
//! A stopped test's estimate is built on one of them, and pages that plan tests draw with them. No test decides by
//! one. Source: Van den Bergh, "Comparing the approximations"; fishtest's `LLRcalc`.

use super::sprt::{Model, Sprt};
use crate::stats::elo::{Logistic, Normalized};
use crate::stats::sample::Sample;

/// The quick estimate that fishtest calls `LLR_alt`: spreads around the two hypotheses in place of their likeliest
/// laws. For display and planning; decisions take [`Sprt::llr`].
pub fn by_spread<const K: usize>(test: &Sprt, sample: &Sample<K>) -> f64 {
    let (mean, variance) = (sample.mean(), sample.variance());
    match test.model() {
        Model::Logistic => {
            let around = |elo| variance + (mean - Logistic(elo).score()).powi(2);
            sample.trials() / 2.0 * (around(test.elo0()) / around(test.elo1())).ln()
        }
        Model::Normalized => {
            let deviation = (variance * Sample::<K>::GAMES_PER_TRIAL).sqrt();
            let around = |elo: f64| 1.0 + ((mean - 0.5) / deviation - Normalized(elo).t_value(1.0)).powi(2);
            let games = sample.trials() * Sample::<K>::GAMES_PER_TRIAL;
            games / 2.0 * (around(test.elo0()) / around(test.elo1())).ln()
        }
    }
}

/// The Brownian estimate that fishtest calls `LLR_alt2`: linear in the mean score. Logistic hypotheses only, `None`
/// otherwise; nonsense where the spread is tiny.
pub fn by_drift<const K: usize>(test: &Sprt, sample: &Sample<K>) -> Option<f64> {
    let [s0, s1] = match test.model() {
        Model::Logistic => [test.elo0(), test.elo1()].map(|elo| Logistic(elo).score()),
        Model::Normalized => return None,
    };
    Some(sample.trials() * (s1 - s0) * (2.0 * sample.mean() - s0 - s1) / (2.0 * sample.variance()))
}
