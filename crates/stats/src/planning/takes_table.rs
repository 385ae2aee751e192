//! The published figures of several takes against one base, and their verification by simulation.
//!
//! Each row has the true differences of the takes, with bounds of [0, 5] normalized Elo and risks of 5 %. The
//! published figures come from 250 to 400 runs, so they have an error of their own, which the comparison
//! allows for.

use std::num::NonZeroU32;
use std::ops::Range;

use super::false_passes::false_passes;
use super::operating_point::Openings;
use super::pair_distribution::PairDistribution;
use super::pair_sampler::PairSchedule;
use super::takes::{TakesCounts, TakesSimulation};
use super::verification::{ClaimStandard, VERDICT_ALPHA};
use crate::elo::NORMALIZED_SCALE;
use crate::interval::{Interval, Rate};
use crate::sequential::expected_score::score;
use crate::takes::{BatchRule, Guarantee, TakesEnd};
use crate::{EloModel, Logistic, Risks, Sprt};

/// A row of published figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TakesRow {
    /// The true difference of each take, in normalized Elo.
    pub truths: &'static [f64],
    /// The games if each test runs to its end, at the level of 5 % each, and the share of runs in which a take
    /// passes.
    pub to_the_end: (f64, f64),
    /// By Thompson draws until the first pass, at the level of the family: the games relative to
    /// `to_the_end`, the share of runs in which a take passes, and in which one passes for which H0 is true.
    pub family: [f64; 3],
    /// The same at the level of each take.
    pub each: [f64; 3],
}

/// The rows.
pub const TAKES_TABLE: [TakesRow; 6] = [
    row(&[0.0; 4], (112_566.0, 0.136), [1.00, 0.048, 0.048], [0.86, 0.180, 0.180]),
    row(&[-2.0, -1.0, 0.0, 5.0], (93_465.0, 0.952), [0.80, 0.952, 0.000], [0.60, 0.964, 0.020]),
    row(&[0.0, 1.0, 2.0, 3.0], (148_988.0, 0.796), [0.93, 0.672, 0.004], [0.63, 0.796, 0.024]),
    row(&[5.0; 4], (104_549.0, 1.0), [0.51, 1.0, 0.0], [0.33, 1.0, 0.0]),
    row(
        &[-6.0, -4.0, -2.0, 0.0, 0.0, 2.0, 4.0, 6.0],
        (191_032.0, 1.0),
        [0.47, 1.0, 0.004],
        [0.30, 1.0, 0.028],
    ),
    row(
        &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0],
        (217_178.0, 0.964),
        [0.66, 0.968, 0.024],
        [0.44, 0.960, 0.144],
    ),
];

const fn row(truths: &'static [f64], to_the_end: (f64, f64), family: [f64; 3], each: [f64; 3]) -> TakesRow {
    TakesRow { truths, to_the_end, family, each }
}

/// H1 of the tests, in normalized Elo; H0 is 0.
const ELO1: f64 = 5.0;

/// The fewest runs of a published row.
const PUBLISHED_RUNS: f64 = 250.0;

/// The openings of the simulated pairs. They do not matter for normalized Elo.
const OPENINGS: Openings = Openings { draw_ratio: 0.6, bias: Logistic(100.0) };

/// Pairs of a true difference in the unit of a test. `None` if no games with these openings can show it.
pub fn pairs_with(model: EloModel, elo: f64, openings: Openings) -> Option<PairDistribution> {
    let even = PairDistribution::of_openings(openings, Logistic(0.0))?;
    even.with_mean(score(model, elo, 2.0 * even.variance()))
}

/// The simulated figures of a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SimulatedRow {
    /// Every test to its end, at the level of each take.
    pub to_the_end: TakesCounts,
    /// Thompson draws until the first pass, at the level of the family.
    pub family: TakesCounts,
    /// Thompson draws until the first pass, at the level of each take.
    pub each: TakesCounts,
}

impl SimulatedRow {
    /// Adds the counts of other runs.
    pub fn add(&mut self, other: Self) {
        self.to_the_end += other.to_the_end;
        self.family += other.family;
        self.each += other.each;
    }

