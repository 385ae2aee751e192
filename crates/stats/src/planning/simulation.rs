//! Simulation of tests: error rates and numbers of pairs.
//!
//! A simulation is a function of its seed and its run numbers, so ranges of runs can be computed anywhere and
//! added ([`SimulationCounts`]); the sum does not depend on the number of threads.

use std::ops::{AddAssign, Range};

use super::fast_sprt::FastSprt;
use super::pair_sampler::PairSchedule;
use crate::anytime::{Bets, Esprt};
use crate::interval::Rate;
use crate::{Judgement, Sprt};
use threefold_named_enum::named_enum;

named_enum! {
    /// The decision procedure of a test.
    pub enum Procedure {
        /// By the generalised likelihood ratio and Wald's bounds.
        LikelihoodRatio = "GSPRT",
        /// By bets before each pair; needs no model and no asymptotics.
        Betting = "e-SPRT",
    }
}

/// A test to simulate.
#[derive(Debug, Clone, Copy)]
pub struct SprtSimulation<'t> {
    /// The test that is simulated.
    pub test: &'t Sprt,
    /// The decision procedure.
    pub procedure: Procedure,
    /// The distribution of its pairs.
    pub schedule: &'t PairSchedule,
    /// The number of pairs after which a run is stopped as undecided.
    pub limit: u64,
}

/// Counts of simulated runs by decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SimulationCounts {
    /// Runs that accepted H1.
    pub passed: u64,
    /// Runs that accepted H0.
    pub failed: u64,
    /// Runs without a decision.
    pub undecided: u64,
    /// Pairs of all runs.
    pub pairs: u64,
}

impl SimulationCounts {
    /// The number of runs.
    pub const fn runs(&self) -> u64 {
        self.passed + self.failed + self.undecided
    }

    /// The rate of runs that accepted H1.
    pub const fn passes(&self) -> Rate {
        Rate { successes: self.passed, failures: self.failed + self.undecided }
    }

    /// The mean number of pairs per run; NaN without a run.
    pub fn mean_pairs(&self) -> f64 {
        self.pairs as f64 / self.runs() as f64
    }
}

impl AddAssign for SimulationCounts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.undecided += other.undecided;
        self.pairs += other.pairs;
    }
}

impl SprtSimulation<'_> {
    /// Simulates these runs.
    pub fn run(&self, seed: u64, runs: Range<u64>) -> SimulationCounts {
        let mut outcomes = SimulationCounts::default();
        for run in runs {
            let (judgement, pairs) = match self.procedure {
                Procedure::LikelihoodRatio => {
                    let mut fast = FastSprt::new(self.test);
                    self.decide(seed, run, |class| fast.record(class))
                }
                Procedure::Betting => {
                    let mut companion = Esprt::<5>::new(self.test.hypotheses());
                    self.decide(seed, run, |class| {
                        companion.record(class);
                        companion.bets().map_or(Judgement::Continue, Bets::judgement)
                    })
                }
            };
            outcomes.pairs += pairs;
            match judgement {
                Judgement::AcceptH1 => outcomes.passed += 1,
                Judgement::AcceptH0 => outcomes.failed += 1,
                Judgement::Continue => outcomes.undecided += 1,
            }
        }
        outcomes
    }

    fn decide(&self, seed: u64, run: u64, mut record: impl FnMut(usize) -> Judgement) -> (Judgement, u64) {
        let mut draws = self.schedule.run(seed, run);
        for pair in 1..=self.limit {
            let judgement = record(draws.draw());
            if judgement != Judgement::Continue {
                return (judgement, pair);
            }
        }
        (Judgement::Continue, self.limit)
    }
}
