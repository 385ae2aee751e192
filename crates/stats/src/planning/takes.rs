//! Simulation of several takes against one base, with the rules of a real run: the SPRT of each take, and the
//! batches of [`TakeSchedule`].

use std::ops::{AddAssign, Range};

use super::fast_sprt::FastSprt;
use super::pair_sampler::{PairDraws, PairSchedule};
use crate::takes::{BatchRule, TakePosterior, TakeSchedule, TakesEnd};
use crate::{Judgement, Sprt};

/// A run of several takes to simulate.
#[derive(Debug, Clone, Copy)]
pub struct TakesSimulation<'t> {
    /// The test of each take, at its own level.
    pub test: &'t Sprt,
    /// The pairs of each take.
    pub takes: &'t [PairSchedule],
    /// When the run ends.
    pub end: TakesEnd,
    /// The number of pairs of a take after which its test ends undecided.
    pub limit: u64,
    /// The pairs of a batch, and the number of batches at a time; each run has its own seed.
    pub batches: BatchRule,
}

/// The sums over simulated runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TakesCounts {
    /// The number of runs.
    pub runs: u64,
    /// The runs in which any take passed.
    pub some_passed: u64,
    /// The runs in which a take passed for which H0 is true.
    pub null_passed: u64,
    /// Each take, in order.
    pub takes: Vec<TakeCounts>,
}

/// The sums of one take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TakeCounts {
    /// The runs in which it passed.
    pub passed: u64,
    /// The runs in which its test accepted H0.
    pub failed: u64,
    /// Its pairs that count.
    pub pairs: u64,
}

impl TakesCounts {
    /// The pairs of all takes and runs.
    pub fn pairs(&self) -> u64 {
        self.takes.iter().map(|take| take.pairs).sum()
    }

    /// The mean number of games of a run; NaN without a run.
    pub fn mean_games(&self) -> f64 {
        2.0 * self.pairs() as f64 / self.runs as f64
    }
}

impl AddAssign for TakesCounts {
    fn add_assign(&mut self, other: Self) {
        self.runs += other.runs;
        self.some_passed += other.some_passed;
        self.null_passed += other.null_passed;
        self.takes.resize(self.takes.len().max(other.takes.len()), TakeCounts::default());
        for (sum, take) in self.takes.iter_mut().zip(other.takes) {
            sum.passed += take.passed;
            sum.failed += take.failed;
            sum.pairs += take.pairs;
        }
    }
}

/// A take in a simulated run.
struct Running<'t> {
    test: FastSprt<'t>,
    draws: PairDraws<'t>,
    judgement: Judgement,
}

impl TakesSimulation<'_> {
    /// Simulates these runs. `is_null` says of each take whether H0 is true for it.
    pub fn run(&self, seed: u64, runs: Range<u64>, is_null: &[bool]) -> TakesCounts {
        let mut counts = TakesCounts::default();
        for run in runs {
            let takes = self.run_once(seed, run);
            let passed = |take: &Running<'_>| take.judgement == Judgement::AcceptH1;
            counts += TakesCounts {
                runs: 1,
                some_passed: u64::from(takes.iter().any(passed)),
                null_passed: u64::from(takes.iter().zip(is_null).any(|(take, null)| *null && passed(take))),
                takes: takes
                    .iter()
                    .map(|take| TakeCounts {
                        passed: u64::from(passed(take)),
                        failed: u64::from(take.judgement == Judgement::AcceptH0),
                        pairs: take.test.played(),
                    })
                    .collect(),
            };
        }
        counts
    }

    fn run_once(&self, seed: u64, run: u64) -> Vec<Running<'_>> {
        let number = self.takes.len() as u64;
        let mut takes: Vec<Running<'_>> = (0..)
            .zip(self.takes)
            .map(|(index, pairs)| Running {
                test: FastSprt::new(self.test),
                // Each take of each run has its own stream, so the pairs of the takes are independent.
                draws: pairs.run(seed, run * number + index),
                judgement: Judgement::Continue,
            })
            .collect();
        let hypotheses = self.test.hypotheses();
        let posterior = |take: &Running<'_>| {
            (take.judgement == Judgement::Continue)
                .then(|| TakePosterior::of_counts(hypotheses, take.test.pairs()))
        };
        let mut posteriors: Vec<Option<TakePosterior>> = takes.iter().map(posterior).collect();
        // Another seed than that of the pairs, whose streams are numbered, too.
        let rule = BatchRule { seed: !(seed.rotate_left(32) ^ run), ..self.batches };
        let mut schedule = TakeSchedule::new(rule, vec![self.limit; takes.len()], &posteriors);
        while let Some(batch) = schedule.first() {
            let take = &mut takes[batch.take];
            for _ in 0..batch.trials {
                if take.judgement != Judgement::Continue {
                    break;
                }
                take.judgement = take.test.record(take.draws.draw());
            }
            if self.end == TakesEnd::FirstPass && take.judgement == Judgement::AcceptH1 {
                break;
            }
            posteriors[batch.take] = posterior(take);
            schedule.advance(&posteriors);
        }
        takes
    }
}

#[cfg(test)]
mod tests;
