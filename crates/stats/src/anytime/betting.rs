//! The betting test: an SPRT whose error rates hold for any number of pairs, however it is stopped.
//!
//! Two gamblers play against the two hypotheses. The first bets before every trial that its score will exceed `s0`;
//! if the mean score is at most `s0`, whatever else is true, his wealth grows by chance alone, and its chance of ever
//! reaching 1/α is at most α (Ville). The second bets against `s1`. How much they stake may depend on the past
//! alone: the stake is the one that grows fastest at the other hypothesis, with mean and variance as known so far.
//! It is the likelihood ratio of the generalised SPRT made honest: its secular root *is* the best stake, seen too
//! late. Trials count in the order of the schedule, never of completion: short games are not typical games.

use super::evidence::EValue;
use crate::{Judgement, Risks, Sample};

/// What stands for the trials before the first: an even score with some variance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prior {
    /// In trials, above 0.
    pub weight: f64,
    /// Of a trial's score, not negative.
    pub variance: f64,
}

/// A gambler's wealth, starting at 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wealth {
    /// Now.
    pub now: EValue,
    /// At its highest so far; what it has proven once stays proven.
    pub highest: EValue,
}

/// The bets of one test on trials with `K` results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bets<const K: usize> {
    scores: [f64; 2],
    risks: Risks,
    prior: Prior,
    trials: u64,
    sum: f64,
    squares: f64,
    against_h0: Wealth,
    against_h1: Wealth,
    stop: Option<(u64, Judgement)>,
}

/// A gambler stakes at most this part of what a trial could cost him, so that he is never ruined.
const GREATEST_STAKE: f64 = 0.9;

impl Prior {
    /// Four trials whose games are independent and half of them drawn.
    pub const fn usual<const K: usize>() -> Self {
        // A game then has the variance 1/8, the mean of two half of it.
        Self { weight: 4.0, variance: 0.25 / (K - 1) as f64 }
    }
}

impl Wealth {
    const BEGINNING: Self = Self { now: EValue::ONE, highest: EValue::ONE };

    /// One trial on, by the logarithm of what became of each unit of wealth.
    fn grow(&mut self, log_factor: f64) {
        self.now = EValue::from_log(self.now.log() + log_factor);
        if self.highest < self.now {
            self.highest = self.now;
        }
    }

    /// The chance of so much evidence at any moment so far, were the hypothesis true.
    pub fn p_value(&self) -> f64 {
        self.highest.p_value()
    }
}

impl<const K: usize> Bets<K> {
    /// Bets between two mean scores of a trial. `None` unless 0 < s0 < s1 < 1 and the prior is sound.
    pub fn new(scores: [f64; 2], risks: Risks, prior: Prior) -> Option<Self> {
        let [s0, s1] = scores;
        let sound = 0.0 < s0 && s0 < s1 && s1 < 1.0 && 0.0 < prior.weight && 0.0 <= prior.variance;
        sound.then_some(Self {
            scores,
            risks,
            prior,
            trials: 0,
            sum: 0.0,
            squares: 0.0,
            against_h0: Wealth::BEGINNING,
            against_h1: Wealth::BEGINNING,
            stop: None,
        })
    }

    /// The next trial in the order of the schedule, by its class: half-points gained, below `K`.
    pub fn record(&mut self, class: usize) {
        let score = Sample::<K>::score_of(class);
        let [over, under] = self.stakes();
        let [s0, s1] = self.scores;
        self.against_h0.grow((over * (score - s0)).ln_1p());
        self.against_h1.grow((-under * (score - s1)).ln_1p());
        self.trials += 1;
        self.sum += score;
        self.squares += score * score;
        if self.stop.is_none() {
            let judgement = self.judge();
            self.stop = (judgement != Judgement::Continue).then_some((self.trials, judgement));
        }
    }

    /// What either gambler stakes on the next trial, for each unit of wealth and of score.
    fn stakes(&self) -> [f64; 2] {
        let ([s0, s1], Prior { weight, variance }) = (self.scores, self.prior);
        let trials = weight + self.trials as f64;
        let mean = (weight / 2.0 + self.sum) / trials;
        let variance = ((weight * (variance + 0.25) + self.squares) / trials - mean * mean).max(0.0);
        let difference = s1 - s0;
        let best = difference / (variance + difference * difference);
        [best.min(GREATEST_STAKE / s0), best.min(GREATEST_STAKE / (1.0 - s1))]
    }

    fn judge(&self) -> Judgement {
        if self.against_h0.now.rejects(self.risks.alpha) {
            Judgement::AcceptH1
        } else if self.against_h1.now.rejects(self.risks.beta) {
            Judgement::AcceptH0
        } else {
            Judgement::Continue
        }
    }

    /// The mean scores of a trial under the two hypotheses.
    pub const fn scores(&self) -> [f64; 2] {
        self.scores
    }

    /// How many trials have been bet on.
    pub const fn trials(&self) -> u64 {
        self.trials
    }

    /// What the bets against "at most s0" came to: evidence that the first player is the stronger.
    pub const fn against_h0(&self) -> Wealth {
        self.against_h0
    }

