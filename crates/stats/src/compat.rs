//! Figures as other programs print them for the same counts.
//!
//! Our own estimates are in [`super::elo`]. These follow fastchess, cutechess and OpenBench to the digit,
//! including infinities, so that users can compare them and their output can be reproduced.

use std::f64::consts::PI;

use super::bayeselo::{BayesElo, DrawElo, bayeselo_llr};
use super::elo::{Estimate, Logistic, NORMALIZED_SCALE, Normalized, Z95, normal_cdf};
use super::mean::student_quantile;
use super::pentanomial::{ResultCounts, Trinomial};
use super::sample::Sample;

/// An estimate with the half-width of its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WithMargin<T> {
    /// The estimate; infinite for a perfect score.
    pub value: T,
    /// The half-width in the same unit; NaN for an infinite estimate.
    pub margin: f64,
}

/// Figures of fastchess.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fastchess {
    /// Logistic Elo.
    pub elo: WithMargin<Logistic>,
    /// Normalized Elo with its standard deviation taken as known.
    pub normalized: WithMargin<Normalized>,
    /// The likelihood of superiority, from 0 to 1; NaN if all trials ended alike.
    pub superiority: f64,
}

/// fastchess' figures: from raw counts, unclamped. `None` before the first trial.
pub fn fastchess<const K: usize>(results: &ResultCounts<K>) -> Option<Fastchess> {
    let sample = Sample::raw(results)?;
    let (mean, deviation) = (sample.mean(), sample.variance_per_game().sqrt());
    let reach = Z95 * sample.standard_error();
    Some(Fastchess {
        elo: logistic_with_margin(mean, reach),
        normalized: WithMargin {
            value: Normalized((mean - 0.5) / deviation * NORMALIZED_SCALE),
            margin: reach / deviation * NORMALIZED_SCALE,
        },
        superiority: normal_cdf((mean - 0.5) / sample.standard_error()),
    })
}

/// Figures of cutechess.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cutechess {
    /// Logistic Elo, from single games.
    pub elo: WithMargin<Logistic>,
    /// The likelihood of superiority; `None` before the first decisive game.
    pub superiority: Option<f64>,
}

/// cutechess' figures. `None` before the first game.
pub fn cutechess(results: &Trinomial) -> Option<Cutechess> {
    let sample = Sample::raw(results)?;
    let [losses, _, wins] = results.counts;
    Some(Cutechess {
        elo: logistic_with_margin(sample.mean(), winitzki_quantile(0.975) * sample.standard_error()),
        superiority: cutechess_superiority(wins, losses),
    })
}

/// cutechess' likelihood of superiority, from wins and losses only; `None` before the first decisive game.
pub fn cutechess_superiority(wins: u64, losses: u64) -> Option<f64> {
    let (wins, losses) = (wins as f64, losses as f64);
    (wins + losses > 0.0).then(|| normal_cdf((wins - losses) / (wins + losses).sqrt()))
}

/// cutechess' LLR: logistic bounds converted to BayesElo at the sample's `drawelo`, with half a game added to
/// every class.
pub fn cutechess_llr(results: &Trinomial, elo: [Logistic; 2]) -> f64 {
    let weights = results.counts.map(|count| count as f64 + 0.5);
    let draws = Sample::from_weights(weights).and_then(|sample| DrawElo::of_sample(&sample));
    draws.map_or(0.0, |draws| bayeselo_llr(weights, elo.map(|elo| BayesElo(elo.0 / draws.scale())), draws))
}

/// OpenBench's Elo: Student's t with trials - 1 degrees of freedom, clamped scores; zeros for fewer than two
/// trials.
pub fn openbench<const K: usize>(results: &ResultCounts<K>) -> Estimate<Logistic> {
    let none = Estimate { low: Logistic(0.0), value: Logistic(0.0), high: Logistic(0.0) };
    let Some(sample) = Sample::raw(results).filter(|sample| sample.trials() > 1.0) else { return none };
    let (mean, reach) = (sample.mean(), student_quantile(sample.trials() - 1.0) * sample.standard_error());
    Estimate {
        low: Logistic::of_score_clamped(mean - reach),
        value: Logistic::of_score_clamped(mean),
        high: Logistic::of_score_clamped(mean + reach),
    }
}

fn logistic_with_margin(mean: f64, reach: f64) -> WithMargin<Logistic> {
    let elo = |score| Logistic::of_score(score).0;
    // Both programs print half of the distance between the converted ends, which are not symmetric.
    WithMargin { value: Logistic(elo(mean)), margin: (elo(mean + reach) - elo(mean - reach)) / 2.0 }
}

/// Winitzki's closed form of the normal quantile; 1.95940 instead of 1.95996.
fn winitzki_quantile(probability: f64) -> f64 {
    let x = 2.0 * probability - 1.0;
    let a = 8.0 * (PI - 3.0) / (3.0 * PI * (4.0 - PI));
    let y = (1.0 - x * x).ln();
    let z = 2.0 / (PI * a) + y / 2.0;
    std::f64::consts::SQRT_2 * ((z * z - y / a).sqrt() - z).sqrt().copysign(x)
}
