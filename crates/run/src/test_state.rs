//! The state of a sequential test, with and without the pairs that had a fault.
//!
//! A crash or a time loss decides a game, but it shows nothing about the strength of the engines. So the test
//! is computed twice, and it is decided only if both accept the same hypothesis. That can only make a
//! decision rarer: the error rates stay at most those of the test.
//!
//! Pairs that are level say how rarely two versions differ, and little of which is the stronger. If nearly all
//! are, as in games at fixed nodes whose versions differ rarely, the variance of a few others is an accident.
//! So a test decides only after [`LEAST_UNEQUAL_PAIRS`] pairs that are not level.

use super::distinct_pairs::{CountedTrial, PairCounting};
use threefold_stats::pentanomial::LEAST_UNEQUAL_PAIRS;
use threefold_stats::stopping::Statistic;
use threefold_stats::{AnyRule, AnyTest, Judgement};

/// The state of a sequential test.
#[derive(Debug, Clone, PartialEq)]
pub struct TestState {
    /// Its stopping rule.
    pub rule: AnyRule,
    /// The test, with the pairs that count, from the first engine's view.
    pub running: AnyTest,
    /// The statistic after each pair, or after each game if they are single ones.
    pub path: Vec<f64>,
    /// The share of the games or of the time that was used with each of them, from 0 to 1.
    pub shares: Vec<f64>,
    /// The test on the pairs without an engine fault; `None` before the first pair with one.
    pub without_faults: Option<AnyTest>,
    /// The pairs that are not level that a decision needs.
    least_unequal: u64,
}

/// What a test has come to after a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestStep {
    /// It goes on.
    Continue,
    /// It accepts H1, with and without the pairs that had a fault.
    AcceptH1,
    /// It accepts H0, with and without them.
    AcceptH0,
    /// It accepts one hypothesis with them, and the other without.
    DependsOnFaults,
}

impl TestState {
    /// A test without pairs. One that counts every pair decides as fastchess and cutechess-cli do, whatever the
    /// results are.
    pub fn new(rule: AnyRule, counting: PairCounting) -> Self {
        let least_unequal = match counting {
            PairCounting::Distinct => LEAST_UNEQUAL_PAIRS,
            PairCounting::All => 0,
        };
        Self {
            running: rule.start(),
            rule,
            path: Vec::new(),
            shares: Vec::new(),
            without_faults: None,
            least_unequal,
        }
    }

    /// What the rule compares with its bounds.
    pub fn statistic(&self) -> Statistic {
        self.rule.kind().statistic
    }

