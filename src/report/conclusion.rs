//! What a sequential test allows one to say, in sentences.
//!
//! The tempting sentences are wrong: a test that isn't decided doesn't show that two engines are equal, and the
//! Elo of a test that stopped when it looked good looks better than it is. So the right ones stand here, once.

use super::model::{Duel, Test, TestStanding};
use super::phrase;

impl Test {
    /// How it stands and what may be concluded, in a sentence or two.
    pub fn conclusion(&self) -> String {
        let Duel { ours, theirs, .. } = &self.duel;
        let [elo0, elo1] = [self.sprt.elo0(), self.sprt.elo1()].map(phrase::signed);
        let unit = self.unit();
        let risks = self.sprt.risks();
        match self.standing {
            TestStanding::AcceptedH1 => format!(
                "Decided for H1: {ours} minus {theirs} is {elo1} rather than {elo0} {unit}; a difference of \
                 {elo0} would be taken for that in about {} of all tests.",
                phrase::percent(risks.alpha)
            ),
            TestStanding::AcceptedH0 => format!(
                "Decided for H0: {ours} minus {theirs} is {elo0} rather than {elo1} {unit}; a difference of \
                 {elo1} would be taken for that in about {} of all tests.",
                phrase::percent(risks.beta)
            ),
            TestStanding::BudgetSpent => format!(
                "Not decided: the games granted are played and the evidence lies between the bounds. Neither \
                 {elo0} nor {elo1} {unit} may be concluded, nor that {ours} and {theirs} are equal."
            ),
            TestStanding::Interrupted => format!(
                "Not decided: the test was interrupted. Nothing may be concluded about {ours} and {theirs} yet."
            ),
        }
    }

    /// What else must be known to read the figures.
    pub fn caveat(&self) -> &'static str {
        match self.standing {
            TestStanding::AcceptedH1 | TestStanding::AcceptedH0 => {
                "The intervals are those of a match of fixed length. This test stopped because of its results, \
                 so they are too narrow and their middle leans to the winner."
            }
            TestStanding::BudgetSpent | TestStanding::Interrupted => {
                "The intervals are those of a match of fixed length; a test that may stop at every pair covers \
                 less with them than 95 %."
            }
        }
    }

    /// The unit of its hypotheses.
    pub fn unit(&self) -> &'static str {
        self.sprt.model().unit()
    }

    /// What is tested, in a sentence's second half: `0 (H0) against +10 (H1) normalized Elo, α = 0.05, …`.
    pub fn question(&self) -> String {
        let [elo0, elo1] = [self.sprt.elo0(), self.sprt.elo1()].map(phrase::signed);
        let (unit, risks) = (self.unit(), self.sprt.risks());
        format!(
            "{elo0} (H0) against {elo1} (H1) {unit}, α = {}, β = {}, over pairs of games with colours swapped",
            risks.alpha, risks.beta
        )
    }

    /// The evidence so far: `LLR +0.82 within (-2.94, +2.94)`.
    pub fn evidence(&self) -> String {
        let bounds = self.sprt.bounds();
        let llr = self.path.last().copied().unwrap_or_default();
        format!("LLR {llr:+.2}, bounds {:+.2} and {:+.2}", bounds.lower, bounds.upper)
    }
}

impl Duel {
    /// `LL 3, LD 20, WL+DD 41, WD 24, WW 5`.
    pub fn classes(&self) -> String {
        let counts = self.pairs.counts;
        let named: Vec<String> =
            PAIR_CLASSES.iter().zip(counts).map(|(class, count)| format!("{class} {count}")).collect();
        named.join(", ")
    }
}

/// How pairs end for the first engine, worst first.
pub(super) const PAIR_CLASSES: [&str; 5] = ["LL", "LD", "WL+DD", "WD", "WW"];
