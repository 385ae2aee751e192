//! Verification of the claims of tests and intervals by simulation.
//!
//! A claim bounds an error rate. Many runs give a rate with its exact interval (Clopper and Pearson, 99.9 %),
//! and the verdict depends on the interval: chance alone refutes a true claim once in a thousand times. Every
//! kind of claim has a counterexample that must be refuted. Runs are numbered, so they can be distributed
//! over threads and added.

use std::ops::{AddAssign, Range};

use super::deadline_simulation::{self, DeadlineRate};
use super::interval_coverage::{AnytimeInterval, FixedLengthInterval};
use super::pair_distribution::{PairDistribution, ReferencePairs};
use super::pair_sampler::{PairDraws, PairSchedule, ScheduleSegment};
use super::simulation::{Procedure, SprtSimulation};
use crate::deadline::DeadlineTest;
use crate::interval::{Interval, Rate};
use crate::{EloModel, Logistic, Risks, Sprt};
use threefold_named_enum::named_enum;

/// The error probability of a rate's interval.
pub const VERDICT_ALPHA: f64 = 0.001;

/// The largest accepted ratio of the betting test's length to that of the likelihood-ratio test.
pub const LONGEST: f64 = 1.35;

named_enum! {
    /// Groups of claims.
    pub enum ClaimGroup {
        /// Error rates of tests if every pair has the same distribution.
        Errors = "errors",
        /// Error rates of tests if the distribution changes and its mean does not.
        Changes = "changes",
        /// Error rates of intervals that are checked after every pair.
        Coverage = "coverage",
        /// Error rates and the lost power of tests with a deadline.
        Deadline = "deadline",
    }
}

named_enum! {
    /// The hypothesis that is true.
    pub enum TrueHypothesis {
        /// H0, so passing is an error.
        Null = "H0",
        /// H1, so failing is an error.
        Alternative = "H1",
    }
}

/// The procedure that is verified.
#[derive(Debug, Clone, PartialEq)]
pub enum ClaimSubject {
    /// A test with one of its hypotheses exactly true.
    Test {
        /// The test that is verified.
        test: Sprt,
        /// The decision procedure.
        procedure: Procedure,
        /// The true hypothesis.
        truth: TrueHypothesis,
    },
    /// A test with a deadline, checked after every pair.
    Deadline {
        /// The test that is verified.
        test: DeadlineTest,
        /// What is counted as an error.
        rate: DeadlineRate,
    },
    /// The anytime interval of the mean, checked after every pair.
    Anytime,
    /// The fixed-sample interval, checked in the same way.
    FixedLength,
}

named_enum! {
    /// What the interval of a rate must show.
    pub enum ClaimStandard {
        /// The rate may be as small as claimed.
        NotRefuted = "not refuted",
        /// The rate is as small as claimed.
        Shown = "shown",
        /// The rate is larger: a counterexample.
        Refuted = "refuted",
    }
}

/// A claim, with the experiment that verifies it.
#[derive(Debug, Clone, PartialEq)]
pub struct StatisticalClaim {
    /// The group that the claim is printed in.
    pub chapter: ClaimGroup,
    /// A short description of the pairs.
    pub pairs: String,
    /// The procedure that is verified.
    pub subject: ClaimSubject,
    /// The claimed upper bound of the error rate.
    pub allowed: f64,
    /// What the experiment must show.
    pub standard: ClaimStandard,
    schedule: PairSchedule,
}

/// Counts of an experiment's runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClaimRuns {
    /// The number of runs.
    pub runs: u64,
    /// The number of errors.
    pub errors: u64,
    /// Pairs of all runs.
    pub pairs: u64,
}

impl AddAssign for ClaimRuns {
    fn add_assign(&mut self, other: Self) {
        self.runs += other.runs;
        self.errors += other.errors;
        self.pairs += other.pairs;
    }
}

impl ClaimRuns {
    /// The error rate.
    pub const fn errors(&self) -> Rate {
        Rate { successes: self.errors, failures: self.runs - self.errors }
    }

