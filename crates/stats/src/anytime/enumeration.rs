//! Exact decision probabilities of a test that depends on counts only, by enumeration.
//!
//! After n trials there are few different counts although there are many orders of results: 1,891 after 60
//! games, about 10,000 after 20 pairs. The probabilities at each trial therefore follow from those at the
//! previous trial, without simulation. The tests of this module's guarantees use it. It also shows how far
//! the true error of a generalised SPRT, which is asymptotic, is from its nominal value on little data.

use std::collections::BTreeMap;

use crate::{Judgement, ResultCounts};

/// Decision probabilities of a test within a number of trials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chances {
    /// Probability of accepting H0.
    pub accept_h0: f64,
    /// Probability of accepting H1.
    pub accept_h1: f64,
    /// Expected number of trials; runs that are still undecided count with the full number.
    pub trials: f64,
}

/// Decision probabilities within `trials` trials, evaluated after each trial, for results with the
/// probabilities `probabilities` (worst result first, sum 1). `judge` is the test: a function of the counts.
pub fn chances<const K: usize>(
    probabilities: &[f64; K],
    trials: u32,
    mut judge: impl FnMut(&ResultCounts<K>) -> Judgement,
) -> Chances {
    let mut found = Chances { accept_h0: 0.0, accept_h1: 0.0, trials: 0.0 };
    // Ordered by counts, so that the sums are reproducible to the last bit.
    let mut open = BTreeMap::from([([0_u64; K], 1.0)]);
    for _ in 0..trials {
        found.trials += open.values().sum::<f64>();
        let mut next = BTreeMap::new();
        for (counts, chance) in open {
            for (class, p) in probabilities.iter().enumerate().filter(|(_, p)| **p > 0.0) {
                let mut counts = counts;
                counts[class] += 1;
                *next.entry(counts).or_insert(0.0) += chance * p;
            }
        }
        next.retain(|&counts, chance| match judge(&ResultCounts { counts }) {
            Judgement::AcceptH0 => {
                found.accept_h0 += *chance;
                false
            }
            Judgement::AcceptH1 => {
                found.accept_h1 += *chance;
                false
            }
            Judgement::Continue => true,
        });
        open = next;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anytime::Mixture;
    use crate::elo::Z95;
    use crate::{EloModel, Logistic, Risks, Sample, Sprt};

    const ALPHA: f64 = 0.05;

    const GAMES: [f64; 3] = [0.3, 0.4, 0.3];
    const PAIRS: [f64; 5] = [0.15, 0.2, 0.3, 0.2, 0.15];

    fn crossing<const K: usize>(
        probabilities: &[f64; K],
        trials: u32,
        rejects: impl Fn(&ResultCounts<K>) -> bool,
    ) -> f64 {
        let judge = |results: &ResultCounts<K>| {
            if rejects(results) { Judgement::AcceptH1 } else { Judgement::Continue }
        };
        chances(probabilities, trials, judge).accept_h1
    }

    /// Rejects with the mixture e-value.
    fn by_mixture<const K: usize>(results: &ResultCounts<K>) -> bool {
        Mixture::against(0.5).evidence(results).rejects(ALPHA)
    }

    /// Rejects with the fixed-sample interval, checked after every trial as if it were the only check.
    fn by_usual_interval<const K: usize>(results: &ResultCounts<K>) -> bool {
        let sample = Sample::raw(results).expect("there is a trial");
        sample.mean() - Z95 * sample.standard_error() > 0.5
    }

    /// A wrong mixture: its gamblers are paid as if the mean were lower by 0.1.
    fn by_corrupted_mixture<const K: usize>(results: &ResultCounts<K>) -> bool {
        Mixture::against(0.4).evidence(results).rejects(ALPHA)
    }

    #[test]
    fn mixture_error_is_bounded_and_wrong_tests_exceed_it() {
        let table = [
            // games, pairs, sound
            (crossing(&GAMES, 60, by_mixture), crossing(&PAIRS, 20, by_mixture), true),
            (crossing(&GAMES, 60, by_usual_interval), crossing(&PAIRS, 20, by_usual_interval), false),
            (crossing(&GAMES, 60, by_corrupted_mixture), crossing(&PAIRS, 20, by_corrupted_mixture), false),
        ];
        for (games, pairs, sound) in table {
            assert_eq!([games <= ALPHA, pairs <= ALPHA], [sound; 2], "{games} {pairs}");
        }
    }

    #[test]
    fn chances_of_one_coin_by_hand() {
        // One heads: H1. Two tails before it: H0.
        let judge = |results: &ResultCounts<2>| match results.counts {
            [0 | 1, 0] => Judgement::Continue,
            [_, 0] => Judgement::AcceptH0,
            [_, _] => Judgement::AcceptH1,
        };
        let found = chances(&[0.75, 0.25], 5, judge);
        assert_eq!(found, Chances { accept_h0: 0.5625, accept_h1: 0.4375, trials: 1.75 });
        let nothing = chances(&[0.75, 0.25], 0, judge);
        assert_eq!(nothing, Chances { accept_h0: 0.0, accept_h1: 0.0, trials: 0.0 });
    }

    /// The nominal 5 % are asymptotic. With few games the test mostly errs less often; with many draws it
    /// accepts H0 too often for a truly stronger player.
    #[test]
    fn sprt_true_errors_are_near_nominal_ones() {
        let exact = |probabilities: &[f64; 3], elo0, elo1| {
            let test = Sprt::new(EloModel::Logistic, elo0, elo1, Risks::USUAL).expect("a sound test");
            chances(probabilities, 90, |games| test.judge(games))
        };
        let level = exact(&GAMES, 0.0, 150.0);
        assert!((level.accept_h1 - 0.0456).abs() < 1e-3, "{level:?}");
        let drawish = [0.02, 0.8, 0.18];
        let stronger = exact(&drawish, 0.0, Logistic::of_score(0.58).0);
        assert!((stronger.accept_h0 - 0.0565).abs() < 1e-3, "{stronger:?}");
    }
}
