//! Simulation of tests with a deadline, and of the test of fixed length on the same pairs.

use std::num::NonZeroU64;
use std::ops::{AddAssign, Range};

use super::pair_sampler::PairSchedule;
use crate::deadline::{DeadlineBounds, DeadlineLook, DeadlineTest};
use crate::elo::normal_quantile;
use crate::pentanomial::Pentanomial;
use crate::sample::Sample;
use crate::sequential::max_likelihood::Hypothesis;
use crate::{Judgement, Sprt};
use threefold_named_enum::named_enum;

/// Counts of simulated runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeadlineCounts {
    /// All runs.
    pub runs: u64,
    /// Runs that accepted H1.
    pub passed: u64,
    /// Runs that accepted H0.
    pub failed: u64,
    /// Runs that did not accept H1, although the test of fixed length does.
    pub missed: u64,
    /// Runs in which the test of fixed length accepts H1.
    pub fixed_passed: u64,
    /// Pairs until the test ended, of all runs.
    pub pairs: u64,
}

impl AddAssign for DeadlineCounts {
    fn add_assign(&mut self, other: Self) {
        self.runs += other.runs;
        self.passed += other.passed;
        self.failed += other.failed;
        self.missed += other.missed;
        self.fixed_passed += other.fixed_passed;
        self.pairs += other.pairs;
    }
}

named_enum! {
    /// The rate of a test with a deadline that is verified.
    pub enum DeadlineRate {
        /// H1 is accepted although H0 is true.
        AcceptsH1 = "H0 true, accepts H1",
        /// H0 is accepted although H1 is true.
        AcceptsH0 = "H1 true, accepts H0",
        /// H1 is true, and it is not accepted although the test of fixed length accepts it.
        LosesPower = "H1 true, misses H1 and the fixed test does not",
    }
}

impl DeadlineRate {
    /// The number of runs in which this happened.
    pub const fn errors(self, counts: &DeadlineCounts) -> u64 {
        match self {
            Self::AcceptsH1 => counts.passed,
            Self::AcceptsH0 => counts.failed,
            Self::LosesPower => counts.missed,
        }
    }
}

/// The distance from a bound, in standard errors at the deadline, within which the score is computed. Further
/// away, Student's t is enough to see that the test goes on.
const NEAR: f64 = 1.0;

/// Simulates these runs.
pub fn simulate(test: &DeadlineTest, schedule: &PairSchedule, seed: u64, runs: Range<u64>) -> DeadlineCounts {
    let mut counts = DeadlineCounts::default();
    for run in runs {
        counts += simulate_one(test, schedule, seed, run);
    }
    counts
}

fn simulate_one(test: &DeadlineTest, schedule: &PairSchedule, seed: u64, run: u64) -> DeadlineCounts {
    let mut draws = schedule.run(seed, run);
    let mut pairs = Pentanomial::EMPTY;
    let (last, mut end) = (test.pairs().get(), None);
    // All pairs are drawn, also after an early decision: the test of fixed length needs them.
    for played in 1..=last {
        pairs.counts[draws.draw()] += 1;
        let share = played as f64 / last as f64;
        if end.is_none() && (played == last || is_near(test, &pairs, share)) {
            let judgement = look(test, &pairs, share).map_or(Judgement::Continue, |look| look.judgement());
            if played == last || judgement != Judgement::Continue {
                end = Some((judgement, played));
            }
        }
    }
    let (judgement, played) = end.unwrap_or((Judgement::Continue, last));
    let critical = normal_quantile(1.0 - test.hypotheses().risks().alpha);
    let is_fixed_pass = look(test, &pairs, 1.0).is_some_and(|look| look.score() >= critical);
    let has_passed = judgement == Judgement::AcceptH1;
    DeadlineCounts {
        runs: 1,
        passed: has_passed.into(),
        failed: (judgement == Judgement::AcceptH0).into(),
        missed: (is_fixed_pass && !has_passed).into(),
        fixed_passed: is_fixed_pass.into(),
        pairs: played,
    }
}

fn look(test: &DeadlineTest, pairs: &Pentanomial, share: f64) -> Option<DeadlineLook> {
    DeadlineLook::new(test.hypotheses(), pairs, share)
}

/// Is the test near one of its bounds, by Student's t?
fn is_near(test: &DeadlineTest, pairs: &Pentanomial, share: f64) -> bool {
    let near = || {
        let sample = Sample::regularised(pairs)?;
        let deviation = sample.variance().sqrt();
        let scores = Sprt::from(*test.hypotheses()).fixed_parameters(&sample)?.map(|hypothesis| {
            let above = match hypothesis {
                Hypothesis::Mean(mean) => (sample.mean() - mean) / deviation,
                Hypothesis::TValue(t) => (sample.mean() - 0.5) / deviation - t,
            };
            above * sample.trials().sqrt() * share.sqrt()
        });
        let separation = (scores[0] - scores[1]) / share;
        let bounds = DeadlineBounds::new(test.hypotheses().risks(), separation).at(share);
        Some(scores[0] < bounds.lower + NEAR || bounds.upper - NEAR < scores[0])
    };
    near().unwrap_or(true)
}