    /// The exact interval of the error rate, at [`VERDICT_ALPHA`].
    pub fn interval(&self) -> Interval {
        self.errors().clopper_pearson(VERDICT_ALPHA)
    }

    /// The mean number of pairs per run; NaN without a run.
    pub fn mean_pairs(&self) -> f64 {
        self.pairs as f64 / self.runs as f64
    }
}

/// The number of pairs after which a run is stopped; a thousand times the usual length.
const MAX_PAIRS: u64 = 1_000_000;

/// The size of a verification.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VerificationSize {
    /// The number of pairs over which intervals are checked.
    pub looks: u64,
    /// The claimed error rate.
    pub risk: f64,
}

impl VerificationSize {
    /// 20,000 checks of intervals, and an error rate of 5 %.
    pub const FULL: Self = Self { looks: 20_000, risk: 0.05 };
}

/// All claims.
pub fn claims(extent: VerificationSize) -> Vec<StatisticalClaim> {
    let mut claims = Vec::new();
    for &reference in ReferencePairs::ALL {
        let test = extent.test(difference(reference));
        for &truth in TrueHypothesis::ALL {
            let mean = Logistic(truth.elo(&test)).score();
            let schedule = PairSchedule::constant(tilted(reference, mean));
            claims.extend(Procedure::ALL.iter().map(|&procedure| StatisticalClaim {
                chapter: ClaimGroup::Errors,
                pairs: reference.name().to_owned(),
                subject: ClaimSubject::Test { test, procedure, truth },
                allowed: extent.risk,
                standard: ClaimStandard::NotRefuted,
                schedule: schedule.clone(),
            }));
        }
    }
    claims.push(too_bold(extent, &claims[0]));
    claims.extend(changing(extent));
    claims.extend(ReferencePairs::ALL.iter().flat_map(|&reference| covering(extent, reference)));
    let first = claims.len();
    claims.extend(ReferencePairs::ALL.iter().flat_map(|&reference| ending(extent, reference)));
    // A quarter of the errors of a test is claimed, which must be refuted.
    let pairs = format!("{}, a quarter of the errors claimed", claims[first].pairs);
    let (allowed, standard) = (extent.risk / 4.0, ClaimStandard::Refuted);
    claims.push(StatisticalClaim { pairs, allowed, standard, ..claims[first].clone() });
    claims
}

/// The largest accepted loss of power compared with the test of fixed length.
const LOST_POWER: f64 = 0.01;

/// Claims about a test that accepts H1 with 80 % at its deadline.
fn ending(extent: VerificationSize, reference: ReferencePairs) -> [StatisticalClaim; 3] {
    // With fewer level pairs the test would be undecided, since too few others had been played.
    let elo1 = if reference == ReferencePairs::Drawish { 1.0 } else { difference(reference) };
    let hypotheses = *extent.test(elo1).hypotheses();
    let [null, alternative] = [0.0, elo1].map(|elo| tilted(reference, Logistic(elo).score()));
    let distance = alternative.mean() - null.mean();
    let pairs = deadline_simulation::pairs_for(0.8, extent.risk, null.variance(), distance);
    let test = DeadlineTest::new(hypotheses, pairs).expect("logistic Elo counts pairs");
    [
        (DeadlineRate::AcceptsH1, null, extent.risk),
        (DeadlineRate::AcceptsH0, alternative, extent.risk),
        (DeadlineRate::LosesPower, alternative, LOST_POWER),
    ]
    .map(|(rate, distribution, allowed)| StatisticalClaim {
        chapter: ClaimGroup::Deadline,
        pairs: reference.name().to_owned(),
        subject: ClaimSubject::Deadline { test, rate },
        allowed,
        standard: ClaimStandard::NotRefuted,
        schedule: PairSchedule::constant(distribution),
    })
}

