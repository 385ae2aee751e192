//! Computes a test's log-likelihood ratio from pair to pair with warm starts.
//!
//! One more pair hardly changes the maximum-likelihood distributions, so each evaluation starts from the
//! previous solution and needs two or three Newton steps. [`Sprt::llr`] solves from scratch and for any
//! distance; it takes over where the Newton iteration is not safe. Both agree to rounding on every sequence
//! of results. The equations are those of [`MaxLikelihood`], solved for the multiplier x and the standard
//! deviation simultaneously.

use super::max_likelihood::{Hypothesis, MaxLikelihood};
use super::sprt::Sprt;
use crate::pentanomial::ResultCounts;
use crate::sample::Sample;

/// A test's ratio with the solution of the last evaluation. It is a function of the sequence of results:
/// equal sequences give equal digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WarmStart {
    test: Sprt,
    previous: [Option<InitialSolution>; 2],
}

impl WarmStart {
    /// Before the first evaluation.
    pub const fn new(test: Sprt) -> Self {
        Self { test, previous: [None; 2] }
    }

    /// The ratio for these results, equal to [`Sprt::llr`]. Fast if they differ little from the last ones.
    pub fn llr<const K: usize>(&mut self, results: &ResultCounts<K>) -> Option<f64> {
        let sample = Sample::regularised(results)?;
        let [h0, h1] = self.test.fixed_parameters(&sample)?;
        let [previous0, previous1] = &mut self.previous;
        let (under0, under1) = (solve(&sample, h0, previous0)?, solve(&sample, h1, previous1)?);
        Some(under1.against(&under0, &sample))
    }
}

/// The maximum-likelihood distribution by warm start, otherwise from scratch.
fn solve<const K: usize>(
    sample: &Sample<K>,
    hypothesis: Hypothesis,
    previous: &mut Option<InitialSolution>,
) -> Option<MaxLikelihood<K>> {
    let initial = previous.unwrap_or_else(|| InitialSolution::from_sample(sample));
    let found = initial.iterate(sample, hypothesis);
    // After a failure nothing is kept, so the next warm start begins at the sample.
    *previous = found.map(|(solution, _)| solution);
    found.map_or_else(|| MaxLikelihood::under(sample, hypothesis), |(_, solution)| Some(solution))
}

/// A previous solution.
#[derive(Debug, Clone, Copy, PartialEq)]
struct InitialSolution {
    /// The multiplier x in `q = p / (1 + x φ)`.
    multiplier: f64,
    /// The standard deviation of `q`; used for hypotheses about the t-value only.
    deviation: f64,
}

/// Newton steps before the warm start is given up; usually two or three suffice.
const MAX_STEPS: u32 = 8;

/// Convergence limit: the largest relative change of a class' probability in the last step. The remaining
/// error is its square, and the ratio, which is stationary there, has an error of its fourth power per trial.
const LAST_STEP: f64 = 1e-5;

/// The warm start is safe while no class becomes more than twice as likely. Further out, data without a
/// result that a distant hypothesis needs may have two local maxima, and the iteration may end at the lower
/// one. With a factor of ten that happened in one evaluation of 2,500 at distant hypotheses; with two, in
/// none of 9,000,000.
const LEAST_RATIO: f64 = 0.5;

impl InitialSolution {
    /// The sample itself as the initial solution.
    fn from_sample<const K: usize>(sample: &Sample<K>) -> Self {
        Self { multiplier: 0.0, deviation: sample.variance().sqrt() }
    }

    /// Newton's iteration; `None` if it leaves the safe range or does not converge.
    fn iterate<const K: usize>(
        mut self,
        sample: &Sample<K>,
        hypothesis: Hypothesis,
    ) -> Option<(Self, MaxLikelihood<K>)> {
        for _ in 0..MAX_STEPS {
            let step = match hypothesis {
                Hypothesis::Mean(mean) => self.towards_mean(sample, mean)?,
                Hypothesis::TValue(t) => self.towards_t_value(sample, t)?,
            };
            self.multiplier += step.multiplier;
            self.deviation += step.deviation;
            if step.largest_change <= LAST_STEP {
                let ratios = self.ratios(&self.conditions(hypothesis))?;
                return Some((self, MaxLikelihood { ratios }));
            }
        }
        None
    }

