//! Online e-BH: which tests of a growing sequence reject their hypotheses together.
//!
//! Each test is judged with all that were begun before and after it, so a test that has too little evidence
//! today can reject later, when others have rejected; it never goes back. The false discovery rate is at most
//! the level at every time, also at one that depends on the results, under any dependence of the e-values.
//! Source: Fischer, Xu and Ramdas, "An online generalization of the (e-)Benjamini-Hochberg procedure" (2024),
//! arXiv 2407.20683. With the same weight for each of K tests it is e-BH
//! ([`evidence::discoveries`](super::evidence::discoveries)).
//!
//! ```
//! use std::num::NonZeroU32;
//! use threefold_stats::anytime::{EValue, OnlineEbh};
//!
//! let online = OnlineEbh::new(0.05, NonZeroU32::MIN).expect("a level between 0 and 1");
//! let [twenty, sixty] = [20.0, 60.0].map(|value| Some(EValue::new(value)));
//! assert_eq!(online.discoveries(&[twenty]), [false], "the first test alone needs 40");
//! assert_eq!(online.discoveries(&[twenty, sixty]), [true, true]);
//! ```

use std::num::NonZeroU32;

use super::evidence::EValue;

/// Online e-BH at a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnlineEbh {
    level: f64,
    horizon: NonZeroU32,
}

impl OnlineEbh {
    /// Tolerance for rounding of logarithms: 40 is enough where 40 is needed.
    pub const SLACK: f64 = 1e-12;

    /// The procedure with a false discovery rate of at most `level`; `None` unless that is between 0 and 1. Half
    /// of the level is for the first `horizon` tests, which should be about the number of tests to come.
    pub fn new(level: f64, horizon: NonZeroU32) -> Option<Self> {
        (level > 0.0 && level < 1.0).then_some(Self { level, horizon })
    }

    /// The bound on the false discovery rate.
    pub const fn level(&self) -> f64 {
        self.level
    }

    /// The number of tests that get half of the level.
    pub const fn horizon(&self) -> NonZeroU32 {
        self.horizon
    }

    /// The share of the level that a test gets, by its place in the order of the tests from 0. With the horizon
    /// m it is m / ((m + t)(m + t + 1)) at place t: the shares of the first n places add up to n / (n + m).
    ///
    /// The place of a test must not depend on its own results.
    pub fn weight(&self, place: usize) -> f64 {
        let horizon = f64::from(self.horizon.get());
        let before = horizon + place as f64;
        horizon / (before * (before + 1.0))
    }

    /// Which tests reject, in the order of their places. `None` for a test without an e-value, which counts as
    /// no evidence.
    pub fn discoveries(&self, values: &[Option<EValue>]) -> Vec<bool> {
        let logs: Vec<f64> = self.weighted(values).collect();
        let rejected = most_together(logs.clone(), 0);
        logs.into_iter().map(|log| rejected > 0 && is_enough(log, rejected)).collect()
    }

    /// The e-value with which the test at this place rejects, if the values of the others stay as they are.
    /// More rejections of others make it smaller.
    pub fn needed(&self, values: &[Option<EValue>], place: usize) -> EValue {
        let others = self.weighted(values).enumerate().filter(|&(other, _)| other != place);
        let together = most_together(others.map(|(_, log)| log).collect(), 1);
        EValue::new(1.0 / (together as f64 * self.level * self.weight(place)))
    }

    /// The logarithm of each e-value times its share of the level.
    fn weighted<'v>(&'v self, values: &'v [Option<EValue>]) -> impl Iterator<Item = f64> + 'v {
        values.iter().enumerate().map(|(place, value)| {
            let log = value.map_or(f64::NEG_INFINITY, EValue::log);
            // NaN is no evidence.
            if log.is_nan() { f64::NEG_INFINITY } else { log + (self.level * self.weight(place)).ln() }
        })
    }
}

