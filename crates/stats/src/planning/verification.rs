//! What the tests and intervals claim, each as an experiment that could refute it.
//!
//! A claim says how rarely something may go wrong; trying it out over many runs gives a rate with its exact interval
//! (Clopper and Pearson, 99.9 %), and the verdict is about the interval, not about the rate: chance alone refutes a
//! true claim once in a thousand times. Every kind of claim has a neighbour that must be refuted, since a check that
//! nothing fails proves nothing. Runs are numbered, so they may be spread over cores and added up.

use std::ops::{AddAssign, Range};

use super::law::{PairLaw, Proband};
use super::lot::{Course, Draws, Leg};
use super::simulation::{Procedure, Trial};
use super::watched::{Anytime, FixedLength};
use crate::interval::{Interval, Rate};
use crate::{Logistic, Model, Risks, Sprt};
use threefold_named_enum::named_enum;

/// The chance that the interval of a rate misses it.
pub const DOUBT: f64 = 0.001;

/// How much longer than the likelihood ratio's the betting test may be.
pub const LONGEST: f64 = 1.35;

named_enum! {
    /// Groups of claims.
    pub enum Chapter {
        /// How often do tests err when every pair has the same law?
        Errors = "errors",
        /// How often do they when the law changes and its mean does not?
        Changes = "changes",
        /// How often does an interval watched after every pair ever miss?
        Coverage = "coverage",
    }
}

named_enum! {
    /// Which hypothesis is true.
    pub enum Truth {
        /// H0, so passing is an error.
        Null = "H0",
        /// H1, so failing is an error.
        Alternative = "H1",
    }
}

/// What is tried out.
#[derive(Debug, Clone, PartialEq)]
pub enum Subject {
    /// A test, where one of its hypotheses is just true.
    Test {
        /// The test.
        test: Sprt,
        /// How it decides.
        procedure: Procedure,
        /// What is true.
        truth: Truth,
    },
    /// The anytime interval of the mean, looked at after every pair.
    Anytime,
    /// The usual interval, looked at in the same way.
    FixedLength,
}

named_enum! {
    /// What the interval of a rate must show.
    pub enum Standard {
        /// That the rate may be as small as claimed.
        NotRefuted = "not refuted",
        /// That it is as small as claimed.
        Shown = "shown",
        /// That it is larger: the counterexample.
        Refuted = "refuted",
    }
}

/// A claim, with the experiment that tries it out.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// Where it belongs.
    pub chapter: Chapter,
    /// What the pairs are like, in a word or two.
    pub pairs: String,
    /// What is tried out.
    pub subject: Subject,
    /// The largest rate of errors claimed.
    pub allowed: f64,
    /// What the experiment must show.
    pub standard: Standard,
    course: Course,
}

/// What runs of an experiment came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tried {
    /// How many runs there were.
    pub runs: u64,
    /// How many of them went wrong.
    pub errors: u64,
    /// Pairs of all runs.
    pub pairs: u64,
}

impl AddAssign for Tried {
    fn add_assign(&mut self, other: Self) {
        self.runs += other.runs;
        self.errors += other.errors;
        self.pairs += other.pairs;
    }
}

impl Tried {
    /// How often it went wrong.
    pub const fn errors(&self) -> Rate {
        Rate { successes: self.errors, failures: self.runs - self.errors }
    }

    /// The exact interval of that, at [`DOUBT`].
    pub fn interval(&self) -> Interval {
        self.errors().clopper_pearson(DOUBT)
    }

    /// The mean number of pairs of a run; not a number without one.
    pub fn mean_pairs(&self) -> f64 {
        self.pairs as f64 / self.runs as f64
    }
}

/// Pairs after which a run of a test is given up; a thousand times what these tests take.
const PATIENCE: u64 = 1_000_000;

/// What a verification is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// Pairs over which intervals are watched.
    pub looks: u64,
    /// The error rate that everything claims.
    pub risk: f64,
}