    /// The functions with mean 0 under every distribution that satisfies the hypothesis, by class.
    fn conditions<const K: usize>(&self, hypothesis: Hypothesis) -> [f64; K] {
        let scores = Sample::<K>::scores();
        match hypothesis {
            Hypothesis::Mean(mean) => scores.map(|score| score - mean),
            Hypothesis::TValue(t) => {
                let mean = 0.5 + t * self.deviation;
                scores.map(|score| {
                    let z = (score - mean) / self.deviation;
                    score - 0.5 - 0.5 * t * self.deviation * (1.0 + z * z)
                })
            }
        }
    }

    /// `1 + x φ`; `None` outside the safe range.
    fn ratios<const K: usize>(&self, phi: &[f64; K]) -> Option<[f64; K]> {
        let ratios = phi.map(|phi| 1.0 + self.multiplier * phi);
        ratios.iter().all(|&ratio| ratio >= LEAST_RATIO).then_some(ratios)
    }

    /// Newton's step for `Σ p φ / (1 + x φ) = 0`.
    fn towards_mean<const K: usize>(&self, sample: &Sample<K>, mean: f64) -> Option<NewtonStep> {
        let phi: [f64; K] = self.conditions(Hypothesis::Mean(mean));
        let ratios = self.ratios(&phi)?;
        let (mut value, mut slope) = (0.0, 0.0);
        for ((p, phi), ratio) in sample.probabilities().iter().zip(phi).zip(ratios) {
            let share = phi / ratio;
            value += p * share;
            slope += p * share * share;
        }
        // The derivative is -slope, so Newton's step has the sign of the value.
        let multiplier = value / slope;
        let shifts = phi.iter().zip(ratios).map(|(phi, ratio)| multiplier * phi / ratio);
        Some(NewtonStep { multiplier, deviation: 0.0, largest_change: largest(shifts) })
    }

    /// Newton's step for `Σ q φ = 0` and `Σ q ψ = 0`, where `t ψ` is how φ changes with the standard
    /// deviation s: `ψ = (z² - 1) / 2 + t z`, `z = (a - m) / s`, `m = 1/2 + t s`. The second equation makes
    /// the mean m and the variance s².
    fn towards_t_value<const K: usize>(&self, sample: &Sample<K>, t: f64) -> Option<NewtonStep> {
        let phi: [f64; K] = self.conditions(Hypothesis::TValue(t));
        let ratios = self.ratios(&phi)?;
        let mean = 0.5 + t * self.deviation;
        let psi = Sample::<K>::scores().map(|score| {
            let z = (score - mean) / self.deviation;
            0.5 * (z * z - 1.0) + t * z
        });
        let (mut total, mut values, mut squares, mut cross, mut psi_sum) =
            (0.0, [0.0; 2], [0.0; 2], 0.0, 0.0);
        for ((p, ratio), (phi, psi)) in sample.probabilities().iter().zip(ratios).zip(phi.iter().zip(psi)) {
            let q = p / ratio;
            let weight = q / ratio;
            total += q;
            values = [values[0] + q * phi, values[1] + q * psi];
            squares = [squares[0] + weight * phi * phi, squares[1] + weight * psi * psi];
            cross += weight * phi * psi;
            psi_sum += weight * psi;
        }
        // Derivatives by the multiplier and by the standard deviation; ψ itself changes with the latter by
        // -(2 ψ + 1 + t²) / s.
        let by_multiplier = [-squares[0], -cross];
        let by_deviation = [
            t * psi_sum,
            -(2.0 * values[1] + (1.0 + t * t) * total) / self.deviation - self.multiplier * t * squares[1],
        ];
        // Cramer's rule. A determinant of 0 gives an infinity or NaN, which the last line refuses.
        let determinant = by_multiplier[0] * by_deviation[1] - by_multiplier[1] * by_deviation[0];
        let multiplier = (by_deviation[0] * values[1] - by_deviation[1] * values[0]) / determinant;
        let deviation = (by_multiplier[1] * values[0] - by_multiplier[0] * values[1]) / determinant;
        let widening = deviation / self.deviation;
        let shifts = phi.iter().zip(psi).zip(ratios);
        let shifts = shifts
            .map(|((phi, psi), ratio)| (multiplier * phi + self.multiplier * t * deviation * psi) / ratio);
        let largest_change = largest(shifts.chain([widening]));
        // A comparison with NaN is false, so an invalid step ends the warm start.
        (widening.abs() < 0.5).then_some(NewtonStep { multiplier, deviation, largest_change })
    }
}

