//! A sequential test checked after every pair, mostly without computing maximum-likelihood distributions.
//!
//! The log-likelihood ratio of counts n is W0(n) - W1(n), where Wj(n) is the maximum over x of Σ n ln(1 + x
//! φj). With the x of an earlier evaluation, at counts n, the sums at the counts n + k are
//!
//! - at most the new maxima, since those are maxima;
//! - less than them by at most -λ - ln(1 - λ), λ² = G²/H, with G and -H the first two derivatives in x: each
//!   term is the logarithm of a line with a weight of at least 1, so the sum is *self-concordant* (Nesterov,
//!   "Lectures on Convex Optimization", theorem 5.1.12). The regularisation of empty classes is replaced by
//!   its tangent, which bounds it from above.
//!
//! So the ratio lies within known margins of a sum of known steps. While those are inside the bounds the test
//! continues, whatever the exact ratio is. λ² is about k/(n + k): full evaluations happen at n, 2n, 4n … and
//! near a bound. For logistic hypotheses this proves that no crossing is missed. A normalized hypothesis is
//! curved, by an amount smaller than λ² by the square of the t-values; there the margins are doubled, and the
//! tests below compare with full evaluations at every pair.

use crate::sample::PRIOR;
use crate::sequential::max_likelihood::{Hypothesis, MaxLikelihood};
use crate::{Bounds, EloModel, Judgement, Logistic, Pentanomial, Sample, Sprt};

/// A running test. With [`EloModel::BayesElo`], which pairs cannot decide, it never ends.
#[derive(Debug, Clone)]
pub struct FastSprt<'t> {
    test: &'t Sprt,
    bounds: Bounds,
    first_look: u64,
    pairs: Pentanomial,
    played: u64,
    held: Option<LastFullLook>,
}

/// The maximum-likelihood distributions of the last full evaluation, and the sums over them since.
#[derive(Debug, Clone, Copy)]
struct LastFullLook {
    llr: f64,
    /// The increment of the ratio for a pair of each class.
    steps: [f64; 5],
    curves: [LogSum; 2],
}

/// The sum of logarithms of one hypothesis near its maximum x.
#[derive(Debug, Clone, Copy)]
struct LogSum {
    /// G: the first derivative.
    slope: f64,
    /// H: the second with its sign turned, over classes that occurred.
    curvature: f64,
    /// φ / (1 + x φ), what one more pair of each class adds to G; its square is added to H.
    pulls: [f64; 5],
    /// The usable share of the distance between the sum and a bound: 1 where the margin is proven.
    trust: f64,
}

/// Up to this λ², a sum is less than its maximum by no more than λ² itself: -λ - ln(1 - λ) ≤ λ².
const FAR: f64 = 0.46;

impl<'t> FastSprt<'t> {
    /// Before the first pair.
    pub fn new(test: &'t Sprt) -> Self {
        Self {
            test,
            bounds: test.bounds(),
            first_look: first_look(test),
            pairs: Pentanomial::EMPTY,
            played: 0,
            held: None,
        }
    }

    /// Records a pair by its class, 0 (both lost) to 4 (both won), and returns the decision.
    pub fn record(&mut self, class: usize) -> Judgement {
        // The first pair of a class replaces its regularisation.
        let weight = if self.pairs.counts[class] == 0 { 1.0 - PRIOR } else { 1.0 };
        self.pairs.counts[class] += 1;
        self.played += 1;
        if let Some(held) = &mut self.held {
            held.record(class, weight);
            if held.is_inside(self.bounds) {
                return Judgement::Continue;
            }
        }
        if self.played < self.first_look { Judgement::Continue } else { self.look() }
    }

    /// The number of pairs.
    pub const fn played(&self) -> u64 {
        self.played
    }

    /// The counts of the pairs.
    pub const fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    fn look(&mut self) -> Judgement {
        self.held = LastFullLook::evaluate(self.test, &self.pairs);
        self.held.map_or(Judgement::Continue, |held| self.bounds.judge(held.llr))
    }
}

/// The number of pairs before which no bound can be reached with logistic hypotheses. Better results are more
/// evidence, so no results exceed wins alone, ln(s1 / s0) each, or losses alone, ln((1 - s1) / (1 - s0))
/// each.
fn first_look(test: &Sprt) -> u64 {
    match test.model() {
        EloModel::Logistic => {
            let [s0, s1] = [test.elo0(), test.elo1()].map(|elo| Logistic(elo).score());
            let Bounds { lower, upper } = test.bounds();
            let pairs = (upper / (s1 / s0).ln()).min(lower / ((1.0 - s1) / (1.0 - s0)).ln());
            // Minus the largest effect of regularisation.
            (pairs - 0.01).floor() as u64
        }
        EloModel::Normalized | EloModel::BayesElo => 1,
    }
}