    /// The games of the runs that end at the first pass, relative to those of every test to its end.
    pub fn share(&self, guarantee: Guarantee) -> f64 {
        self.of(guarantee).mean_games() / self.to_the_end.mean_games()
    }

    /// The exact 99.9 % interval of the share of runs of the family in which a take passes for which H0 is
    /// true.
    pub fn null_interval(&self) -> Interval {
        let counts = &self.family;
        let rate = Rate { successes: counts.null_passed, failures: counts.runs - counts.null_passed };
        rate.clopper_pearson(VERDICT_ALPHA)
    }

    /// The counts of a guarantee, until the first pass.
    pub const fn of(&self, guarantee: Guarantee) -> &TakesCounts {
        match guarantee {
            Guarantee::Family => &self.family,
            Guarantee::Each => &self.each,
        }
    }
}

impl TakesRow {
    /// Simulates these runs of the row in each of the three ways.
    pub fn run(&self, seed: u64, runs: Range<u64>) -> SimulatedRow {
        let takes: Vec<PairSchedule> = self
            .truths
            .iter()
            .filter_map(|&elo| pairs_with(EloModel::Normalized, elo, OPENINGS))
            .map(PairSchedule::constant)
            .collect();
        let is_null: Vec<bool> = self.truths.iter().map(|&elo| elo <= 0.0).collect();
        let counts = |guarantee: Guarantee, end| {
            let test = self.test(guarantee);
            let (limit, batches) = (u64::MAX / 4, BatchRule::usual(0));
            let simulation = TakesSimulation { test: &test, takes: &takes, end, limit, batches };
            simulation.run(seed, runs.clone(), &is_null)
        };
        SimulatedRow {
            to_the_end: counts(Guarantee::Each, TakesEnd::AllDecided),
            family: counts(Guarantee::Family, TakesEnd::FirstPass),
            each: counts(Guarantee::Each, TakesEnd::FirstPass),
        }
    }

    /// The test of a take at a level.
    fn test(&self, guarantee: Guarantee) -> Sprt {
        let number = u32::try_from(self.truths.len()).ok().and_then(NonZeroU32::new);
        let risks = guarantee.risks(Risks::USUAL, number.unwrap_or(NonZeroU32::MIN));
        Sprt::new(EloModel::Normalized, 0.0, ELO1, risks).expect("usual bounds make a test")
    }

    /// The 99.9 % interval of the probability that some take passes, if H0 is exactly true for all of them;
    /// `None` for other rows. The pairs of the takes are independent, and a take is played on until it is
    /// decided or another one passes, so it does not matter how the games are divided among them.
    pub fn level(&self, guarantee: Guarantee, seed: u64, runs: u64) -> Option<Interval> {
        if self.truths.iter().any(|&elo| elo != 0.0) {
            return None;
        }
        let [null, alternative] = [0.0, ELO1].map(|elo| pairs_with(EloModel::Normalized, elo, OPENINGS));
        let one = false_passes(&self.test(guarantee), &null?, &alternative?, seed, runs);
        let some = |of_one: f64| 1.0 - (1.0 - of_one).powf(self.truths.len() as f64);
        Some(Interval { low: some(one.low), high: some(one.high) })
    }

    /// The games of all takes to their ends by Wald's formulas, which neglect how far the last pair goes
    /// beyond a bound.
    pub fn wald_games(&self) -> f64 {
        let bounds = self.test(Guarantee::Each).bounds();
        let games = |&elo: &f64| {
            // A pair adds a normal variable with this deviation and mean to the log-likelihood ratio.
            let deviation = ELO1 / NORMALIZED_SCALE * 2.0_f64.sqrt();
            let mean = deviation * deviation * (elo / ELO1 - 0.5);
            // Wald: a test passes with the probability (1 - A^h) / (B^h - A^h). A and B are the exponentials
            // of the bounds, and h is `power`.
            let power = 1.0 - 2.0 * elo / ELO1;
            let (lower, upper) = ((power * bounds.lower).exp(), (power * bounds.upper).exp());
            let passed = (1.0 - lower) / (upper - lower);
            2.0 * (passed * bounds.upper + (1.0 - passed) * bounds.lower) / mean
        };
        self.truths.iter().map(games).sum()
    }

