//! The BayesElo model (Rao and Kupper's): two parameters, strength and drawishness, for the three results of a game.
//!
//! Old tests state their hypotheses in it. It knows single games only, so it sees less than pairs do. Here is its own
//! likelihood ratio; [`super::EloModel::BayesElo`] tests between its scores, as fishtest and fastchess do. Sources:
//! fishtest's `stat_util` and `LLRlegacy`, cutechess' `sprt.cpp`, OpenBench's `TrinomialSPRT`, fastchess' `sprt.cpp`.

use super::elo::Logistic;
use super::pentanomial::Trinomial;
use super::sample::Sample;

/// A difference in BayesElo.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct BayesElo(pub f64);

/// How far apart BayesElo puts winning from not losing: 0, no draws.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct DrawElo(pub f64);

impl BayesElo {
    /// The chances of loss, draw and win.
    pub fn law(self, draws: DrawElo) -> [f64; 3] {
        let win = Logistic(self.0 - draws.0).score();
        let loss = Logistic(-self.0 - draws.0).score();
        [loss, 1.0 - win - loss, win]
    }

    /// The parameters of a law; `None` where a win or a loss is impossible.
    pub fn of_law([loss, draw, win]: [f64; 3]) -> Option<(Self, DrawElo)> {
        // Sums, not differences from 1: those lose the rare results of a one-sided match.
        let (not_lost, not_won) = (draw + win, draw + loss);
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
        let [loss, _, win] = self.law(draws);
        0.5 + (win - loss) / 2.0
    }
}

impl DrawElo {
    /// As the sample has it; `None` where it has no win or no loss.
    pub fn of_sample(sample: &Sample<3>) -> Option<Self> {
        BayesElo::of_law(*sample.law()).map(|(_, draws)| draws)
    }

    /// Where equals draw this share of their games, from 0 up to but not including 1.
    pub fn of_draw_ratio(share: f64) -> Self {
        Self(400.0 * ((1.0 + share) / (1.0 - share)).log10())
    }

    /// What a small difference in logistic Elo is divided by to give BayesElo: 4x / (1 + x)², x = 10^(-D/400).
    pub fn scale(self) -> f64 {
        let x = 10_f64.powf(-self.0 / 400.0);
        4.0 * x / (1.0 + x).powi(2)
    }
}

/// The log-likelihood ratio of two BayesElo laws at a common drawishness, for weights `n` of loss, draw and win.
pub fn llr_of_laws(n: [f64; 3], elo: [BayesElo; 2], draws: DrawElo) -> f64 {
    let [h0, h1] = elo.map(|elo| elo.law(draws));
    n.iter().zip(h0.into_iter().zip(h1)).map(|(n, (p0, p1))| n * (p1 / p0).ln()).sum()
}

/// The same at the sample's own drawishness, as fishtest once did and OpenBench does for single games: 0 while a
/// result has not occurred.
pub fn llr_at_sample(results: &Trinomial, elo: [BayesElo; 2]) -> f64 {
    let draws = Sample::raw(results).and_then(|sample| DrawElo::of_sample(&sample));
    match draws {
        Some(draws) if results.counts[1] > 0 => {
            llr_of_laws(results.counts.map(|count| count as f64), elo, draws)
        }
        _ => 0.0,
    }
}
