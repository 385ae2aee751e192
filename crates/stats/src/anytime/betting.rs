//! The betting test (e-SPRT): an SPRT whose error rates hold for any number of pairs and any stopping rule.
//!
//! Two gamblers bet, one against each hypothesis. The first bets before every trial that its score will
//! exceed `s0`. If the mean score is at most `s0`, the gambler's wealth is a nonnegative supermartingale, so
//! the probability that it ever reaches 1/α is at most α (Ville's inequality). The second gambler bets
//! against `s1` in the same way. Stakes may depend on past trials only; each stake maximises the expected
//! growth at the other hypothesis, with the mean and variance estimated so far. The stake that would have
//! been best in hindsight is the secular root of the generalised SPRT. Trials are counted in schedule order,
//! not in completion order: short games are not typical games.

use super::evidence::EValue;
use crate::{Judgement, Risks, Sample};

/// Pseudo-trials before the first trial: an even score with some variance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BettingPrior {
    /// Weight in trials, above 0.
    pub weight: f64,
    /// Variance of a trial's score, not negative.
    pub variance: f64,
}

/// A gambler's wealth, starting at 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wealth {
    /// The current wealth.
    pub now: EValue,
    /// The highest wealth so far. Evidence reached once remains valid.
    pub highest: EValue,
}

/// The bets of one test on trials with `K` results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bets<const K: usize> {
    scores: [f64; 2],
    risks: Risks,
    prior: BettingPrior,
    trials: u64,
    sum: f64,
    squares: f64,
    against_h0: Wealth,
    against_h1: Wealth,
    stop: Option<(u64, Judgement)>,
}

/// Upper limit of a stake, as a part of the largest loss per trial, so that the wealth stays positive.
const GREATEST_STAKE: f64 = 0.9;

impl BettingPrior {
    /// Four trials of independent games, half of them drawn.
    pub const fn usual<const K: usize>() -> Self {
        // The variance of a game is then 1/8, that of the mean of two games half of it.
        Self { weight: 4.0, variance: 0.25 / (K - 1) as f64 }
    }
}

impl Wealth {
    const BEGINNING: Self = Self { now: EValue::ONE, highest: EValue::ONE };

    /// Multiplies the wealth by the exponential of `log_factor`.
    fn grow(&mut self, log_factor: f64) {
        self.now = EValue::from_log(self.now.log() + log_factor);
        if self.highest < self.now {
            self.highest = self.now;
        }
    }

    /// The anytime-valid p-value: the probability under the hypothesis of reaching this wealth at any time so
    /// far.
    pub fn p_value(&self) -> f64 {
        self.highest.p_value()
    }
}

impl<const K: usize> Bets<K> {
    /// Bets between two mean scores of a trial. `None` unless 0 < s0 < s1 < 1 and the prior is sound.
    pub fn new(scores: [f64; 2], risks: Risks, prior: BettingPrior) -> Option<Self> {
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

    /// Records the next trial in schedule order by its class: half-points gained, below `K`.
    pub fn record(&mut self, class: usize) {
        let score = Sample::<K>::score_of(class);
        // The stakes are taken before the score is added: they may depend on past trials only.
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

    /// Each gambler's stake on the next trial, per unit of wealth and of score.
    fn stakes(&self) -> [f64; 2] {
        let ([s0, s1], BettingPrior { weight, variance }) = (self.scores, self.prior);
        let trials = weight + self.trials as f64;
        let mean = (weight / 2.0 + self.sum) / trials;
        // The mean square of the prior is its variance plus the square of 1/2. Rounding may make the
        // difference negative.
        let variance = ((weight * (variance + 0.25) + self.squares) / trials - mean * mean).max(0.0);
        let difference = s1 - s0;
        // To second order the growth is l d - l² (V + d²) / 2 with a stake l, which is largest here.
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

    /// The number of trials bet on.
    pub const fn trials(&self) -> u64 {
        self.trials
    }

    /// Wealth of the bets against "the mean is at most s0": evidence that the first player is stronger.
    pub const fn against_h0(&self) -> Wealth {
        self.against_h0
    }

    /// Wealth of the bets against "the mean is at least s1".
    pub const fn against_h1(&self) -> Wealth {
        self.against_h1
    }

    /// The test's decision. The first decision is kept, whatever is recorded later.
    pub fn judgement(&self) -> Judgement {
        self.stop.map_or(Judgement::Continue, |(_, judgement)| judgement)
    }

    /// The trial of the decision, from 1; `None` while undecided.
    pub fn decided_at(&self) -> Option<u64> {
        self.stop.map(|(trial, _)| trial)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bets<const K: usize>(scores: [f64; 2]) -> Bets<K> {
        Bets::new(scores, Risks::USUAL, BettingPrior::usual::<K>()).expect("a sound test")
    }

    #[test]
    fn betting_test_refuses_invalid_scores() {
        let table = [([0.5, 0.6], true), ([0.5, 0.5], false), ([0.0, 0.5], false), ([0.5, 1.0], false)];
        for (scores, sound) in table {
            let bets = Bets::<5>::new(scores, Risks::USUAL, BettingPrior::usual::<5>());
            assert_eq!(bets.is_some(), sound, "{scores:?}");
        }
        let weightless = BettingPrior { weight: 0.0, variance: 0.1 };
        assert_eq!(Bets::<5>::new([0.5, 0.6], Risks::USUAL, weightless), None);
        assert_eq!(Bets::<5>::new([0.5, f64::NAN], Risks::USUAL, BettingPrior::usual::<5>()), None);
        assert_eq!(BettingPrior::usual::<3>(), BettingPrior { weight: 4.0, variance: 1.0 / 8.0 });
        assert_eq!(BettingPrior::usual::<5>(), BettingPrior { weight: 4.0, variance: 1.0 / 16.0 });
    }

    #[test]
    fn betting_decision_is_final() {
        let mut bets = bets::<5>([0.5, 0.6]);
        (0..30).for_each(|_| bets.record(4));
        let decided = bets.decided_at();
        assert_eq!((bets.judgement(), decided.is_some()), (Judgement::AcceptH1, true));
        (0..300).for_each(|_| bets.record(0));
        assert_eq!((bets.judgement(), bets.decided_at()), (Judgement::AcceptH1, decided));
        assert!(bets.against_h0().now < EValue::ONE && bets.against_h0().p_value() < 0.05);
    }

    /// Over all 3^9 sequences of nine games with the mean `s0`, the mean of E0 is exactly 1: knowledge of the
    /// past gives no advantage. With stakes chosen in hindsight it would not be 1.
    #[test]
    fn e_value_has_mean_one_over_all_outcomes() {
        let probabilities = [0.3, 0.2, 0.5];
        let mean = 0.6;
        let mut before = vec![(bets::<3>([mean, 0.7]), bets::<3>([0.45, mean]), 1.0)];
        for _ in 0..9 {
            before = before
                .into_iter()
                .flat_map(|(over, under, chance)| {
                    probabilities.iter().enumerate().map(move |(class, p)| {
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
        fn wealth_stays_positive_and_is_symmetric(
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
