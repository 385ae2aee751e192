//! A position as a list of weights, so that the tuner can evaluate it with other weights without a board.
//!
//! The value is `chances · (phase · middle + (1 - phase) · end)`. Both scores are linear in the weights
//! except for king danger, whose square counts for each side, and complexity, which changes the endgame score
//! by at most its own size; gradients follow by the chain rule. The winning chances depend on the weights
//! only through which side is better; that is taken from the build's weights.

use cozy_chess::{Board, Color};

use super::accumulator::{DANGER_SCALE, MOST_DANGER, WeightTrace};
use super::context::EvalContext;
use super::phase::{FULL, Phase, Tapered};
use super::terms::{self, endgame};
use super::weights::{self, COUNT, Weight};
use super::{PAWN_TERMS, TERMS, king_and_pawn, pawn_score};

/// Weights as real numbers: middlegame and endgame.
pub type Exact = [[f64; 2]; COUNT];

/// Converts weights to real numbers.
pub fn exact(weights: &[Tapered; COUNT]) -> Box<Exact> {
    Box::new(weights.map(|weight| [f64::from(weight.middle()), f64::from(weight.end())]))
}

/// Rounds weights to those of a build.
pub fn rounded(weights: &Exact) -> [Tapered; COUNT] {
    weights.map(|[middle, end]| Tapered::new(middle.round() as i32, end.round() as i32))
}

/// A weight with its count.
#[derive(Debug, Clone, Copy)]
struct Count {
    weight: u16,
    times: i16,
}

/// A position as weights with counts.
#[derive(Debug, Clone)]
pub struct TracedPosition {
    /// White's counts minus Black's.
    linear: Box<[Count]>,
    /// The danger of White's king, and of Black's.
    danger: [Box<[Count]>; 2],
    complexity: Box<[Count]>,
    /// The shares of middlegame and endgame, including the winning chances.
    shares: [f64; 2],
}

impl TracedPosition {
    /// Traces a position; `None` if the evaluation knows its outcome.
    pub fn from_board(board: &Board) -> Option<Self> {
        if king_and_pawn::outcome(board).is_some() {
            return None;
        }
        let context = EvalContext::new(board);
        let [white, black] = [Color::White, Color::Black].map(|color| {
            let mut trace = WeightTrace::default();
            for term in PAWN_TERMS.iter().chain(TERMS) {
                (term.trace)(&context, color, &mut trace);
            }
            trace
        });
        let tempo = if board.side_to_move() == Color::White { 1 } else { -1 };
        let all =
            white.linear.iter().copied().chain(black.linear.iter().map(|&(weight, times)| (weight, -times)));
        let chances = f64::from(super::score_and_chances(&context, pawn_score(&context)).1)
            / f64::from(endgame::FULL_CHANCES);
        let mut complexity = WeightTrace::default();
        terms::complexity::add_term(&context, &mut complexity);
        let phase = f64::from(Phase::from_board(board).0) / f64::from(FULL);
        Some(Self {
            linear: counts(all.chain([(weights::TEMPO.one(), tempo)])),
            danger: [white.danger, black.danger].map(|danger| counts(danger.into_iter())),
            complexity: counts(complexity.linear.into_iter()),
            shares: [chances * phase, chances * (1.0 - phase)],
        })
    }

    /// The value for White with these weights, in centipawns.
    pub fn value(&self, weights: &Exact) -> f64 {
        let (middle, end) = (self.balance(weights, 0), self.balance(weights, 1));
        let end = end + end.signum() * self.complexity(weights).clamp(-end.abs(), end.abs());
        middle * self.shares[0] + end * self.shares[1]
    }

    /// The sum of all terms except complexity, for middlegame (0) or endgame (1).
    fn balance(&self, weights: &Exact, end: usize) -> f64 {
        let [white, black] = [0, 1].map(|side| loss_by(sum(&self.danger[side], weights, end)));
        sum(&self.linear, weights, end) - white + black
    }

    fn complexity(&self, weights: &Exact) -> f64 {
        sum(&self.complexity, weights, 1)
    }

    /// Adds `times` times the derivative of the value by each weight to a gradient.
    pub fn add_slope(&self, weights: &Exact, times: f64, gradient: &mut Exact) {
        let (end, complexity) = (self.balance(weights, 1), self.complexity(weights));
        let through = if complexity.abs() < end.abs() {
            add(&self.complexity, times * self.shares[1] * end.signum(), 1, gradient);
            1.0
        } else {
            // A complexity at its limit doubles the endgame score or removes it, so the slope is 2 or 0.
            1.0 + complexity.signum()
        };
        for (end, through) in [(0, 1.0), (1, through)] {
            let share = times * self.shares[end] * through;
            add(&self.linear, share, end, gradient);
            for (danger, sign) in self.danger.iter().zip([-1.0, 1.0]) {
                let slope = slope_at(sum(danger, weights, end));
                if slope > 0.0 {
                    add(danger, sign * share * slope, end, gradient);
                }
            }
        }
    }

    /// The weights with a nonzero count.
    pub fn weights(&self) -> impl Iterator<Item = usize> {
        self.linear
            .iter()
            .chain(self.danger.iter().flatten())
            .chain(&self.complexity)
            .map(|count| usize::from(count.weight))
    }
}

/// One count per weight, without zeros.
fn counts(entered: impl Iterator<Item = (Weight, i32)>) -> Box<[Count]> {
    let mut entered: Vec<(Weight, i32)> = entered.collect();
    entered.sort_unstable_by_key(|&(weight, _)| weight);
    let same = entered.chunk_by(|(one, _), (other, _)| one == other);
    let counts = same.map(|same| Count {
        weight: same[0].0.index() as u16,
        times: same.iter().map(|&(_, times)| times).sum::<i32>() as i16,
    });
    counts.filter(|count| count.times != 0).collect()
}

fn sum(counts: &[Count], weights: &Exact, end: usize) -> f64 {
    counts.iter().map(|count| f64::from(count.times) * weights[usize::from(count.weight)][end]).sum()
}

fn add(counts: &[Count], times: f64, end: usize, gradient: &mut Exact) {
    for count in counts {
        gradient[usize::from(count.weight)][end] += f64::from(count.times) * times;
    }
}

/// The loss of [`super::accumulator::loss_by`], without rounding.
fn loss_by(danger: f64) -> f64 {
    danger.clamp(0.0, f64::from(MOST_DANGER)).powi(2) / f64::from(DANGER_SCALE)
}

fn slope_at(danger: f64) -> f64 {
    if danger <= 0.0 || danger >= f64::from(MOST_DANGER) {
        0.0
    } else {
        2.0 * danger / f64::from(DANGER_SCALE)
    }
}
