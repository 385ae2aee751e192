//! The fit: Newton's method on a log-likelihood with priors or on Ordo's quasi-likelihood.
//!
//! Each is concave, or nearly so, in strengths and advantage; each step is halved until the objective
//! increases. Without a maximum the steps diverge, which is returned as an error.

use nalgebra::{Cholesky, DMatrix, DVector};

use super::super::root_finding::{self, Slope};
use super::error::RatingError;
use super::game_model::GameModel;
use super::game_terms::ModelTerms;
use super::head_to_head::HeadToHead;
use super::parameters::{HeadToHeadSums, ParameterLayout};
use super::settings::RatingModel;

/// Results with the parameters to fit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Problem {
    pub(super) model: RatingModel,
    pub(super) layout: ParameterLayout,
    /// Between players of one group only.
    pub(super) head_to_heads: Vec<HeadToHead>,
}

/// The first player has White, then the second.
pub(super) const SIDES: [f64; 2] = [1.0, -1.0];

/// The largest number of Newton steps; a concave function with a maximum takes about a dozen.
const MAX_STEPS: u32 = 100;

/// The step size of convergence, in natural units: a millionth of a point.
const SMALL: f64 = 1e-9;

/// A problem at some parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point<'a> {
    problem: &'a Problem,
    at: &'a DVector<f64>,
    model: GameModel,
    advantage: f64,
}

impl Point<'_> {
    /// The terms of a head-to-head's games in which that side has White.
    pub(super) fn evaluate(&self, meeting: &HeadToHead, side: f64) -> ModelTerms {
        let [first, second] = meeting.players.map(|seat| self.problem.layout.strength(self.at, seat));
        self.model.evaluate(side * (first - second) + self.advantage)
    }

    /// The colours of a head-to-head that have games: the side, the weights of the results, and their terms.
    pub(super) fn readings(&self, meeting: &HeadToHead) -> impl Iterator<Item = (f64, [f64; 3], ModelTerms)> {
        SIDES
            .into_iter()
            .zip(meeting.weights())
            .filter(|(_, weights)| weights.iter().any(|weight| *weight > 0.0))
            .map(|(side, weights)| (side, weights, self.evaluate(meeting, side)))
    }
}

/// The objective, its gradient and its negative Hessian.
struct Slopes {
    height: f64,
    slope: DVector<f64>,
    curvature: DMatrix<f64>,
}

/// Over a step this small, in natural units, second derivatives change by less than 1 %.
const NEAR: f64 = 1e-3;

/// A draw rate above this means that the search has reached the end of its range.
const MOST_DRAWISH: f64 = 1.0 - 1e-6;

impl Problem {
    pub(super) fn point<'a>(&'a self, at: &'a DVector<f64>) -> Point<'a> {
        let model = self.model.game_model(self.layout.draws(at));
        Point { problem: self, at, model, advantage: self.layout.advantage(at) }
    }

    /// The best parameters, starting from `start`.
    pub(super) fn solve(&self, start: DVector<f64>) -> Result<DVector<f64>, RatingError> {
        if self.model.is_likelihood() || self.layout.draws_place().index().is_none() {
            return self.climb(start);
        }
        // Ordo's scores do not depend on draws: ratings first, then the draw rate.
        let without = Self { layout: self.layout.with_draws_fixed(0.0), ..self.clone() };
        let ratings = without.climb(start.rows(0, start.len() - 1).into_owned())?;
        let mut at = ratings.push(0.0);
        at[start.len() - 1] = self.expected_draws(&at)?;
        Ok(at)
    }

    /// The draw parameter at which expected draws equal observed draws.
    fn expected_draws(&self, at: &DVector<f64>) -> Result<f64, RatingError> {
        // The search is over the rate, since its range is bounded; the derivative is converted by the chain
        // rule.
        let rate = root_finding::decreasing_root(0.0, 1.0, 0.5, |rate| {
            let draws = self.model.draw_parameter(rate);
            let mut there = at.clone();
            there[at.len() - 1] = draws; // the last parameter
            let (mut seen, mut expected, mut derivative) = (0.0, 0.0, 0.0);
            let point = self.point(&there);
            for meeting in &self.head_to_heads {
                for (_, weights, reading) in point.readings(meeting) {
                    let games: f64 = weights.iter().sum();
                    seen += weights[1];
                    expected += games * reading.chances[1];
                    derivative -= games * reading.curvatures[1][1][1];
                }
            }
            // The last digits of a sum over many head-to-heads are noise; a search among them would cost a
            // sum per step.
            let value = if (seen - expected).abs() < 1e-11 * seen { 0.0 } else { seen - expected };
            Slope { value, derivative: derivative / self.model.draw_rate(draws).slope }
        });
        if rate < MOST_DRAWISH { Ok(self.model.draw_parameter(rate)) } else { Err(RatingError::Drawish) }
    }

