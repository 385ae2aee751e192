//! The betting test that runs in parallel to another test, with the same bounds converted to scores.
//!
//! Bounds in logistic Elo are scores. Normalized Elo is a score divided by its standard deviation, and a bet
//! needs a score that is fixed beforehand. A test with normalized bounds therefore begins with a pilot phase
//! that estimates the standard deviation and is not bet on. The pilot lasts until 16 trials have scored other
//! than 1/2: about 32 pairs with a typical book, about 400 where 98 % of the games are drawn. With fewer
//! trials chance would dominate the scores (one pair won 2-0 weighs as much as four won 1.5-0.5); 16 give the
//! standard deviation to about an eighth. Given the pilot, the guarantee is that of a betting test between
//! the two resulting scores. A bound of 0 is the score 1/2 in either unit.

use super::betting::{Bets, BettingPrior};
use super::evidence::EValue;
use crate::sequential::{EloHypotheses, expected_scores};
use crate::{EloModel, Logistic, Sample};

/// Number of trials with a score other than 1/2 that ends the pilot.
const ENOUGH_DECIDED: u64 = 16;

/// A betting test in parallel to another test, on trials with `K` results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Esprt<const K: usize> {
    question: EloHypotheses,
    pilot: Pilot,
    bets: Option<Bets<K>>,
}

/// The pilot: trials that estimate the standard deviation and are not bet on.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Pilot {
    trials: u64,
    decided: u64,
    /// Sum of the squared differences of the scores from 1/2.
    squares: f64,
}

impl<const K: usize> Esprt<K> {
    /// The betting test of these hypotheses, before the first trial.
    pub fn new(question: &EloHypotheses) -> Self {
        let mut companion = Self { question: *question, pilot: Pilot::default(), bets: None };
        if question.model() == EloModel::Logistic {
            // The variance does not matter in this unit.
            companion.begin(0.0);
        }
        companion
    }

    /// Bounds whose scores are outside (0, 1) get no bets at all.
    fn begin(&mut self, variance_per_game: f64) {
        let scores = expected_scores(&self.question, variance_per_game);
        self.bets = Bets::new(scores, self.question.risks(), BettingPrior::usual::<K>());
    }

    /// Records the next trial in schedule order by its class: half-points gained, below `K`.
    pub fn record(&mut self, class: usize) {
        if let Some(bets) = &mut self.bets {
            bets.record(class);
            return;
        }
        let distance = Sample::<K>::score_of(class) - 0.5;
        self.pilot.trials += 1;
        self.pilot.squares += distance * distance;
        if 2 * class != K - 1 {
            self.pilot.decided += 1;
            if self.pilot.decided == ENOUGH_DECIDED {
                self.begin(self.pilot.squares / self.pilot.trials as f64 * Sample::<K>::GAMES_PER_TRIAL);
            }
        }
    }

    /// The e-values against H0 and against H1; [`EValue::ONE`] during the pilot.
    pub fn evidence(&self) -> [EValue; 2] {
        self.bets.map_or([EValue::ONE; 2], |bets| [bets.against_h0().now, bets.against_h1().now])
    }

    /// The bets; `None` during the pilot.
    pub const fn bets(&self) -> Option<&Bets<K>> {
        self.bets.as_ref()
    }

    /// The number of pilot trials.
    pub const fn pilot(&self) -> u64 {
        self.pilot.trials
    }

    /// The hypotheses as used by the bets, H0 first, in logistic Elo; `None` during the pilot.
    pub fn hypotheses(&self) -> Option<[Logistic; 2]> {
        // An even score is -0 Elo; adding 0 removes the sign.
        Some(self.bets?.scores().map(|score| Logistic(Logistic::of_score(score).0 + 0.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Judgement, Risks};

    fn companion(model: EloModel, elo0: f64, elo1: f64) -> Esprt<5> {
        Esprt::new(&EloHypotheses::new(model, elo0, elo1, Risks::USUAL).expect("a sound test"))
    }

    #[test]
    fn pilot_lasts_until_the_variance_is_known() {
        let table = [
            // repeated classes, pairs of the pilot, variance of a game
            (vec![1, 3], 16, 1.0 / 8.0),
            (vec![0, 4], 16, 1.0 / 2.0),
            (vec![4], 16, 1.0 / 2.0),
            ([vec![2; 24], vec![3]].concat(), 400, 1.0 / 200.0),
        ];
        for (classes, pairs, variance) in table {
            let mut test = companion(EloModel::Normalized, 0.0, 20.0);
            for &class in classes.iter().cycle().take(2000) {
                test.record(class);
            }
            assert_eq!(test.pilot(), pairs, "{classes:?}");
            let bets = test.bets().expect("the pilot is over");
            assert_eq!(bets.trials(), 2000 - pairs);
            let spread = f64::sqrt(variance);
            let [s0, s1] = bets.scores();
            assert!((s0 - 0.5).abs() < 1e-15, "level is level in either unit");
            assert!((s1 - 0.5 - 20.0 * spread * 10_f64.ln() / 800.0).abs() < 1e-15);
        }
    }

    #[test]
    fn logistic_bounds_need_no_pilot() {
        let mut test = companion(EloModel::Logistic, -5.0, 20.0);
        (0..60).for_each(|_| test.record(4));
        let bets = test.bets().expect("there is no pilot");
        assert_eq!((test.pilot(), bets.trials(), bets.judgement()), (0, 60, Judgement::AcceptH1));
        let [elo0, elo1] = test.hypotheses().expect("there is no pilot");
        assert!((elo0.0 + 5.0).abs() < 1e-9 && (elo1.0 - 20.0).abs() < 1e-9);
    }

    #[test]
    fn pilot_ignores_level_pairs() {
        let mut test = companion(EloModel::Normalized, 0.0, 20.0);
        (0..5000).for_each(|_| test.record(2));
        assert_eq!((test.bets(), test.hypotheses(), test.pilot()), (None, None, 5000));
    }
}
