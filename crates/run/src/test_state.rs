//! The state of a sequential test, with and without the pairs that had a fault.
//!
//! A crash or a time loss decides a game, but it shows nothing about the strength of the engines. So the test is computed twice, and it
//! is decided only if both accept the same hypothesis. That can only make a decision rarer: the error rates stay at most those of the
//! test.

use super::distinct_pairs::CountedTrial;
use threefold_stats::anytime::Esprt;
use threefold_stats::{Judgement, Look, Pentanomial, SprtConfig, SprtState};

/// The state of a sequential test.
#[derive(Debug, Clone, PartialEq)]
pub struct TestState {
    /// The test, with the pairs that count, from the first engine's view.
    pub running: SprtState,
    /// The log-likelihood ratio after each pair, or after each game if they are single ones.
    pub path: Vec<f64>,
    /// The e-values of the same pairs, in schedule order; they decide nothing.
    pub bets: Esprt<5>,
    /// The same test without the pairs that had a fault; `None` before the first of them.
    pub without_faults: Option<TestWithoutFaults>,
}

/// A test without the pairs that had a fault.
#[derive(Debug, Clone, PartialEq)]
pub struct TestWithoutFaults {
    /// The test.
    pub running: SprtState,
    /// Its log-likelihood ratio; 0 before the first pair.
    pub llr: f64,
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
    pub fn new(test: SprtConfig) -> Self {
        Self {
            running: SprtState::new(test),
            path: Vec::new(),
            bets: Esprt::new(&test.sprt()),
            without_faults: None,
        }
    }

    /// Adds the next pair or single game; returns the test's decision.
    pub fn record(&mut self, trial: CountedTrial) -> TestStep {
        if trial.has_fault && self.without_faults.is_none() {
            let llr = self.path.last().copied().unwrap_or_default();
            self.without_faults = Some(TestWithoutFaults { running: self.running.clone(), llr });
        }
        let Look { pair, llr, judgement } = self.running.record_trial(trial.results);
        if let Some(pair) = pair {
            self.bets.record(Pentanomial::class(pair));
        }
        self.path.push(llr);
        if let Some(without) = self.without_faults.as_mut().filter(|_| !trial.has_fault) {
            without.llr = without.running.record_trial(trial.results).llr;
        }
        // The test without faults has fewer pairs, so its own batches end elsewhere: it is looked at when the whole test is.
        let without = self.without_faults.as_ref().map_or(judgement, TestWithoutFaults::judgement);
        match (judgement, without) {
            (Judgement::AcceptH1, Judgement::AcceptH1) => TestStep::AcceptH1,
            (Judgement::AcceptH0, Judgement::AcceptH0) => TestStep::AcceptH0,
            (Judgement::AcceptH1, Judgement::AcceptH0) | (Judgement::AcceptH0, Judgement::AcceptH1) => {
                TestStep::DependsOnFaults
            }
            (Judgement::Continue, _) | (_, Judgement::Continue) => TestStep::Continue,
        }
    }

    /// Which hypothesis the log-likelihood ratio accepts now, with the pairs that had a fault and without them.
    pub fn judgements(&self) -> [Judgement; 2] {
        let llr = self.path.last().copied().unwrap_or_default();
        let all = self.running.bounds().judge(llr);
        [all, self.without_faults.as_ref().map_or(all, TestWithoutFaults::judgement)]
    }
}

impl TestWithoutFaults {
    /// Which hypothesis the log-likelihood ratio accepts now.
    pub fn judgement(&self) -> Judgement {
        self.running.bounds().judge(self.llr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;
    use threefold_stats::{EloModel, GameResult, Overshoot, Risks, Sprt, TrialUnit};

    fn config(batch: u32) -> SprtConfig {
        let sprt = Sprt::new(EloModel::Logistic, 0.0, 50.0, Risks::USUAL).expect("sound");
        let batch = NonZeroU32::new(batch).expect("not zero");
        SprtConfig::new(sprt, TrialUnit::Pairs, batch, Overshoot::Ignore).expect("sound")
    }

    /// Plays pairs, again and again, until the test ends; the last step, all pairs, and those without a fault.
    fn play(config: SprtConfig, pairs: &[([GameResult; 2], bool)], most: usize) -> (TestStep, u64, u64) {
        let mut test = TestState::new(config);
        let mut last = TestStep::Continue;
        for &(results, has_fault) in pairs.iter().cycle().take(most) {
            last = test.record(CountedTrial { results: results.into(), has_fault });
            if last != TestStep::Continue {
                break;
            }
        }
        let without = test.without_faults.as_ref().map_or(&test.running, |without| &without.running);
        (last, test.running.pairs().trials(), without.pairs().trials())
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
