//! The state of a sequential test, with and without the pairs that had a fault.
//!
//! A crash or a time loss decides a game, but it shows nothing about the strength of the engines. So the test
//! is computed twice, and it is decided only if both accept the same hypothesis. That can only make a
//! decision rarer: the error rates stay at most those of the test.

use super::distinct_pairs::CountedTrial;
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
    /// The test on the pairs without an engine fault; `None` before the first pair with one.
    pub without_faults: Option<AnyTest>,
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
    /// A test without pairs.
    pub fn new(rule: AnyRule) -> Self {
        Self { running: rule.start(), rule, path: Vec::new(), without_faults: None }
    }

    /// What the rule compares with its bounds.
    pub fn statistic(&self) -> Statistic {
        self.rule.kind().statistic
    }

    /// Adds the next pair or single game; returns the test's decision.
    pub fn record(&mut self, trial: CountedTrial) -> TestStep {
        if trial.has_fault && self.without_faults.is_none() {
            self.without_faults = Some(self.running.clone());
        }
        let judgement = self.running.record(trial.results);
        self.path.push(self.running.value());
        if let Some(without) = self.without_faults.as_mut().filter(|_| !trial.has_fault) {
            without.record(trial.results);
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
        let mut test = TestState::new(config.into());
        let mut last = TestStep::Continue;
        for &(results, has_fault) in pairs.iter().cycle().take(most) {
            last = test.record(CountedTrial { results: results.into(), has_fault });
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
}
