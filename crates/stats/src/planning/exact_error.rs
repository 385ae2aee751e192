//! Exact error probabilities of small tests, by enumerating every sequence of results.
//!
//! The claim of an anytime e-value, an error probability of at most α at any number of checks, must hold
//! exactly. The generalised SPRT is asymptotic; its true error in short tests is shown. So is that of the
//! fixed-sample interval, which a few checks invalidate.

use super::pair_distribution::{PairDistribution, ReferencePairs};
use crate::anytime::{Mixture, chances};
use crate::elo;
use crate::{EloModel, Judgement, Pentanomial, ResultCounts, Risks, Sprt, Trinomial};

/// The requirement on an exact probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ErrorLimit {
    /// At most this.
    AtMost(f64),
    /// More than this: a counterexample.
    Above(f64),
    /// Shown only: nothing is claimed.
    Shown,
}

/// An exact error probability.
#[derive(Debug, Clone, PartialEq)]
pub struct ExactError {
    /// The rule that is checked after every trial.
    pub rule: String,
    /// The name of the trials' distribution.
    pub distribution: &'static str,
    /// The number of trials, as text.
    pub trials: String,
    /// The probability that the rule errs at any check.
    pub chance: f64,
    /// The error probability that is required, with its hypothesis.
    pub demand: ErrorLimit,
}

impl ExactError {
    /// Whether the requirement holds.
    pub fn holds(&self) -> bool {
        match self.demand {
            ErrorLimit::AtMost(most) => self.chance <= most,
            ErrorLimit::Above(least) => least < self.chance,
            ErrorLimit::Shown => true,
        }
    }
}

/// The claimed error probability.
const ALPHA: f64 = 0.05;

/// The number of pairs. The number of different counts grows with its fourth power.
const PAIRS: u32 = 20;

/// The number of games.
const GAMES: u32 = 60;

/// Distributions of single games.
const GAME_DISTRIBUTIONS: [(&str, [f64; 3]); 2] =
    [("even", [0.25, 0.5, 0.25]), ("no draws", [0.5, 0.0, 0.5])];

/// Computes all probabilities, in about a second.
pub fn exact() -> Vec<ExactError> {
    let mut found = Vec::new();
    for (distribution, weights) in GAME_DISTRIBUTIONS {
        let chance = first_crossing(&weights, GAMES, |games: &Trinomial| mixture_rejects(games));
        found.push(ExactError { trials: format!("{GAMES} games"), ..of_mixture(distribution, chance) });
    }
    for &reference in ReferencePairs::ALL {
        let distribution = tilted(reference);
        let chance =
            first_crossing(distribution.chances(), PAIRS, |pairs: &Pentanomial| mixture_rejects(pairs));
        found.push(of_mixture(reference.name(), chance));
    }
    for (reference, elo1) in [
        (ReferencePairs::Typical, 100.0),
        (ReferencePairs::Bimodal, 200.0),
        (ReferencePairs::Lopsided, 100.0),
    ] {
        let test = Sprt::new(EloModel::Logistic, 0.0, elo1, Risks::USUAL).expect("sound bounds");
        let distribution = tilted(reference);
        let chance = chances(distribution.chances(), PAIRS, |pairs| test.judge(pairs)).accept_h1;
        let rule = format!("GSPRT [0, {elo1}] accepts H1");
        found.push(ExactError { rule, demand: ErrorLimit::Shown, ..of_mixture(reference.name(), chance) });
    }
    let distribution = tilted(ReferencePairs::Typical);
    let chance = first_crossing(distribution.chances(), PAIRS, usual_rejects);
    let rule = "usual 95 % interval excludes the mean".to_owned();
    found.push(ExactError {
        rule,
        demand: ErrorLimit::Above(ALPHA),
        ..of_mixture(ReferencePairs::Typical.name(), chance)
    });
    found
}

fn of_mixture(distribution: &'static str, chance: f64) -> ExactError {
    ExactError {
        rule: format!("mixture e-value reaches {}", 1.0 / ALPHA),
        distribution,
        trials: format!("{PAIRS} pairs"),
        chance,
        demand: ErrorLimit::AtMost(ALPHA),
    }
}

fn tilted(reference: ReferencePairs) -> PairDistribution {
    reference.distribution().with_mean(0.5).expect("every reference distribution has losses and wins")
}

fn first_crossing<const K: usize>(
    distribution: &[f64; K],
    trials: u32,
    mut rejects: impl FnMut(&ResultCounts<K>) -> bool,
) -> f64 {
    let judge =
        |tally: &ResultCounts<K>| if rejects(tally) { Judgement::AcceptH1 } else { Judgement::Continue };
    chances(distribution, trials, judge).accept_h1
}

fn mixture_rejects<const K: usize>(results: &ResultCounts<K>) -> bool {
    Mixture::against(0.5).evidence(results).rejects(ALPHA)
}

/// The fixed-sample interval, checked from the tenth pair on.
fn usual_rejects(pairs: &Pentanomial) -> bool {
    let excludes = |score: elo::Estimate<f64>| !(score.low..=score.high).contains(&0.5);
    10 <= pairs.trials() && elo::score(pairs).is_some_and(excludes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_errors_meet_their_claims() {
        let found = exact();
        for exact in &found {
            assert!(exact.holds() && (0.0..=1.0).contains(&exact.chance), "{exact:?}");
        }
        let broken = ExactError { demand: ErrorLimit::AtMost(ALPHA), ..found[found.len() - 1].clone() };
        assert!(!broken.holds(), "{broken:?}");
    }
}
