//! The BayesElo model (Rao and Kupper): two parameters, strength and draw tendency, for the three results of
//! a game.
//!
//! Older tests state their hypotheses in this unit. It models single games only and therefore uses less
//! information than pairs. This module has the model's own likelihood ratio; [`super::EloModel::BayesElo`]
//! tests between its expected scores, as fishtest and fastchess do. Sources: fishtest's `stat_util` and
//! `LLRlegacy`, cutechess' `sprt.cpp`, OpenBench's `TrinomialSPRT`, fastchess' `sprt.cpp`.

use super::elo::Logistic;
use super::pentanomial::Trinomial;
use super::sample::Sample;

/// A difference in BayesElo.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct BayesElo(pub f64);

/// The `drawelo` parameter: the half-width of the draw range, in BayesElo; 0 means no draws.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct DrawElo(pub f64);

impl BayesElo {
    /// Probabilities of loss, draw and win.
    pub fn probabilities(self, draws: DrawElo) -> [f64; 3] {
        let win = Logistic(self.0 - draws.0).score();
        let loss = Logistic(-self.0 - draws.0).score();
        [loss, 1.0 - win - loss, win]
    }

    /// The parameters of a distribution; `None` where a win or a loss is impossible.
    pub fn from_probabilities([loss, draw, win]: [f64; 3]) -> Option<(Self, DrawElo)> {
        // Sums, not differences from 1, which would lose the rare results of a one-sided match.
        let (not_lost, not_won) = (draw + win, draw + loss);
        // The product of the odds 10^((b - D)/400) and 10^((b + D)/400) is 10^(b/200), without D.
        let strength = 200.0 * (win * not_lost / (loss * not_won)).log10();
        let draws = 200.0 * (not_lost * not_won / (loss * win)).log10();
        (strength.is_finite() && draws.is_finite()).then_some((Self(strength), DrawElo(draws)))
    }

    /// The logistic difference with the same expected score.
    pub fn logistic(self, draws: DrawElo) -> Logistic {
        Logistic::of_score(self.score(draws))
    }

    /// The expected score, from 0 to 1.
    pub fn score(self, draws: DrawElo) -> f64 {
        let [loss, _, win] = self.probabilities(draws);
        0.5 + (win - loss) / 2.0
    }
}

impl DrawElo {
    /// The sample's value; `None` without a win or without a loss.
    pub fn of_sample(sample: &Sample<3>) -> Option<Self> {
        BayesElo::from_probabilities(*sample.probabilities()).map(|(_, draws)| draws)
    }

    /// The value at which equal players draw this share of their games; from 0 to below 1.
    pub fn of_draw_ratio(share: f64) -> Self {
        Self(400.0 * ((1.0 + share) / (1.0 - share)).log10())
    }

    /// The divisor that converts a small difference in logistic Elo to BayesElo: 4x / (1 + x)², x =
    /// 10^(-D/400).
    pub fn scale(self) -> f64 {
        let x = 10_f64.powf(-self.0 / 400.0);
        4.0 * x / (1.0 + x).powi(2)
    }
}

/// The log-likelihood ratio of two BayesElo distributions with a common `drawelo`, for weights `n` of loss,
/// draw and win.
pub fn bayeselo_llr(n: [f64; 3], elo: [BayesElo; 2], draws: DrawElo) -> f64 {
    let [h0, h1] = elo.map(|elo| elo.probabilities(draws));
    n.iter().zip(h0.into_iter().zip(h1)).map(|(n, (p0, p1))| n * (p1 / p0).ln()).sum()
}

/// The log-likelihood ratio at the sample's own `drawelo`, as fishtest once did and OpenBench does for single
/// games; 0 while a result has not occurred.
pub fn llr_at_sample(results: &Trinomial, elo: [BayesElo; 2]) -> f64 {
    let draws = Sample::raw(results).and_then(|sample| DrawElo::of_sample(&sample));
    match draws {
        // Without draws `drawelo` is 0, and their term would be 0 · ln(0/0). OpenBench returns 0, too.
        Some(draws) if results.counts[1] > 0 => {
            bayeselo_llr(results.counts.map(|count| count as f64), elo, draws)
        }
        _ => 0.0,
    }
}