impl Extent {
    /// 20,000 looks at intervals, and 5 % errors.
    pub const FULL: Self = Self { looks: 20_000, risk: 0.05 };
}

/// All claims.
pub fn claims(extent: Extent) -> Vec<Claim> {
    let mut claims = Vec::new();
    for &proband in Proband::ALL {
        let test = extent.test(difference(proband));
        for &truth in Truth::ALL {
            let mean = Logistic(truth.of(&test)).score();
            let course = Course::steady(tilted(proband, mean));
            claims.extend(Procedure::ALL.iter().map(|&procedure| Claim {
                chapter: Chapter::Errors,
                pairs: proband.name().to_owned(),
                subject: Subject::Test { test, procedure, truth },
                allowed: extent.risk,
                standard: Standard::NotRefuted,
                course: course.clone(),
            }));
        }
    }
    claims.push(too_bold(extent, &claims[0]));
    claims.extend(changing(extent));
    claims.extend(Proband::ALL.iter().flat_map(|&proband| covering(extent, proband)));
    claims
}

/// Half the errors that the claim before allows: more than can be kept.
fn too_bold(extent: Extent, claim: &Claim) -> Claim {
    let pairs = format!("{}, half as many errors claimed", claim.pairs);
    Claim { pairs, allowed: extent.risk / 2.0, standard: Standard::Refuted, ..claim.clone() }
}

/// The law changes between two that have nothing in common but their mean.
fn changing(extent: Extent) -> impl Iterator<Item = Claim> {
    let [drawish, bimodal] = [Proband::Drawish, Proband::Bimodal].map(|proband| tilted(proband, 0.5));
    let leg = |law, pairs| Leg { law, pairs };
    let rest = u64::MAX;
    let test = extent.test(10.0);
    let courses = [
        ("drawish, from the 101st pair bimodal", [leg(drawish, 100), leg(bimodal, rest)]),
        ("bimodal, from the 201st pair drawish", [leg(bimodal, 200), leg(drawish, rest)]),
        ("by turns 200 drawish, 200 bimodal", [leg(drawish, 200), leg(bimodal, 200)]),
    ];
    courses.into_iter().flat_map(move |(name, legs)| {
        Procedure::ALL.iter().map(move |&procedure| Claim {
            chapter: Chapter::Changes,
            pairs: name.to_owned(),
            subject: Subject::Test { test, procedure, truth: Truth::Null },
            allowed: extent.risk,
            standard: Standard::NotRefuted,
            course: Course::of(&legs),
        })
    })
}

fn covering(extent: Extent, proband: Proband) -> [Claim; 2] {
    let course = Course::steady(tilted(proband, 0.5));
    [(Subject::Anytime, Standard::Shown), (Subject::FixedLength, Standard::Refuted)].map(
        |(subject, standard)| Claim {
            chapter: Chapter::Coverage,
            pairs: proband.name().to_owned(),
            subject,
            allowed: extent.risk,
            standard,
            course: course.clone(),
        },
    )
}

/// A difference that takes some hundreds of pairs to tell from none, in logistic Elo.
const fn difference(proband: Proband) -> f64 {
    match proband {
        Proband::Typical => 10.0,
        Proband::Bimodal => 20.0,
        Proband::Drawish => 3.0,
        Proband::Skewed | Proband::Lopsided => 5.0,
    }
}

fn tilted(proband: Proband, mean: f64) -> PairLaw {
    proband.law().with_mean(mean).expect("every proband has losses and wins")
}

impl Extent {
    fn test(self, elo1: f64) -> Sprt {
        let risks = Risks { alpha: self.risk, beta: self.risk };
        Sprt::new(Model::Logistic, 0.0, elo1, risks).expect("small differences and usual risks make a test")
    }
}

impl Truth {
    fn of(self, test: &Sprt) -> f64 {
        match self {
            Self::Null => test.elo0(),
            Self::Alternative => test.elo1(),
        }
    }
}

