//! The probability that a test passes though H0 is true, by likelihood ratios.
//!
//! Passes under H0 are rare, so hundreds of thousands of runs are needed until their share is known to a tenth
//! of a percent. Here the pairs are drawn under H1, where most runs pass. Each run that passes has a weight: the
//! probability of its pairs under H0, divided by that under H1. The mean weight of all runs is the probability
//! that the test passes under H0, whatever statistic it computes (Siegmund, "Importance sampling in the Monte
//! Carlo study of sequential tests", Annals of Statistics 4, 1976).

use super::fast_sprt::FastSprt;
use super::pair_distribution::PairDistribution;
use super::pair_sampler::PairSchedule;
use crate::interval::Interval;
use crate::{Judgement, Sprt};

/// The half width of a 99.9 % interval in standard errors.
const DEVIATIONS: f64 = 3.290_5;

/// The 99.9 % interval of the probability that the test passes with pairs of the distribution `null`, from
/// this number of runs with pairs of `alternative`. Both must have the same classes.
pub fn false_passes(
    test: &Sprt,
    null: &PairDistribution,
    alternative: &PairDistribution,
    seed: u64,
    runs: u64,
) -> Interval {
    let mut steps = [0.0; 5];
    for (step, (h0, h1)) in steps.iter_mut().zip(null.chances().iter().zip(alternative.chances())) {
        // A class with probability 0 under H1 is never drawn.
        *step = if *h1 > 0.0 { (h0 / h1).ln() } else { 0.0 };
    }
    let schedule = PairSchedule::constant(*alternative);
    let (mut sum, mut squares) = (0.0, 0.0);
    for run in 0..runs {
        let mut draws = schedule.run(seed, run);
        let (mut fast, mut log_ratio) = (FastSprt::new(test), 0.0_f64);
        let judgement = loop {
            let class = draws.draw();
            log_ratio += steps[class];
            let judgement = fast.record(class);
            if judgement != Judgement::Continue {
                break judgement;
            }
        };
        if judgement == Judgement::AcceptH1 {
            sum += log_ratio.exp();
            squares += (2.0 * log_ratio).exp();
        }
    }
    let runs = runs as f64;
    let mean = sum / runs;
    let half = DEVIATIONS * ((squares / runs - mean * mean) / runs).sqrt();
    Interval { low: (mean - half).max(0.0), high: (mean + half).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planning::operating_point::Openings;
    use crate::planning::simulation::{Procedure, SprtSimulation};
    use crate::planning::takes_table::pairs_with;
    use crate::{EloModel, Logistic, Risks};

    #[test]
    fn likelihood_ratios_agree_with_counted_passes() {
        let openings = Openings { draw_ratio: 0.6, bias: Logistic(100.0) };
        let [null, alternative] =
            [0.0, 60.0].map(|elo| pairs_with(EloModel::Normalized, elo, openings).expect("possible"));
        let risks = Risks { alpha: 0.1, beta: 0.1 };
        let test = Sprt::new(EloModel::Normalized, 0.0, 60.0, risks).expect("sound bounds");
        let found = false_passes(&test, &null, &alternative, 1, 2_000);
        let schedule = PairSchedule::constant(null);
        let procedure = Procedure::LikelihoodRatio;
        let counted = SprtSimulation { test: &test, procedure, schedule: &schedule, limit: u64::MAX }
            .run(1, 0..20_000)
            .passes()
            .clopper_pearson(0.001);
        assert!(found.low < counted.high && counted.low < found.high, "{found:?} {counted:?}");
        assert!(found.high - found.low < 0.02, "{found:?}");
    }
}