    /// What the bets against "at least s1" came to.
    pub const fn against_h1(&self) -> Wealth {
        self.against_h1
    }

    /// What the test has come to. The first decision stays, whatever is recorded after it.
    pub fn judgement(&self) -> Judgement {
        self.stop.map_or(Judgement::Continue, |(_, judgement)| judgement)
    }

    /// The trial at which it was decided, from 1.
    pub fn decided_at(&self) -> Option<u64> {
        self.stop.map(|(trial, _)| trial)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bets<const K: usize>(scores: [f64; 2]) -> Bets<K> {
        Bets::new(scores, Risks::USUAL, Prior::usual::<K>()).expect("a sound test")
    }

    #[test]
    fn scores_that_make_no_test_are_refused() {
        let table = [([0.5, 0.6], true), ([0.5, 0.5], false), ([0.0, 0.5], false), ([0.5, 1.0], false)];
        for (scores, sound) in table {
            let bets = Bets::<5>::new(scores, Risks::USUAL, Prior::usual::<5>());
            assert_eq!(bets.is_some(), sound, "{scores:?}");
        }
        let weightless = Prior { weight: 0.0, variance: 0.1 };
        assert_eq!(Bets::<5>::new([0.5, 0.6], Risks::USUAL, weightless), None);
        assert_eq!(Bets::<5>::new([0.5, f64::NAN], Risks::USUAL, Prior::usual::<5>()), None);
        assert_eq!(Prior::usual::<3>(), Prior { weight: 4.0, variance: 1.0 / 8.0 });
        assert_eq!(Prior::usual::<5>(), Prior { weight: 4.0, variance: 1.0 / 16.0 });
    }

    #[test]
    fn a_decision_stays() {
        let mut bets = bets::<5>([0.5, 0.6]);
        (0..30).for_each(|_| bets.record(4));
        let decided = bets.decided_at();
        assert_eq!((bets.judgement(), decided.is_some()), (Judgement::AcceptH1, true));
        (0..300).for_each(|_| bets.record(0));
        assert_eq!((bets.judgement(), bets.decided_at()), (Judgement::AcceptH1, decided));
        assert!(bets.against_h0().now < EValue::ONE && bets.against_h0().p_value() < 0.05);
    }

    /// Over all 3^9 sequences of nine games with the mean `s0`, the mean of E0 is exactly 1: nobody gains by
    /// knowing the past. With stakes chosen after the fact it would not be.
    #[test]
    fn the_mean_of_all_outcomes_is_the_stake() {
        let law = [0.3, 0.2, 0.5];
        let mean = 0.6;
        let mut before = vec![(bets::<3>([mean, 0.7]), bets::<3>([0.45, mean]), 1.0)];
        for _ in 0..9 {
            before = before
                .into_iter()
                .flat_map(|(over, under, chance)| {
                    law.iter().enumerate().map(move |(class, p)| {
                        let (mut over, mut under) = (over, under);
                        over.record(class);
                        under.record(class);
                        (over, under, chance * p)
                    })
                })
                .collect();
        }
        let over: f64 = before.iter().map(|(over, _, chance)| chance * over.against_h0().now.value()).sum();
        let under: f64 =
            before.iter().map(|(_, under, chance)| chance * under.against_h1().now.value()).sum();
        let greedy: f64 =
            before.iter().map(|(over, _, chance)| chance * over.against_h0().highest.value()).sum();
        assert!((over - 1.0).abs() < 1e-12 && (under - 1.0).abs() < 1e-12, "{over} {under}");
        assert!(greedy > 1.1, "the highest wealth is no e-value: {greedy}");
    }

    proptest! {
        #[test]
        fn nobody_is_ruined_and_the_other_player_sees_the_mirror_image(
            classes in prop::collection::vec(0..5_usize, 1..300), s0 in 0.01..0.98_f64, width in 0.001..0.5_f64,
        ) {
            prop_assume!(s0 + width < 0.99);
            let mut ours = bets::<5>([s0, s0 + width]);
            let mut theirs = bets::<5>([1.0 - s0 - width, 1.0 - s0]);
            for class in classes {
                let before = [ours.against_h0(), ours.against_h1()].map(|wealth| wealth.now.log());
                ours.record(class);
                theirs.record(4 - class);
                let after = [ours.against_h0(), ours.against_h1()].map(|wealth| wealth.now.log());
                for (before, after) in before.into_iter().zip(after) {
                    prop_assert!(after - before >= 0.1_f64.ln() - 1e-9, "{before} {after}");
                }
                let mirrored = [theirs.against_h1(), theirs.against_h0()].map(|wealth| wealth.now.log());
                prop_assert!((after[0] - mirrored[0]).abs() < 1e-7 * (1.0 + after[0].abs()), "{after:?} {mirrored:?}");
                prop_assert!((after[1] - mirrored[1]).abs() < 1e-7 * (1.0 + after[1].abs()), "{after:?} {mirrored:?}");
            }
        }
    }
}