    /// Adds the next pair or single game; returns the test's decision.
    pub fn record(&mut self, trial: CountedTrial) -> TestStep {
        // Until the first fault both tests have the same pairs, so one is enough.
        if trial.has_fault && self.without_faults.is_none() {
            self.without_faults = Some(self.running.clone());
        }
        self.running.set_share(trial.share);
        let judgement = self.running.record(trial.results);
        self.path.push(self.running.value());
        self.shares.push(trial.share);
        if let Some(without) = self.without_faults.as_mut().filter(|_| !trial.has_fault) {
            without.set_share(trial.share);
            without.record(trial.results);
        }
        if self.running.results().pairs().unequal() < self.least_unequal {
            return TestStep::Continue;
        }
        // The test without faults has fewer pairs, so its own batches end elsewhere: it is looked at when the
        // whole test is.
        let without = self.without_faults.as_ref().map_or(judgement, |without| without.judgement());
        match (judgement, without) {
            (Judgement::AcceptH1, Judgement::AcceptH1) => TestStep::AcceptH1,
            (Judgement::AcceptH0, Judgement::AcceptH0) => TestStep::AcceptH0,
            (Judgement::AcceptH1, Judgement::AcceptH0) | (Judgement::AcceptH0, Judgement::AcceptH1) => {
                TestStep::DependsOnFaults
            }
            (Judgement::Continue, _) | (_, Judgement::Continue) => TestStep::Continue,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;
    use threefold_stats::{EloModel, GameResult, Overshoot, Risks, Sprt, SprtConfig, TrialUnit};

    fn config(batch: u32) -> SprtConfig {
        let sprt = Sprt::new(EloModel::Logistic, 0.0, 50.0, Risks::USUAL).expect("sound");
        let batch = NonZeroU32::new(batch).expect("not zero");
        SprtConfig::new(sprt, TrialUnit::Pairs, batch, Overshoot::Ignore).expect("sound")
    }

    /// Plays pairs, again and again, until the test ends; the last step, all pairs, and those without a
    /// fault.
    fn play(config: SprtConfig, pairs: &[([GameResult; 2], bool)], most: usize) -> (TestStep, u64, u64) {
        let mut test = TestState::new(config.into(), PairCounting::Distinct);
        let mut last = TestStep::Continue;
        for &(results, has_fault) in pairs.iter().cycle().take(most) {
            last = test.record(CountedTrial { results: results.into(), has_fault, share: 0.0 });
            if last != TestStep::Continue {
                break;
            }
        }
        let without = test.without_faults.as_ref().unwrap_or(&test.running);
        (last, test.running.results().pairs().trials(), without.results().pairs().trials())
    }

    #[test]
    fn faults_alone_decide_no_test() {
        use GameResult::{Draw, Loss, Win};
        let (level, won, lost) = ([Win, Loss], [Draw, Win], [Loss, Draw]);
        // Without a fault the wins are evidence.
        assert_eq!(play(config(1), &[(level, false), (won, false)], 2_000).0, TestStep::AcceptH1);
        for batch in [1, 7] {
            // The opponent crashes in every second pair. The other pairs are level, and accept H0.
            let (step, all, without) = play(config(batch), &[(level, false), (won, true)], 2_000);
            assert_eq!((step, all.div_ceil(2)), (TestStep::DependsOnFaults, without), "batch of {batch}");
            // The engine under test crashes in every second pair, and is stronger in the others.
            let (step, ..) = play(config(batch), &[(won, false), ([Loss, Loss], true)], 2_000);
            assert_eq!(step, TestStep::DependsOnFaults, "batch of {batch}");
            // Faults that change nothing only cost pairs.
            let (step, all, without) =
                play(config(batch), &[(won, false), (won, false), (level, false), (lost, true)], 2_000);
            assert_eq!(step, TestStep::AcceptH1, "batch of {batch}");
            assert!(without < all, "{without} of {all}");
        }
        // All pairs have faults: the test without them has no pair, and never ends.
        assert_eq!(play(config(1), &[(won, true), (level, true)], 500), (TestStep::Continue, 500, 0));
    }

    #[test]
    fn test_decides_only_after_enough_pairs_that_are_not_level() {
        use GameResult::{Draw, Loss, Win};
        let (level, won) = ([Win, Loss], [Draw, Win]);
        // Equal versions: the bounds are passed, and there is no decision.
        let mut test = TestState::new(config(1).into(), PairCounting::Distinct);
        let results = level.into();
        let never = (0..5_000).all(|_| {
            test.record(CountedTrial { results, has_fault: false, share: 0.0 }) == TestStep::Continue
        });
        assert!(never && test.running.judgement() == Judgement::AcceptH0, "{:?}", test.running.judgement());
        // One pair in ten is not level, and the first engine wins all of these.
        let mut pairs = vec![(level, false); 9];
        pairs.push((won, false));
        let (step, all, _) = play(config(1), &pairs, 5_000);
        assert_eq!((step, all), (TestStep::AcceptH0, 10 * LEAST_UNEQUAL_PAIRS));
        let mut peer = TestState::new(config(1).into(), PairCounting::All);
        let first = (1..500).find(|_| {
            peer.record(CountedTrial { results, has_fault: false, share: 0.0 }) != TestStep::Continue
        });
        assert!(first < Some(200), "fastchess decides: {first:?}");
    }
}
