//! Small tests whose error is computed, not simulated: every way in which the pairs can come is gone through.
//!
//! What is claimed of an anytime e-value, an error rate at most α however often one looks, must hold here to the last
//! digit. The generalised SPRT promises that for long tests only; its true error in short ones is shown beside it,
//! and so is that of the usual interval, which a few looks suffice to break.

use super::law::{PairLaw, Proband};
use crate::anytime::{Mixture, chances};
use crate::elo;
use crate::{Judgement, Model, Pentanomial, Risks, Sprt, Tally, Trinomial};

/// What an exact chance is held against.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Demand {
    /// At most so much.
    AtMost(f64),
    /// More than so much: the counterexample.
    Above(f64),
    /// Shown, not judged: nobody promised anything.
    Shown,
}

/// An exact chance of erring.
#[derive(Debug, Clone, PartialEq)]
pub struct Exact {
    /// What is looked at after every trial.
    pub rule: String,
    /// The law of a trial.
    pub law: &'static str,
    /// How many trials, in words.
    pub trials: String,
    /// The chance that the rule errs at any look.
    pub chance: f64,
    /// What it is held against.
    pub demand: Demand,
}

impl Exact {
    /// Whether the chance is as demanded.
    pub fn stands(&self) -> bool {
        match self.demand {
            Demand::AtMost(most) => self.chance <= most,
            Demand::Above(least) => least < self.chance,
            Demand::Shown => true,
        }
    }
}

/// The error that everything here claims.
const ALPHA: f64 = 0.05;

/// Pairs looked at. Their counts grow with the fourth power.
const PAIRS: u32 = 20;

/// Games looked at.
const GAMES: u32 = 60;

/// The laws of single games.
const LAWS_OF_GAMES: [(&str, [f64; 3]); 2] = [("even", [0.25, 0.5, 0.25]), ("no draws", [0.5, 0.0, 0.5])];

/// All chances, worked out in about a second.
pub fn exact() -> Vec<Exact> {
    let mut found = Vec::new();
    for (law, weights) in LAWS_OF_GAMES {
        let chance = first_crossing(&weights, GAMES, |games: &Trinomial| mixture_rejects(games));
        found.push(Exact { trials: format!("{GAMES} games"), ..of_mixture(law, chance) });
    }
    for &proband in Proband::ALL {
        let law = tilted(proband);
        let chance = first_crossing(law.chances(), PAIRS, |pairs: &Pentanomial| mixture_rejects(pairs));
        found.push(of_mixture(proband.name(), chance));
    }
    for (proband, elo1) in [(Proband::Typical, 100.0), (Proband::Bimodal, 200.0), (Proband::Lopsided, 100.0)]
    {
        let test = Sprt::new(Model::Logistic, 0.0, elo1, Risks::USUAL).expect("sound bounds");
        let law = tilted(proband);
        let chance = chances(law.chances(), PAIRS, |pairs| test.judge(pairs)).accept_h1;
        let rule = format!("GSPRT [0, {elo1}] accepts H1");
        found.push(Exact { rule, demand: Demand::Shown, ..of_mixture(proband.name(), chance) });
    }
    let law = tilted(Proband::Typical);
    let chance = first_crossing(law.chances(), PAIRS, usual_rejects);
    let rule = "usual 95 % interval excludes the mean".to_owned();
    found.push(Exact { rule, demand: Demand::Above(ALPHA), ..of_mixture(Proband::Typical.name(), chance) });
    found
}

fn of_mixture(law: &'static str, chance: f64) -> Exact {
    Exact {
        rule: format!("mixture e-value reaches {}", 1.0 / ALPHA),
        law,
        trials: format!("{PAIRS} pairs"),
        chance,
        demand: Demand::AtMost(ALPHA),
    }
}

fn tilted(proband: Proband) -> PairLaw {
    proband.law().with_mean(0.5).expect("every proband has losses and wins")
}

fn first_crossing<const K: usize>(
    law: &[f64; K],
    trials: u32,
    mut rejects: impl FnMut(&Tally<K>) -> bool,
) -> f64 {
    let judge = |tally: &Tally<K>| if rejects(tally) { Judgement::AcceptH1 } else { Judgement::KeepPlaying };
    chances(law, trials, judge).accept_h1
}

fn mixture_rejects<const K: usize>(results: &Tally<K>) -> bool {
    Mixture::against(0.5).evidence(results).rejects(ALPHA)
}

/// The usual interval, read from the tenth pair on.
fn usual_rejects(pairs: &Pentanomial) -> bool {
    let excludes = |score: elo::Estimate<f64>| !(score.low..=score.high).contains(&0.5);
    10 <= pairs.trials() && elo::score(pairs).is_some_and(excludes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_claimed_holds_to_the_last_digit() {
        let found = exact();
        for exact in &found {
            assert!(exact.stands() && (0.0..=1.0).contains(&exact.chance), "{exact:?}");
        }
        let broken = Exact { demand: Demand::AtMost(ALPHA), ..found[found.len() - 1].clone() };
        assert!(!broken.stands(), "{broken:?}");
    }
}