/// A claim of half the error rate of the given claim, which must be refuted.
fn too_bold(extent: VerificationSize, claim: &StatisticalClaim) -> StatisticalClaim {
    let pairs = format!("{}, half as many errors claimed", claim.pairs);
    StatisticalClaim { pairs, allowed: extent.risk / 2.0, standard: ClaimStandard::Refuted, ..claim.clone() }
}

/// The distribution alternates between two that share only their mean.
fn changing(extent: VerificationSize) -> impl Iterator<Item = StatisticalClaim> {
    let [drawish, bimodal] =
        [ReferencePairs::Drawish, ReferencePairs::Bimodal].map(|reference| tilted(reference, 0.5));
    let leg = |distribution, pairs| ScheduleSegment { distribution, pairs };
    let rest = u64::MAX;
    let test = extent.test(10.0);
    let courses = [
        ("drawish, from the 101st pair bimodal", [leg(drawish, 100), leg(bimodal, rest)]),
        ("bimodal, from the 201st pair drawish", [leg(bimodal, 200), leg(drawish, rest)]),
        ("by turns 200 drawish, 200 bimodal", [leg(drawish, 200), leg(bimodal, 200)]),
    ];
    courses.into_iter().flat_map(move |(name, legs)| {
        Procedure::ALL.iter().map(move |&procedure| StatisticalClaim {
            chapter: ClaimGroup::Changes,
            pairs: name.to_owned(),
            subject: ClaimSubject::Test { test, procedure, truth: TrueHypothesis::Null },
            allowed: extent.risk,
            standard: ClaimStandard::NotRefuted,
            schedule: PairSchedule::repeating(&legs),
        })
    })
}

fn covering(extent: VerificationSize, reference: ReferencePairs) -> [StatisticalClaim; 2] {
    let schedule = PairSchedule::constant(tilted(reference, 0.5));
    [(ClaimSubject::Anytime, ClaimStandard::Shown), (ClaimSubject::FixedLength, ClaimStandard::Refuted)].map(
        |(subject, standard)| StatisticalClaim {
            chapter: ClaimGroup::Coverage,
            pairs: reference.name().to_owned(),
            subject,
            allowed: extent.risk,
            standard,
            schedule: schedule.clone(),
        },
    )
}

/// A difference that takes some hundreds of pairs to detect, in logistic Elo.
const fn difference(reference: ReferencePairs) -> f64 {
    match reference {
        ReferencePairs::Typical => 10.0,
        ReferencePairs::Bimodal => 20.0,
        ReferencePairs::Drawish => 3.0,
        ReferencePairs::Skewed | ReferencePairs::Lopsided => 5.0,
    }
}

fn tilted(reference: ReferencePairs, mean: f64) -> PairDistribution {
    reference.distribution().with_mean(mean).expect("every reference distribution has losses and wins")
}

impl VerificationSize {
    fn test(self, elo1: f64) -> Sprt {
        let risks = Risks { alpha: self.risk, beta: self.risk };
        Sprt::new(EloModel::Logistic, 0.0, elo1, risks)
            .expect("small differences and usual risks make a test")
    }
}

impl TrueHypothesis {
    fn elo(self, test: &Sprt) -> f64 {
        match self {
            Self::Null => test.elo0(),
            Self::Alternative => test.elo1(),
        }
    }
}

impl StatisticalClaim {
    /// Simulates these runs of the experiment; an interval is checked for `extent.looks` pairs.
    pub fn run(&self, extent: VerificationSize, seed: u64, runs: Range<u64>) -> ClaimRuns {
        match &self.subject {
            ClaimSubject::Test { test, procedure, truth } => {
                let trial = SprtSimulation {
                    test,
                    procedure: *procedure,
                    schedule: &self.schedule,
                    limit: MAX_PAIRS,
                };
                let outcomes = trial.run(seed, runs);
                let errors = match truth {
                    TrueHypothesis::Null => outcomes.passed,
                    TrueHypothesis::Alternative => outcomes.failed,
                };
                ClaimRuns { runs: outcomes.runs(), errors, pairs: outcomes.pairs }
            }
            ClaimSubject::Deadline { test, rate } => {
                let counts = deadline_simulation::simulate(test, &self.schedule, seed, runs);
                ClaimRuns { runs: counts.runs, errors: rate.errors(&counts), pairs: counts.pairs }
            }
            ClaimSubject::Anytime => {
                let interval = AnytimeInterval::new(0.5, self.allowed);
                self.watch(extent, seed, runs, |draws, looks| interval.first_miss(draws, looks))
            }
            ClaimSubject::FixedLength => {
                let interval = FixedLengthInterval::new(0.5, self.allowed);
                self.watch(extent, seed, runs, |draws, looks| interval.first_miss(draws, looks))
            }
        }
    }

