//! The fit itself: Newton's method on what the model climbs, a log-likelihood with priors or Ordo's quasi-likelihood.
//!
//! Each is concave, or nearly so, in strengths and advantage; each step is halved until it climbs. Where no maximum
//! exists the steps never end, and that is said instead of a number.

use nalgebra::{Cholesky, DMatrix, DVector};

use super::super::solve::{self, Slope};
use super::law::Reading;
use super::layout::{Layout, Sums};
use super::meeting::Meeting;
use super::terms::Model;
use super::unfit::Unfit;

/// Results with the parameters to be fitted to them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Problem {
    pub(super) model: Model,
    pub(super) layout: Layout,
    /// Between players of one group only.
    pub(super) meetings: Vec<Meeting>,
}

/// The first player has White, then the second.
pub(super) const SIDES: [f64; 2] = [1.0, -1.0];

/// Newton's steps have this many chances; a concave function with a maximum takes a dozen.
const MAX_STEPS: u32 = 100;

/// A step this small, in natural units, ends the search: a millionth of a point.
const SMALL: f64 = 1e-9;

impl Problem {
    /// The law of a meeting's games in which that side has White.
    pub(super) fn read(&self, at: &DVector<f64>, meeting: &Meeting, side: f64) -> Reading {
        let [first, second] = meeting.players.map(|seat| self.layout.strength(at, seat));
        let x = side * (first - second) + self.layout.advantage(at);
        self.model.read(x, self.layout.draws(at))
    }

    /// A meeting's sides of the board with games: who has White, the weights of the results, and their law.
    pub(super) fn readings(
        &self,
        at: &DVector<f64>,
        meeting: &Meeting,
    ) -> impl Iterator<Item = (f64, [f64; 3], Reading)> {
        SIDES
            .into_iter()
            .zip(meeting.weights())
            .filter(|(_, weights)| weights.iter().any(|weight| *weight > 0.0))
            .map(|(side, weights)| (side, weights, self.read(at, meeting, side)))
    }

    /// The parameters that fit best, sought from `start`.
    pub(super) fn solve(&self, start: DVector<f64>) -> Result<DVector<f64>, Unfit> {
        if self.model.is_likelihood() || self.layout.draws_place().index().is_none() {
            return self.climb(start);
        }
        // Scores don't depend on draws: ratings first, the draw rate afterwards.
        let without = Self { layout: self.layout.with_draws_held(0.0), ..self.clone() };
        let ratings = without.climb(start.rows(0, start.len() - 1).into_owned())?;
        let mut at = ratings.push(0.0);
        at[start.len() - 1] = self.expected_draws(&at);
        Ok(at)
    }

    /// The draw parameter by which as many draws are expected as there were.
    fn expected_draws(&self, at: &DVector<f64>) -> f64 {
        let rate = solve::falling_root(0.0, 1.0, 0.5, |rate| {
            let draws = self.model.draw_parameter(rate);
            let mut there = at.clone();
            there[at.len() - 1] = draws; // the last parameter
            let (mut value, mut derivative) = (0.0, 0.0);
            for meeting in &self.meetings {
                for (_, weights, reading) in self.readings(&there, meeting) {
                    let games: f64 = weights.iter().sum();
                    value += weights[1] - games * reading.chances[1];
                    derivative -= games * reading.bends[1][1][1];
                }
            }
            Slope { value, derivative: derivative / self.model.draw_rate(draws).slope }
        });
        self.model.draw_parameter(rate)
    }

    /// Newton's method, each step halved until it climbs.
    fn climb(&self, start: DVector<f64>) -> Result<DVector<f64>, Unfit> {
        let mut at = start;
        if at.is_empty() {
            return Ok(at);
        }
        let mut height = self.height(&at);
        for _ in 0..MAX_STEPS {
            let (slope, bend) = self.equations(&at);
            let mut step = Cholesky::new(bend).ok_or(Unfit::Endless)?.solve(&slope);
            if step.amax() < SMALL {
                return Ok(at + step);
            }
            let climbed = (0..60).find_map(|_| {
                let there = &at + &step;
                step *= 0.5;
                let reached = self.height(&there);
                // Beside the maximum the height no longer changes in its last digits, yet the step is sound.
                (reached >= height - 1e-12 * height.abs()).then_some((there, reached))
            });
            (at, height) = climbed.ok_or(Unfit::Endless)?;
        }
        Err(Unfit::Endless)
    }

    fn height(&self, at: &DVector<f64>) -> f64 {
        let mut height = 0.0;
        for meeting in &self.meetings {
            for (_, weights, reading) in self.readings(at, meeting) {
                let seen = weights.into_iter().zip(reading.heights).filter(|(weight, _)| *weight > 0.0);
                height += seen.map(|(weight, height)| weight * height).sum::<f64>();
            }
        }
        let depth = |value: f64, mean: f64, sd: f64| ((value - mean) / sd).powi(2) / 2.0;
        let priors = self.layout.priors.iter().map(|prior| depth(at[prior.index], prior.mean, prior.sd));
        let draws = self
            .layout
            .draw_prior
            .map(|prior| depth(self.model.draw_rate(at[prior.index]).rate, prior.mean, prior.sd));
        height - priors.chain(draws).sum::<f64>()
    }

    /// The estimating equations, nought at the fit, and how they fall: minus their derivatives.
    pub(super) fn equations(&self, at: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
        let count = self.layout.count();
        let (mut slope, mut bend) = (DVector::zeros(count), DMatrix::zeros(count, count));
        for meeting in &self.meetings {
            let mut sums = Sums::default();
            for (side, weights, reading) in self.readings(at, meeting) {
                for (result, weight) in weights.into_iter().enumerate().filter(|(_, weight)| *weight > 0.0) {
                    let score = Sums::told(reading.scores[result], side);
                    sums.slope.iter_mut().zip(score).for_each(|(sum, part)| *sum += weight * part);
                    sums.add_bend(weight, reading.bends[result], side);
                }
            }
            self.layout.add_slope(meeting.players, &sums, &mut slope);
            self.layout.add_bend(meeting.players, &sums, &mut bend);
        }
        for prior in &self.layout.priors {
            let precision = prior.sd.powi(-2);
            slope[prior.index] += precision * (prior.mean - at[prior.index]);
            bend[(prior.index, prior.index)] += precision;
        }
        if let Some(prior) = self.layout.draw_prior {
            let rate = self.model.draw_rate(at[prior.index]);
            slope[prior.index] += rate.slope * (prior.mean - rate.rate) / prior.sd.powi(2);
            bend[(prior.index, prior.index)] += (rate.slope / prior.sd).powi(2);
        }
        (slope, bend)
    }

    /// The logarithm of the likelihood of the results, virtual draws and priors aside.
    pub(super) fn log_likelihood(&self, at: &DVector<f64>) -> f64 {
        let mut sum = 0.0;
        for meeting in &self.meetings {
            for (side, results) in SIDES.into_iter().zip(meeting.results) {
                let chances = self.read(at, meeting, side).chances;
                let seen = results.into_iter().zip(chances).filter(|(count, _)| *count > 0);
                sum += seen.map(|(count, chance)| count as f64 * chance.ln()).sum::<f64>();
            }
        }
        sum
    }
}