/// The number of pairs at which the test of fixed length has this power, for pairs with this variance and a
/// distance of this size between the mean scores of the hypotheses.
pub fn pairs_for(power: f64, alpha: f64, variance: f64, distance: f64) -> NonZeroU64 {
    let wanted = normal_quantile(1.0 - alpha) + normal_quantile(power);
    let pairs = wanted * wanted * variance / (distance * distance);
    NonZeroU64::new(pairs.ceil() as u64).unwrap_or(NonZeroU64::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::normal_cdf;
    use crate::planning::{PairDistribution, ReferencePairs};
    use crate::{EloHypotheses, EloModel, Logistic, Normalized, Risks};

    /// The test of these hypotheses with a power of 90 %, and pairs for which H0 and H1 are true.
    fn case(model: EloModel, elo: [f64; 2], pairs: &PairDistribution) -> (DeadlineTest, [PairSchedule; 2]) {
        let hypotheses = EloHypotheses::new(model, elo[0], elo[1], Risks::USUAL).expect("sound");
        let with_mean = |mean| pairs.with_mean(mean).expect("losses and wins occur");
        let [null, alternative] = elo.map(|elo| match model {
            // Another mean has another variance.
            EloModel::Normalized => (0..30)
                .fold(*pairs, |at, _| with_mean(0.5 + Normalized(elo).t_value(2.0) * at.variance().sqrt())),
            EloModel::Logistic | EloModel::BayesElo => with_mean(Logistic(elo).score()),
        });
        let distance = alternative.mean() - null.mean();
        let most = pairs_for(0.9, 0.05, pairs.variance(), distance);
        let schedules = [null, alternative].map(PairSchedule::constant);
        (DeadlineTest::new(hypotheses, most).expect("sound"), schedules)
    }

    fn check(model: EloModel, elo: [f64; 2], reference: ReferencePairs, runs: u64) {
        let level = reference.distribution().with_mean(0.5).expect("losses and wins occur");
        let (test, [null, alternative]) = case(model, elo, &level);
        let [error, power] = [null, alternative].map(|schedule| simulate(&test, &schedule, 5, 0..runs));
        let rate = |count: u64| count as f64 / runs as f64;
        // Three standard errors of the simulation.
        let noise = |rate: f64| 3.0 * (rate * (1.0 - rate) / runs as f64).sqrt();
        let about = format!("{reference} {model} {elo:?}: {error:?} {power:?}");
        assert!(rate(error.passed) < 0.05 + noise(0.05), "{about}");
        assert!(rate(power.failed) < 0.055 + noise(0.05), "{about}");
        let lost = (power.fixed_passed as f64 - power.passed as f64) / runs as f64;
        assert!(lost < 0.01, "{about}");
        assert!(power.pairs < power.runs * test.pairs().get(), "{about}");
    }

    /// A sample of `deadline_errors_and_power_in_full`.
    #[test]
    fn deadline_errors_and_power() {
        check(EloModel::Normalized, [0.0, 60.0], ReferencePairs::Typical, 1000);
        check(EloModel::Logistic, [-7.0, 0.0], ReferencePairs::Skewed, 1000);
    }

    #[test]
    #[cfg_attr(debug_assertions, ignore = "minutes; `.ci/long` runs it")]
    fn deadline_errors_and_power_in_full() {
        for &reference in ReferencePairs::ALL {
            let logistic = match reference {
                ReferencePairs::Typical => 8.0,
                ReferencePairs::Bimodal => 16.0,
                ReferencePairs::Drawish => 1.2,
                ReferencePairs::Skewed | ReferencePairs::Lopsided => 4.0,
            };
            check(EloModel::Logistic, [0.0, logistic], reference, 20_000);
            let normalized = if reference == ReferencePairs::Drawish { 12.0 } else { 20.0 };
            check(EloModel::Normalized, [-normalized, 0.0], reference, 20_000);
        }
    }

    /// The golden values of a truncated Wald SPRT, whose power a test with a deadline surpasses: with q the
    /// square of the separation and b = ln 19, H1 is accepted with Φ((q/2 - b)/√q) + e^b Φ((-b - q/2)/√q).
    #[test]
    fn truncated_sprt_has_less_power() {
        for (power, golden) in [(0.8, 0.668), (0.9, 0.805), (0.95, 0.879)] {
            let q = (normal_quantile(0.95) + normal_quantile(power)).powi(2);
            let b = 19_f64.ln();
            let formula = normal_cdf((q / 2.0 - b) / q.sqrt()) + 19.0 * normal_cdf((-b - q / 2.0) / q.sqrt());
            assert!((formula - golden).abs() < 0.0006, "{power}: {formula}");
            let bounds = Risks::USUAL.bounds();
            let walk = crate::sequential::brownian::Brownian { bounds, drift: q / 2.0, variance: q };
            let end = crate::sequential::brownian::StopPoint { time: 1.0, place: bounds.upper };
            // The formula leaves out that a test which reached the lower bound is over.
            let exact = 1.0 - walk.chance_of_worse(end);
            assert!((golden - 0.012..golden + 0.0006).contains(&exact), "{power}: {exact}");
        }
    }
}