    fn watch(
        &self,
        extent: VerificationSize,
        seed: u64,
        runs: Range<u64>,
        first_miss: impl Fn(&mut PairDraws<'_>, u64) -> Option<u64>,
    ) -> ClaimRuns {
        let mut tried = ClaimRuns::default();
        for run in runs {
            let miss = first_miss(&mut self.schedule.run(seed, run), extent.looks);
            let errors = u64::from(miss.is_some());
            tried += ClaimRuns { runs: 1, errors, pairs: miss.unwrap_or(extent.looks) };
        }
        tried
    }

    /// Whether the experiment meets the claim's standard.
    pub fn holds(&self, tried: &ClaimRuns) -> bool {
        let Interval { low, high } = tried.interval();
        match self.standard {
            ClaimStandard::NotRefuted => low <= self.allowed,
            ClaimStandard::Shown => high <= self.allowed,
            ClaimStandard::Refuted => self.allowed < low,
        }
    }

    /// Whether the other claim has the same pairs, test and true hypothesis.
    pub fn has_same_case(&self, other: &Self) -> bool {
        let setting = |claim: &Self| match &claim.subject {
            ClaimSubject::Test { test, truth, .. } => Some((*test, *truth)),
            ClaimSubject::Deadline { .. } | ClaimSubject::Anytime | ClaimSubject::FixedLength => None,
        };
        self.chapter == other.chapter && self.pairs == other.pairs && setting(self) == setting(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With these seeds the result is deterministic; `--runs 20000` prints the same with narrower intervals.
    #[test]
    fn claims_hold_and_counterexamples_fail() {
        let extent = VerificationSize { looks: 2000, ..VerificationSize::FULL };
        let claims = claims(extent);
        let tried: Vec<ClaimRuns> = claims.iter().map(|claim| claim.run(extent, 1, 0..600)).collect();
        for (claim, tried) in claims.iter().zip(&tried) {
            assert!(claim.holds(tried), "{claim:?}: {tried:?}");
        }
    }

    #[test]
    fn verification_runs_can_be_split_and_added() {
        for claim in claims(VerificationSize { looks: 500, ..VerificationSize::FULL }).iter().step_by(5) {
            let extent = VerificationSize { looks: 500, ..VerificationSize::FULL };
            let mut parts = claim.run(extent, 9, 0..7);
            parts += claim.run(extent, 9, 7..20);
            assert_eq!(parts, claim.run(extent, 9, 0..20), "{claim:?}");
        }
    }

    #[test]
    fn claim_verdict_depends_on_the_interval() {
        let claim = |standard| StatisticalClaim { standard, ..claims(VerificationSize::FULL).swap_remove(0) };
        let table = [
            // errors in 1000 runs, not refuted, shown, refuted
            (20, true, true, false),
            (55, true, false, false),
            (90, false, false, true),
        ];
        for (errors, not_refuted, shown, refuted) in table {
            let tried = ClaimRuns { runs: 1000, errors, pairs: 0 };
            let verdicts = [ClaimStandard::NotRefuted, ClaimStandard::Shown, ClaimStandard::Refuted]
                .map(|standard| claim(standard).holds(&tried));
            assert_eq!(verdicts, [not_refuted, shown, refuted], "{errors}");
        }
    }
}