    /// Newton's method with step halving.
    fn climb(&self, start: DVector<f64>) -> Result<DVector<f64>, RatingError> {
        let mut at = start;
        if at.is_empty() {
            return Ok(at);
        }
        let mut here = self.slopes(&at);
        for _ in 0..MAX_STEPS {
            let mut step = Cholesky::new(here.curvature).ok_or(RatingError::Endless)?.solve(&here.slope);
            let length = step.amax();
            if length < SMALL {
                return Ok(at + step);
            }
            // Near the maximum full steps converge, while the objective changes only in noise digits.
            let enough = if length < NEAR { f64::NEG_INFINITY } else { here.height };
            let climbed = (0..60).find_map(|_| {
                let there = &at + &step;
                step *= 0.5;
                // A full step nearly always succeeds, so its derivatives are computed at once.
                let reached = self.slopes(&there);
                (reached.height >= enough).then_some((there, reached))
            });
            (at, here) = climbed.ok_or(RatingError::Endless)?;
        }
        Err(RatingError::Endless)
    }

    /// The negative derivatives of the estimating equations.
    pub(super) fn curvature(&self, at: &DVector<f64>) -> DMatrix<f64> {
        self.slopes(at).curvature
    }

    fn slopes(&self, at: &DVector<f64>) -> Slopes {
        let count = self.layout.count();
        let (mut height, mut slope, mut curvature) =
            (0.0, DVector::zeros(count), DMatrix::zeros(count, count));
        let point = self.point(at);
        for meeting in &self.head_to_heads {
            let mut sums = HeadToHeadSums::default();
            for (side, weights, reading) in point.readings(meeting) {
                let mut total = [[0.0; 2]; 2];
                for (result, weight) in weights.into_iter().enumerate().filter(|(_, weight)| *weight > 0.0) {
                    height += weight * reading.heights[result];
                    let score = HeadToHeadSums::by_side(reading.scores[result], side);
                    sums.slope.iter_mut().zip(score).for_each(|(sum, part)| *sum += weight * part);
                    for (row, curvatures) in total.iter_mut().zip(reading.curvatures[result]) {
                        row.iter_mut()
                            .zip(curvatures)
                            .for_each(|(cell, curvature)| *cell += weight * curvature);
                    }
                }
                sums.add_curvature(total, side);
            }
            self.layout.add_slope(meeting.players, &sums, &mut slope);
            self.layout.add_curvature(meeting.players, &sums, &mut curvature);
        }
        for prior in &self.layout.priors {
            let (off, precision) = (prior.mean - at[prior.index], prior.sd.powi(-2));
            height -= precision * off * off / 2.0;
            slope[prior.index] += precision * off;
            curvature[(prior.index, prior.index)] += precision;
        }
        for prior in &self.layout.relations {
            let (off, precision) = (prior.mean - self.layout.lead(at, prior.players), prior.sd.powi(-2));
            height -= precision * off * off / 2.0;
            let sums = HeadToHeadSums::of_difference(off, precision);
            self.layout.add_slope(prior.players, &sums, &mut slope);
            self.layout.add_curvature(prior.players, &sums, &mut curvature);
        }
        if let Some(prior) = self.layout.draw_prior {
            let rate = self.model.draw_rate(at[prior.index]);
            let (off, precision) = (prior.mean - rate.rate, prior.sd.powi(-2));
            height -= precision * off * off / 2.0;
            slope[prior.index] += precision * off * rate.slope;
            // Without the second derivative of the rate (Gauss-Newton): this term is never negative.
            curvature[(prior.index, prior.index)] += precision * rate.slope * rate.slope;
        }
        Slopes { height, slope, curvature }
    }

    /// The log-likelihood of the results, without virtual draws and priors.
    pub(super) fn log_likelihood(&self, at: &DVector<f64>) -> f64 {
        let mut sum = 0.0;
        let point = self.point(at);
        for meeting in &self.head_to_heads {
            for (side, results) in SIDES.into_iter().zip(meeting.results) {
                let chances = point.evaluate(meeting, side).chances;
                let seen = results.into_iter().zip(chances).filter(|(count, _)| *count > 0);
                sum += seen.map(|(count, chance)| count as f64 * chance.ln()).sum::<f64>();
            }
        }
        sum
    }
}
