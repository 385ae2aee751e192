//! Quick stand-ins for the log-likelihood ratio, without a search for likeliest laws.
//!
//! A stopped test's estimate is built on one of them, and pages that plan tests draw with them. No test decides by
//! one. Source: Van den Bergh, "Comparing the approximations"; fishtest's `LLRcalc`.

use super::max_likelihood::Hypothesis;
use super::sprt::{EloModel, Sprt};
use crate::sample::Sample;

/// The quick estimate that fishtest calls `LLR_alt`: spreads around the two hypotheses in place of their likeliest
/// laws. For display and planning; decisions take [`Sprt::llr`]. `None` for pairs under BayesElo.
pub fn llr_alt<const K: usize>(test: &Sprt, sample: &Sample<K>) -> Option<f64> {
    let (mean, variance) = (sample.mean(), sample.variance());
    let [h0, h1] = test.hypotheses(sample)?.map(|hypothesis| match hypothesis {
        Hypothesis::Mean(score) => variance + (mean - score).powi(2),
        Hypothesis::TValue(t) => {
            // Both t-values are those of a game here, whatever the trial.
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

/// The Brownian estimate that fishtest calls `LLR_alt2`: linear in the mean score. `None` for normalized hypotheses,
/// and for pairs under BayesElo; nonsense where the spread is tiny.
pub fn llr_alt2<const K: usize>(test: &Sprt, sample: &Sample<K>) -> Option<f64> {
    match test.model() {
        EloModel::Logistic | EloModel::BayesElo => {
            Some(sample.trials() * LlrSteps::of(test, sample)?.drift(sample.mean()))
        }
        EloModel::Normalized => None,
    }
}

/// The log-likelihood ratio as a walk whose steps, one a trial, depend on the trial's score in a straight line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LlrSteps {
    /// The scores that stand for H0 and H1, from 0 to 1.
    pub scores: [f64; 2],
    /// The variance of a trial's score.
    spread: f64,
}

impl LlrSteps {
    /// The walk at the sample's spread, which also turns normalized hypotheses into scores. `None` for pairs under
    /// BayesElo.
    pub fn of<const K: usize>(test: &Sprt, sample: &Sample<K>) -> Option<Self> {
        let spread = sample.variance();
        let scores = test.hypotheses(sample)?.map(|hypothesis| match hypothesis {
            Hypothesis::Mean(score) => score,
            Hypothesis::TValue(t) => 0.5 + t * spread.sqrt(),
        });
        Some(Self { scores, spread })
    }

    /// The mean step where a trial scores this on average.
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