/// The largest k such that k tests have enough for k rejections: some that reject anyway, and those with these
/// weighted logarithms.
fn most_together(mut logs: Vec<f64>, anyway: usize) -> usize {
    logs.sort_by(|one, other| other.total_cmp(one));
    let ranked = logs.into_iter().enumerate().map(|(rank, log)| (anyway + rank + 1, log));
    // The largest number, even if some smaller one has too little evidence: e-BH is a step-up procedure.
    ranked.filter(|&(number, log)| is_enough(log, number)).map(|(number, _)| number).max().unwrap_or(anyway)
}

/// Is a weighted e-value enough if this number of tests reject?
fn is_enough(log: f64, rejected: usize) -> bool {
    log + OnlineEbh::SLACK >= -(rejected as f64).ln()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::anytime::evidence;

    fn online(level: f64, horizon: u32) -> OnlineEbh {
        OnlineEbh::new(level, NonZeroU32::new(horizon).expect("not 0")).expect("between 0 and 1")
    }

    fn values(numbers: &[f64]) -> Vec<Option<EValue>> {
        numbers.iter().map(|&number| Some(EValue::new(number))).collect()
    }

    #[test]
    fn level_is_between_zero_and_one() {
        for level in [0.0, 1.0, -0.1, f64::NAN] {
            assert_eq!(OnlineEbh::new(level, NonZeroU32::MIN), None, "{level}");
        }
    }

    #[test]
    fn weights_add_up_to_one_and_to_a_half_at_the_horizon() {
        for horizon in [1, 10, 250] {
            let online = online(0.05, horizon);
            let sum = |number: usize| (0..number).map(|place| online.weight(place)).sum::<f64>();
            assert!((sum(horizon as usize) - 0.5).abs() < 1e-12, "{horizon}");
            assert!((1.0 - sum(1_000_000)).abs() < 3e-4, "{horizon}");
        }
    }

    #[test]
    fn discoveries_by_hand() {
        // With horizon 1 the weights are 1/2, 1/6 and 1/12: alone, the tests need 40, 120 and 240.
        let online = online(0.05, 1);
        let table: [(&[f64], &[bool]); 8] = [
            (&[], &[]),
            (&[39.9], &[false]),
            (&[40.0], &[true]),
            (&[20.0, 59.9], &[false, false]),
            (&[20.0, 60.0], &[true, true]), // the first rejects now, too
            (&[1.0, 119.0], &[false, false]),
            (&[13.4, 40.0, 80.0], &[true, true, true]),
            (&[f64::NAN, f64::INFINITY, 0.0], &[false, true, false]),
        ];
        for (numbers, expected) in table {
            assert_eq!(online.discoveries(&values(numbers)), expected, "{numbers:?}");
        }
        assert_eq!(online.discoveries(&[None, Some(EValue::new(120.0))]), [false, true]);
    }

    #[test]
    fn needed_e_value_rejects_and_a_smaller_one_does_not() {
        let online = online(0.05, 3);
        let known = values(&[500.0, 25.0, 3.0, 900.0]);
        for place in 0..known.len() {
            let needed = online.needed(&known, place);
            for (factor, expected) in [(1.0, true), (0.999, false)] {
                let mut changed = known.clone();
                changed[place] = Some(EValue::new(needed.value() * factor));
                assert_eq!(online.discoveries(&changed)[place], expected, "{place}, {factor}");
            }
        }
    }

    proptest! {
        #[test]
        fn rejections_stay_when_tests_are_added(
            logs in prop::collection::vec(-3.0..12.0_f64, 1..30), later in prop::collection::vec(-3.0..12.0_f64, 0..10),
        ) {
            let online = online(0.05, 10);
            let all: Vec<Option<EValue>> =
                logs.iter().chain(&later).map(|&log| Some(EValue::from_log(log))).collect();
            let before = online.discoveries(&all[..logs.len()]);
            for (before, after) in before.into_iter().zip(online.discoveries(&all)) {
                prop_assert!(before <= after, "{all:?}");
            }
        }

        #[test]
        fn equal_weights_give_e_bh(logs in prop::collection::vec(-3.0..9.0_f64, 1..30)) {
            // E-BH of K tests compares e α k / K with 1; each weight here is that of its place.
            let online = online(0.05, 4);
            let number = logs.len() as f64;
            let scaled: Vec<Option<EValue>> = logs
                .iter()
                .enumerate()
                .map(|(place, log)| Some(EValue::from_log(log - (number * online.weight(place)).ln())))
                .collect();
            let plain: Vec<EValue> = logs.iter().copied().map(EValue::from_log).collect();
            prop_assert_eq!(online.discoveries(&scaled), evidence::discoveries(&plain, 0.05));
        }
    }

    /// How the tests of simulated engines without a gain depend on each other.
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Games {
        /// Each has games of its own.
        Own,
        /// All have the same games.
        Shared,
    }

    /// A test that bets a fifth of its stake on each game, until the stake is `enough`, or a twentieth, or after
    /// 2,000 games. Returns the highest and the last stake.
    fn stopped_bets(random: &mut ChaCha8Rng, win: f64, enough: f64) -> [f64; 2] {
        let (mut stake, mut highest) = (1.0_f64, 1.0_f64);
        for _ in 0..2000 {
            let is_won = f64::from(random.next_u32()) < win * 2_f64.powi(32);
            stake *= if is_won { 1.2 } else { 0.8 };
            highest = highest.max(stake);
            if stake >= enough || stake <= 0.05 {
                break;
            }
        }
        [highest, stake]
    }

    /// The mean share of false ones among the rejections of online e-BH, among the tests whose e-value reached
    /// 20 alone, and the mean number of true rejections, in queues of 20 tests of which a tenth has a gain.
    fn simulated(queues: u64, games: Games) -> [f64; 3] {
        const TESTS: usize = 20;
        let online = online(0.05, 10);
        let mut sums = [0.0; 3];
        for queue in 0..queues {
            let mut random = ChaCha8Rng::seed_from_u64(82);
            random.set_stream(queue);
            let shared = random.clone();
            let has_gain: Vec<bool> = (0..TESTS).map(|_| random.next_u32() % 10 == 0).collect();
            let stakes: Vec<[f64; 2]> = has_gain
                .iter()
                .map(|&has_gain| match games {
                    Games::Shared if !has_gain => stopped_bets(&mut shared.clone(), 0.5, 2000.0),
                    Games::Own | Games::Shared => {
                        stopped_bets(&mut random, if has_gain { 0.6 } else { 0.5 }, 2000.0)
                    }
                })
                .collect();
            let ends: Vec<f64> = stakes.iter().map(|stakes| stakes[1]).collect();
            let alone: Vec<bool> = stakes.iter().map(|stakes| stakes[0] >= 20.0).collect();
            let together = online.discoveries(&values(&ends));
            for (sum, rejected) in sums.iter_mut().zip([&together, &alone]) {
                let all = rejected.iter().filter(|&&rejected| rejected).count();
                let wrong = rejected.iter().zip(&has_gain).filter(|&(&rejected, &gain)| rejected && !gain);
                *sum += wrong.count() as f64 / all.max(1) as f64;
            }
            sums[2] +=
                together.iter().zip(&has_gain).filter(|&(&rejected, &gain)| rejected && gain).count() as f64;
        }
        sums.map(|sum| sum / queues as f64)
    }

    #[test]
    fn false_discovery_rate_is_bounded_where_single_tests_exceed_it() {
        for games in [Games::Own, Games::Shared] {
            // The standard error of a share is at most 0.5 / √2000 = 0.011.
            let [online, alone, found] = simulated(2000, games);
            assert!(online <= 0.05, "{games:?}: {online}");
            // The counterexample: each test rejects at 20, its own level of 5 %.
            assert!(games == Games::Shared || alone > 0.2, "{games:?}: {alone}");
            // Two tests of a queue have a gain.
            assert!(found > 1.0, "{games:?}: {found}");
        }
    }
}