    /// The simulated figures that differ from the published ones or from Wald's formulas by more than chance,
    /// one line each.
    pub fn differences(&self, found: &SimulatedRow) -> Vec<String> {
        let mut comparison = Comparison { runs: found.family.runs as f64, lines: Vec::new() };
        let games = found.to_the_end.mean_games();
        comparison.compare_lengths("games to the end", self.to_the_end.0, games);
        comparison.compare_shares(
            "some take passes to the end",
            self.to_the_end.1,
            found.to_the_end.some_passed,
        );
        for (guarantee, published) in [(Guarantee::Family, self.family), (Guarantee::Each, self.each)] {
            let counts = found.of(guarantee);
            comparison.compare_lengths(
                &format!("{guarantee}: games"),
                published[0] * self.to_the_end.0,
                counts.mean_games(),
            );
            comparison.compare_shares(
                &format!("{guarantee}: some take passes"),
                published[1],
                counts.some_passed,
            );
            comparison.compare_shares(
                &format!("{guarantee}: a null passes"),
                published[2],
                counts.null_passed,
            );
            comparison.compare_ratios(&format!("{guarantee}: share"), published[0], found.share(guarantee));
        }
        comparison.compare_with_wald(self.wald_games(), games, self.truths.len());
        comparison.lines
    }

    /// Does a take for which H0 is true pass in at most 5 % of the runs of the family, by the 99.9 % interval?
    pub fn keeps_the_level(&self, found: &SimulatedRow, standard: ClaimStandard) -> bool {
        let Interval { low, high } = found.null_interval();
        match standard {
            ClaimStandard::NotRefuted => low <= Risks::USUAL.alpha,
            ClaimStandard::Shown => high <= Risks::USUAL.alpha,
            ClaimStandard::Refuted => Risks::USUAL.alpha < low,
        }
    }
}

/// The number of standard deviations that a difference may have. By chance alone, one figure in 1,000 exceeds
/// it.
const DEVIATIONS: f64 = 3.3;

/// A comparison of figures from this number of simulated runs.
struct Comparison {
    runs: f64,
    lines: Vec<String>,
}

impl Comparison {
    fn compare(&mut self, what: &str, published: f64, found: f64, allowed: f64) {
        if (published - found).abs() > allowed {
            self.lines.push(format!("{what}: {found:.3}, published {published:.3} ± {allowed:.3}"));
        }
    }

    /// The variance of the difference of two means, the published and the simulated one, relative to that of
    /// one run.
    fn difference_variance(&self) -> f64 {
        1.0 / PUBLISHED_RUNS + 1.0 / self.runs
    }

    /// The standard deviation of a test's length is about 0.7 of its mean. The published tests of a run may
    /// share random numbers, so they count as one.
    fn compare_lengths(&mut self, what: &str, published: f64, found: f64) {
        let allowed = DEVIATIONS * 0.7 * self.difference_variance().sqrt();
        self.compare(what, 1.0, found / published, allowed);
    }

    /// The ratio of two mean lengths of the same runs.
    fn compare_ratios(&mut self, what: &str, published: f64, found: f64) {
        let allowed = DEVIATIONS * 0.6 * self.difference_variance().sqrt() * published;
        self.compare(what, published, found, allowed);
    }

    /// Both shares estimate one probability. One published run more or less is allowed for.
    fn compare_shares(&mut self, what: &str, published: f64, passed: u64) {
        let found = passed as f64 / self.runs;
        let p = (published * PUBLISHED_RUNS + found * self.runs) / (PUBLISHED_RUNS + self.runs);
        let allowed = DEVIATIONS * (p * (1.0 - p) * self.difference_variance()).sqrt() + 1.0 / PUBLISHED_RUNS;
        self.compare(what, published, found, allowed);
    }

    /// The last pair exceeds its bound by about 1 % of it, which the formulas neglect; 2 % are allowed.
    fn compare_with_wald(&mut self, formula: f64, found: f64, takes: usize) {
        let allowed = DEVIATIONS * 0.8 / (self.runs * takes as f64).sqrt() + 0.02;
        self.compare("games to the end, by Wald's formulas", 1.0, found / formula, allowed);
    }
}
