//! Approximations of the log-likelihood ratio from the first two moments.
//!
//! The estimate after a stop and the planning pages use them; no test decides by them. Source: Van den Bergh,
//! "Comparing the approximations"; fishtest's `LLRcalc`.

use super::hypotheses::EloModel;
use super::max_likelihood::Hypothesis;
use super::sprt::Sprt;
use crate::sample::Sample;

/// fishtest's `LLR_alt`: standard deviations around the two hypotheses in place of maximum-likelihood
/// distributions. For display and planning; decisions use [`Sprt::llr`]. `None` for pairs under BayesElo.
pub fn llr_alt<const K: usize>(test: &Sprt, sample: &Sample<K>) -> Option<f64> {
    let (mean, variance) = (sample.mean(), sample.variance());
    let [h0, h1] = test.fixed_parameters(sample)?.map(|hypothesis| match hypothesis {
        Hypothesis::Mean(score) => variance + (mean - score).powi(2),
        Hypothesis::TValue(t) => {
            // Both t-values are per game here, whatever the trial.
            let games = Sample::<K>::GAMES_PER_TRIAL;
            1.0 + ((mean - 0.5) / (variance * games).sqrt() - t / games.sqrt()).powi(2)
        }
    });
    let weight = match test.model() {
        EloModel::Normalized => sample.trials() * Sample::<K>::GAMES_PER_TRIAL,
        EloModel::Logistic | EloModel::BayesElo => sample.trials(),
    };
    Some(weight / 2.0 * (h0 / h1).ln())
}

/// fishtest's `LLR_alt2`: linear in the mean score (Brownian approximation). `None` for normalized hypotheses
/// and for pairs under BayesElo; inaccurate where the variance is tiny.
pub fn llr_alt2<const K: usize>(test: &Sprt, sample: &Sample<K>) -> Option<f64> {
    match test.model() {
        EloModel::Logistic | EloModel::BayesElo => {
            Some(sample.trials() * LlrSteps::from_sample(test, sample)?.drift(sample.mean()))
        }
        EloModel::Normalized => None,
    }
}

/// The log-likelihood ratio as a random walk with one step per trial, linear in the trial's score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LlrSteps {
    /// The expected scores under H0 and H1, from 0 to 1.
    pub scores: [f64; 2],
    /// The variance of a trial's score.
    spread: f64,
}

impl LlrSteps {
    /// The walk at the sample's variance, which also converts normalized hypotheses to scores. `None` for
    /// pairs under BayesElo.
    pub fn from_sample<const K: usize>(test: &Sprt, sample: &Sample<K>) -> Option<Self> {
        let spread = sample.variance();
        let scores = test.fixed_parameters(sample)?.map(|hypothesis| match hypothesis {
            Hypothesis::Mean(score) => score,
            Hypothesis::TValue(t) => 0.5 + t * spread.sqrt(),
        });
        Some(Self { scores, spread })
    }

    /// The mean step if a trial's mean score is `score`.
    pub fn drift(&self, score: f64) -> f64 {
        let [s0, s1] = self.scores;
        (score - f64::midpoint(s0, s1)) * (s1 - s0) / self.spread
    }

    /// The variance of a step.
    pub fn variance(&self) -> f64 {
        let [s0, s1] = self.scores;
        (s1 - s0).powi(2) / self.spread
    }
}