impl Claim {
    /// Carries out these runs of the experiment; an interval is watched for so many pairs.
    pub fn try_out(&self, extent: Extent, seed: u64, runs: Range<u64>) -> Tried {
        match &self.subject {
            Subject::Test { test, procedure, truth } => {
                let trial = Trial { test, procedure: *procedure, course: &self.course, limit: PATIENCE };
                let outcomes = trial.carry_out(seed, runs);
                let errors = match truth {
                    Truth::Null => outcomes.passed,
                    Truth::Alternative => outcomes.failed,
                };
                Tried { runs: outcomes.runs(), errors, pairs: outcomes.pairs }
            }
            Subject::Anytime => {
                let interval = Anytime::new(0.5, self.allowed);
                self.watch(extent, seed, runs, |draws, looks| interval.first_miss(draws, looks))
            }
            Subject::FixedLength => {
                let interval = FixedLength::new(0.5, self.allowed);
                self.watch(extent, seed, runs, |draws, looks| interval.first_miss(draws, looks))
            }
        }
    }

    fn watch(
        &self,
        extent: Extent,
        seed: u64,
        runs: Range<u64>,
        first_miss: impl Fn(&mut Draws<'_>, u64) -> Option<u64>,
    ) -> Tried {
        let mut tried = Tried::default();
        for run in runs {
            let miss = first_miss(&mut self.course.run(seed, run), extent.looks);
            let errors = u64::from(miss.is_some());
            tried += Tried { runs: 1, errors, pairs: miss.unwrap_or(extent.looks) };
        }
        tried
    }

    /// Whether the experiment showed what it must.
    pub fn stands(&self, tried: &Tried) -> bool {
        let Interval { low, high } = tried.interval();
        match self.standard {
            Standard::NotRefuted => low <= self.allowed,
            Standard::Shown => high <= self.allowed,
            Standard::Refuted => self.allowed < low,
        }
    }

    /// Whether the other claim is about the same pairs, test and truth.
    pub fn is_beside(&self, other: &Self) -> bool {
        let setting = |claim: &Self| match &claim.subject {
            Subject::Test { test, truth, .. } => Some((*test, *truth)),
            Subject::Anytime | Subject::FixedLength => None,
        };
        self.chapter == other.chapter && self.pairs == other.pairs && setting(self) == setting(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With these seeds nothing depends on chance; at `--runs 20000` the same is printed with narrower intervals.
    #[test]
    fn every_claim_stands_and_every_counterexample_falls() {
        let extent = Extent { looks: 2000, ..Extent::FULL };
        let claims = claims(extent);
        let tried: Vec<Tried> = claims.iter().map(|claim| claim.try_out(extent, 1, 0..600)).collect();
        for (claim, tried) in claims.iter().zip(&tried) {
            assert!(claim.stands(tried), "{claim:?}: {tried:?}");
        }
    }

    #[test]
    fn runs_may_be_spread_and_added_up() {
        for claim in claims(Extent { looks: 500, ..Extent::FULL }).iter().step_by(5) {
            let extent = Extent { looks: 500, ..Extent::FULL };
            let mut parts = claim.try_out(extent, 9, 0..7);
            parts += claim.try_out(extent, 9, 7..20);
            assert_eq!(parts, claim.try_out(extent, 9, 0..20), "{claim:?}");
        }
    }

    #[test]
    fn a_verdict_is_about_the_interval() {
        let claim = |standard| Claim { standard, ..claims(Extent::FULL).swap_remove(0) };
        let table = [
            // errors in 1000 runs, not refuted, shown, refuted
            (20, true, true, false),
            (55, true, false, false),
            (90, false, false, true),
        ];
        for (errors, not_refuted, shown, refuted) in table {
            let tried = Tried { runs: 1000, errors, pairs: 0 };
            let verdicts = [Standard::NotRefuted, Standard::Shown, Standard::Refuted]
                .map(|standard| claim(standard).stands(&tried));
            assert_eq!(verdicts, [not_refuted, shown, refuted], "{errors}");
        }
    }
}