fn largest(shifts: impl Iterator<Item = f64>) -> f64 {
    shifts.fold(0.0, |largest, shift| shift.abs().max(largest))
}

/// A Newton step, with the largest relative change of a class' probability or of the standard deviation.
#[derive(Debug, Clone, Copy)]
struct NewtonStep {
    multiplier: f64,
    deviation: f64,
    largest_change: f64,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pentanomial::{Pentanomial, Trinomial};
    use crate::sequential::tests::any_counts;
    use crate::sequential::{EloModel, Risks};

    fn same(followed: Option<f64>, found: Option<f64>, trials: u64) -> Result<(), TestCaseError> {
        let (Some(followed), Some(found)) = (followed, found) else {
            prop_assert_eq!(followed, found);
            return Ok(());
        };
        // Rounding error of a sum of this many logarithms.
        let limit = 1e-9 + 1e-13 * trials as f64 + 1e-9 * found.abs();
        prop_assert!((followed - found).abs() <= limit, "{followed} for {found}");
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Along random sequences, from the first trial on.
        #[test]
        fn warm_start_agrees_with_the_full_solution(
            model in prop::sample::select(EloModel::ALL),
            elo0 in -150.0..150.0_f64,
            width in 0.5..75.0,
            weights in prop::array::uniform5(0.0..1.0_f64),
            draws in prop::collection::vec(0.0..1.0_f64, 1..200),
        ) {
            let test = Sprt::new(model, elo0, elo0 + width, Risks::USUAL).expect("a sound test");
            let (mut by_pairs, mut by_games) = (WarmStart::new(test), WarmStart::new(test));
            let (mut pairs, mut games) = (Pentanomial::EMPTY, Trinomial::EMPTY);
            // Cubed, so that many distributions lack a class or two.
            let weights = weights.map(|weight| weight.powi(3));
            let total: f64 = weights.iter().sum();
            for draw in draws {
                let mut left = draw * total;
                let class = weights.iter().position(|weight| { left -= weight; left < 0.0 }).unwrap_or(2);
                pairs.counts[class] += 1;
                games.counts[class / 2] += 1;
                same(by_pairs.llr(&pairs), test.llr(&pairs), pairs.trials())?;
                same(by_games.llr(&games), test.llr(&games), games.trials())?;
            }
        }

        /// Also for jumps between arbitrary counts.
        #[test]
        fn warm_start_handles_jumps(
            model in prop::sample::select(EloModel::ALL),
            elo0 in -150.0..150.0_f64,
            width in 0.5..75.0,
            looks in prop::collection::vec((any_counts::<5>(), any_counts::<3>()), 1..20),
        ) {
            let test = Sprt::new(model, elo0, elo0 + width, Risks::USUAL).expect("a sound test");
            let (mut by_pairs, mut by_games) = (WarmStart::new(test), WarmStart::new(test));
            for (pairs, games) in looks {
                same(by_pairs.llr(&pairs), test.llr(&pairs), pairs.trials())?;
                same(by_games.llr(&games), test.llr(&games), games.trials())?;
            }
        }
    }
}