impl LastFullLook {
    /// A full evaluation. `None` if no distribution is found.
    fn evaluate(test: &Sprt, pairs: &Pentanomial) -> Option<Self> {
        let sample = Sample::regularised(pairs)?;
        let [under_h0, under_h1] =
            test.fixed_parameters(&sample)?.map(|hypothesis| LogSum::maximise(hypothesis, &sample, pairs));
        let ((ratios0, curve0), (ratios1, curve1)) = (under_h0?, under_h1?);
        let mut steps = ratios0;
        steps.iter_mut().zip(ratios1).for_each(|(step, ratio)| *step = (*step / ratio).ln());
        let llr =
            sample.trials() * sample.probabilities().iter().zip(steps).map(|(p, step)| p * step).sum::<f64>();
        Some(Self { llr, steps, curves: [curve0, curve1] })
    }

    fn record(&mut self, class: usize, weight: f64) {
        self.llr += weight * self.steps[class];
        for curve in &mut self.curves {
            let pull = curve.pulls[class];
            curve.slope += weight * pull;
            curve.curvature += pull * pull;
        }
    }

    /// Whether the exact ratio is certainly between the bounds.
    fn is_inside(&self, bounds: Bounds) -> bool {
        let [h0, h1] = &self.curves;
        h0.is_closer_than(bounds.upper - self.llr) && h1.is_closer_than(self.llr - bounds.lower)
    }
}

impl LogSum {
    /// Whether the sum is certainly this close to its maximum.
    fn is_closer_than(&self, room: f64) -> bool {
        // λ² = G² / H, and below `FAR` the sum is less than its maximum by at most λ².
        self.slope * self.slope < FAR.min(self.trust * room) * self.curvature
    }

    /// The sum of a hypothesis at its maximum, after the ratios `1 + x φ` there.
    fn maximise(hypothesis: Hypothesis, sample: &Sample<5>, pairs: &Pentanomial) -> Option<([f64; 5], Self)> {
        let likeliest = MaxLikelihood::under(sample, hypothesis)?;
        let scores = Sample::<5>::scores();
        let (phi, trust) = match hypothesis {
            Hypothesis::Mean(mean) => (scores.map(|score| score - mean), 1.0),
            Hypothesis::TValue(t) => {
                let distribution = Sample::from_weights(likeliest.probabilities(sample))?;
                let (mean, deviation) = (distribution.mean(), distribution.variance().sqrt());
                let phi = |score: f64| {
                    score - 0.5 - 0.5 * t * deviation * (1.0 + ((score - mean) / deviation).powi(2))
                };
                // A normalized hypothesis is not linear: its margins are not proven and are doubled.
                (scores.map(phi), 0.5)
            }
        };
        let mut pulls = phi;
        pulls.iter_mut().zip(likeliest.ratios()).for_each(|(pull, ratio)| *pull /= ratio);
        let curvature = pairs.counts.iter().zip(pulls).map(|(&count, pull)| count as f64 * pull * pull).sum();
        Some((*likeliest.ratios(), Self { slope: 0.0, curvature, pulls, trust }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Risks;
    use crate::planning::ReferencePairs;
    use crate::planning::pair_sampler::PairSchedule;

    fn stop(
        test: &Sprt,
        mut look: impl FnMut(usize) -> Judgement,
        schedule: &PairSchedule,
        run: u64,
    ) -> (u64, Judgement) {
        let mut draws = schedule.run(3, run);
        (1..20_000)
            .map(|pair| (pair, look(draws.draw())))
            .find(|(_, judgement)| *judgement != Judgement::Continue)
            .unwrap_or((0, test.bounds().judge(0.0)))
    }

    #[test]
    fn fast_sprt_stops_where_full_evaluation_stops() {
        for &reference in ReferencePairs::ALL {
            let schedule = PairSchedule::constant(
                reference.distribution().with_mean(0.51).expect("losses and wins occur"),
            );
            for (model, elo0, elo1) in [
                (EloModel::Logistic, 0.0, 10.0),
                (EloModel::Logistic, -20.0, 40.0),
                (EloModel::Normalized, 0.0, 15.0),
                (EloModel::Normalized, 20.0, 80.0),
            ] {
                let test = Sprt::new(model, elo0, elo1, Risks::USUAL).expect("a sound test");
                for run in 0..10 {
                    let mut fast = FastSprt::new(&test);
                    let quick = stop(&test, |class| fast.record(class), &schedule, run);
                    let mut pairs = Pentanomial::EMPTY;
                    let full = |class: usize| {
                        pairs.counts[class] += 1;
                        test.judge(&pairs)
                    };
                    assert_eq!(
                        quick,
                        stop(&test, full, &schedule, run),
                        "{reference} {model} [{elo0}, {elo1}] {run}"
                    );
                }
            }
        }
    }
}
