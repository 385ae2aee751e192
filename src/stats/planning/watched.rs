//! Intervals watched after every pair: does the truth ever fall outside?
//!
//! An interval may be read at any time if the chance that it *ever* misses is small; a fixed-length interval only
//! promises that about one look. The mixture interval's end passes the true mean m when the mean of its wealths
//! reaches 2/α (see [`crate::stats::sequential`]); each wealth is a product of factors 1 + λ(a - m). Since
//! ln(1 + λy) ≤ λy, no wealth can grow by more than e^(λS) while scores exceed m by S in sum. So from the wealths at
//! one look follows how large S must get before the next look can matter, and between the two nothing is missed.

use super::lot::Draws;
use crate::stats::sample::Sample;
use crate::stats::solve::{Slope, falling_root};

/// Bets of the mixture, as parts of the most that can be bet: 0.95 · 2^(-j/2).
const BETS: usize = 20;

/// Looks at a fixed-length interval begin here; with fewer pairs nobody believes one.
const FIRST_LOOK: u64 = 32;

/// One side of the mixture interval: evidence that the mean is above what it truly is.
#[derive(Debug, Clone)]
struct Side {
    /// ln(1 + λ(a - m)) by bet and class.
    growth: [[f64; 5]; BETS],
    lambdas: [f64; BETS],
    threshold: f64,
}

impl Side {
    fn new(mean: f64, alpha: f64) -> Self {
        let mut lambdas = [0.0; BETS];
        let mut growth = [[0.0; 5]; BETS];
        let bets = (0_i32..).map(|j| 0.95 * 2_f64.powf(-f64::from(j) / 2.0));
        for ((lambda, growth), bet) in lambdas.iter_mut().zip(&mut growth).zip(bets) {
            *lambda = bet / mean;
            *growth = Sample::<5>::scores().map(|score| (*lambda * (score - mean)).ln_1p());
        }
        Self { growth, lambdas, threshold: (2.0 / alpha).ln() }
    }

    /// By how much scores must exceed the mean from here on, in sum, before the end can pass it; `None` if it has.
    fn reach(&self, counts: &[u64; 5]) -> Option<f64> {
        let wealths = self.growth.map(|growth| {
            growth.iter().zip(counts).map(|(growth, &count)| growth * count as f64).sum::<f64>()
        });
        let at = |excess: f64| {
            let grown = |j: usize| wealths[j] + self.lambdas[j] * excess;
            let most = (0..BETS).map(grown).fold(f64::NEG_INFINITY, f64::max);
            let (mut sum, mut slope) = (0.0, 0.0);
            for j in 0..BETS {
                let part = (grown(j) - most).exp();
                sum += part;
                slope += part * self.lambdas[j];
            }
            Slope { value: self.threshold - most - (sum / BETS as f64).ln(), derivative: -slope / sum }
        };
        if at(0.0).value <= 0.0 {
            return None;
        }
        // No wealth alone may reach as many times the threshold as there are bets.
        let alone = self.threshold + (BETS as f64).ln();
        let most = wealths.iter().zip(self.lambdas).map(|(wealth, lambda)| (alone - wealth) / lambda);
        let most = most.fold(f64::INFINITY, f64::min);
        Some(falling_root(0.0, most, 0.0, at) - ROUNDING)
    }
}

/// What rounding may do to sums of scores.
const ROUNDING: f64 = 1e-6;

/// Whether the mixture interval at level `alpha` excludes the mean of these pairs' law at any look. The law's mean
/// must be strictly between 0 and 1.
#[derive(Debug, Clone)]
pub struct Mixture {
    mean: f64,
    sides: [Side; 2],
}

impl Mixture {
    /// For pairs with this mean score, strictly between 0 and 1.
    pub fn new(mean: f64, alpha: f64) -> Self {
        Self { mean, sides: [Side::new(mean, alpha), Side::new(1.0 - mean, alpha)] }
    }

    /// The first of so many looks at which the mean is excluded, one look a pair.
    pub fn first_miss(&self, draws: &mut Draws<'_>, looks: u64) -> Option<u64> {
        let deviations = Sample::<5>::scores().map(|score| score - self.mean);
        let [above, below] = &self.sides;
        let mut counts = [0; 5];
        let mut sum = 0.0;
        let (mut high, mut low) = (above.reach(&counts)?, -below.reach(&counts)?);
        for look in 1..=looks {
            let class = draws.draw();
            counts[class] += 1;
            sum += deviations[class];
            if sum >= high {
                let Some(reach) = above.reach(&counts) else { return Some(look) };
                high = sum + reach;
            } else if sum <= low {
                let mut mirrored = counts;
                mirrored.reverse();
                let Some(reach) = below.reach(&mirrored) else { return Some(look) };
                low = sum - reach;
            }
        }
        None
    }
}

/// Whether the usual interval, mean ± z standard errors, excludes the true mean at any look. It is right at each
/// single look, and watched it is the counterexample.
#[derive(Debug, Clone, Copy)]
pub struct FixedLength {
    mean: f64,
    z: f64,
}

impl FixedLength {
    /// For pairs of this mean score; `z` is the normal quantile of the level.
    pub fn new(mean: f64, z: f64) -> Self {
        Self { mean, z }
    }

    /// The first of so many looks at which the mean is excluded, one look a pair from the 32nd on.
    pub fn first_miss(&self, draws: &mut Draws<'_>, looks: u64) -> Option<u64> {
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
