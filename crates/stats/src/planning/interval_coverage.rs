//! Simultaneous coverage of intervals that are checked after every pair.
//!
//! An interval may be read at any time if the probability that it *ever* misses is small; a fixed-sample
//! interval bounds that of one check only. The mixture interval's end passes the true mean m when the mean of
//! its wealths reaches 2/α (see [`crate::anytime::mixture`]); each wealth is a product of factors 1 + λ(a -
//! m). Since ln(1 + λy) ≤ λy, no wealth grows by more than e^(λS) while scores exceed m by S in total. The
//! wealths at one check therefore give the S before the next check can matter, and nothing is missed in
//! between.

use super::pair_sampler::PairDraws;
use crate::anytime::Mixture;
use crate::anytime::mixture::{GAMBLERS, STAKES};
use crate::elo::normal_quantile;
use crate::root_finding::{Slope, decreasing_root};
use crate::sample::Sample;
use crate::{Pentanomial, ResultCounts};

/// The first check of a fixed-sample interval.
const FIRST_LOOK: u64 = 32;

/// One end of the mixture interval relative to the true mean.
#[derive(Debug, Clone)]
struct IntervalEnd {
    gamblers: Mixture<5>,
    /// Each gambler's stake per unit of score.
    lambdas: [f64; GAMBLERS],
    /// ln(2/α).
    enough: f64,
}

impl IntervalEnd {
    fn new(mean: f64, alpha: f64) -> Self {
        Self {
            gamblers: Mixture::against(mean),
            lambdas: STAKES.map(|stake| stake / mean),
            enough: -(alpha / 2.0).ln(),
        }
    }

    /// The sum by which scores must exceed the mean before the end can pass it; `None` if it has.
    fn reach(&self, results: &Pentanomial) -> Option<f64> {
        let wealths = self.gamblers.wealths(results);
        let lack = |excess: f64| {
            let grown = |gambler: usize| wealths[gambler] + self.lambdas[gambler] * excess;
            let most = (0..GAMBLERS).map(grown).fold(f64::NEG_INFINITY, f64::max);
            let (mut sum, mut slope) = (0.0, 0.0);
            for gambler in 0..GAMBLERS {
                let part = (grown(gambler) - most).exp();
                sum += part;
                slope += part * self.lambdas[gambler];
            }
            Slope { value: self.enough - most - (sum / GAMBLERS as f64).ln(), derivative: -slope / sum }
        };
        if lack(0.0).value <= 0.0 {
            return None;
        }
        // One gambler alone would make the mean large enough much earlier.
        let alone = self.enough + (GAMBLERS as f64).ln();
        let most = wealths.iter().zip(self.lambdas).map(|(wealth, lambda)| (alone - wealth) / lambda);
        Some(decreasing_root(0.0, most.fold(f64::INFINITY, f64::min), 0.0, lack) - ROUNDING)
    }
}

/// Tolerance for rounding of sums of scores.
const ROUNDING: f64 = 1e-6;

/// The mixture interval at level `alpha`, checked against the true mean.
#[derive(Debug, Clone)]
pub struct AnytimeInterval {
    mean: f64,
    low: IntervalEnd,
    high: IntervalEnd,
}

impl AnytimeInterval {
    /// For pairs with this mean score, strictly between 0 and 1.
    pub fn new(mean: f64, alpha: f64) -> Self {
        Self { mean, low: IntervalEnd::new(mean, alpha), high: IntervalEnd::new(1.0 - mean, alpha) }
    }

    /// The first of `looks` checks, one per pair, at which the mean is excluded.
    pub fn first_miss(&self, draws: &mut PairDraws<'_>, looks: u64) -> Option<u64> {
        let deviations = Sample::<5>::scores().map(|score| score - self.mean);
        let mut results = ResultCounts::EMPTY;
        let mut sum = 0.0;
        // Between these sums no end can have passed the mean, so most pairs need no evaluation.
        let (mut ceiling, mut floor) = (self.low.reach(&results)?, -self.high.reach(&results)?);
        for look in 1..=looks {
            let class = draws.draw();
            results.counts[class] += 1;
            sum += deviations[class];
            if sum >= ceiling {
                let Some(reach) = self.low.reach(&results) else { return Some(look) };
                ceiling = sum + reach;
            } else if sum <= floor {
                let Some(reach) = self.high.reach(&results.reversed()) else { return Some(look) };
                floor = sum - reach;
            }
        }
        None
    }
}

/// The fixed-sample interval, mean ± z standard errors, checked in the same way: the counterexample.
#[derive(Debug, Clone, Copy)]
pub struct FixedLengthInterval {
    mean: f64,
    z: f64,
}

impl FixedLengthInterval {
    /// For pairs with this mean score.
    pub fn new(mean: f64, alpha: f64) -> Self {
        Self { mean, z: normal_quantile(1.0 - alpha / 2.0) }
    }

    /// The first of `looks` checks at which the mean is excluded, one per pair from the 32nd on.
    pub fn first_miss(&self, draws: &mut PairDraws<'_>, looks: u64) -> Option<u64> {
        let deviations = Sample::<5>::scores().map(|score| score - self.mean);
        let squared_z = self.z * self.z;
        let (mut sum, mut squares) = (0.0, 0.0);
        (1..=looks).find(|&look| {
            let deviation = deviations[draws.draw()];
            sum += deviation;
            squares += deviation * deviation;
            // |S/n| > z √((Q/n - (S/n)²)/n), with the division and the root taken out.
            let pairs = look as f64;
            look >= FIRST_LOOK && sum * sum * (pairs + squared_z) > squared_z * squares * pairs
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anytime::Watch;
    use crate::planning::ReferencePairs;
    use crate::planning::pair_sampler::PairSchedule;

    /// At this level many runs miss and many do not.
    const ALPHA: f64 = 0.4;

    #[test]
    fn first_miss_equals_that_of_repeated_intervals() {
        let mut missed = 0;
        for &reference in ReferencePairs::ALL {
            for mean in [0.3, 0.5, 0.6] {
                let distribution = reference.distribution().with_mean(mean).expect("losses and wins occur");
                let schedule = PairSchedule::constant(distribution);
                let watched = AnytimeInterval::new(mean, ALPHA);
                for run in 0..20 {
                    let (mut draws, mut every) = (schedule.run(5, run), Watch::<5>::new(mean));
                    let at_each = (1..=1500).find(|_| {
                        every.record(draws.draw());
                        !every.contains(ALPHA)
                    });
                    let quick = watched.first_miss(&mut schedule.run(5, run), 1500);
                    assert_eq!(quick, at_each, "{reference} {mean} {run}");
                    missed += u32::from(at_each.is_some());
                }
            }
        }
        assert!((20..150).contains(&missed), "{missed} of 300");
    }

    #[test]
    fn fixed_length_interval_equals_the_printed_one() {
        let schedule = PairSchedule::constant(ReferencePairs::Typical.distribution());
        let (mut draws, mut results) = (schedule.run(5, 0), Pentanomial::EMPTY);
        let watched = FixedLengthInterval::new(0.5, 0.3);
        let at_each = (1..=5000).find(|&look| {
            results.counts[draws.draw()] += 1;
            let sample = Sample::raw(&results).expect("there are pairs");
            let reach = normal_quantile(0.85) * sample.standard_error();
            FIRST_LOOK <= look && (sample.mean() - 0.5).abs() > reach
        });
        assert!(at_each.is_some());
        assert_eq!(watched.first_miss(&mut schedule.run(5, 0), 5000), at_each);
    }
}
