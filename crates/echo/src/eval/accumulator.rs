//! Accumulators: evaluation terms add weights with a count.
//!
//! A term reports which weights apply and how often, without knowing their values. One accumulator sums the
//! weights, which is the evaluation; another records the list, to which the tuner fits weights. Since both
//! are fed by the same code, they cannot diverge.

use super::phase::Tapered;
use super::weights::{WEIGHTS, Weight};

/// Receives the weights of one side's terms.
pub trait TermAccumulator {
    /// Adds a weight `times` times.
    fn add(&mut self, weight: Weight, times: i32);

    /// Adds a weight `times` times to the danger of this side's king; see [`loss_by`].
    fn add_danger(&mut self, weight: Weight, times: i32);
}

/// The sum of the added weights.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScoreSum {
    linear: Tapered,
    danger: Tapered,
}

impl ScoreSum {
    /// The total score.
    pub const fn total(self) -> Tapered {
        let lost = (loss_by(self.danger.middle()), loss_by(self.danger.end()));
        Tapered::new(self.linear.middle() - lost.0, self.linear.end() - lost.1)
    }
}

impl TermAccumulator for ScoreSum {
    fn add(&mut self, weight: Weight, times: i32) {
        self.linear += WEIGHTS[weight.index()] * times;
    }

    fn add_danger(&mut self, weight: Weight, times: i32) {
        self.danger += WEIGHTS[weight.index()] * times;
    }
}

/// The list of added weights in order; weights may repeat.
#[derive(Debug, Clone, Default)]
pub struct WeightTrace {
    /// The linear weights.
    pub linear: Vec<(Weight, i32)>,
    /// The weights of king danger.
    pub danger: Vec<(Weight, i32)>,
}

impl TermAccumulator for WeightTrace {
    fn add(&mut self, weight: Weight, times: i32) {
        self.linear.push((weight, times));
    }

    fn add_danger(&mut self, weight: Weight, times: i32) {
        self.danger.push((weight, times));
    }
}

/// The square of danger per centipawn.
pub const DANGER_SCALE: i32 = 512;
/// The limit of danger.
pub const MOST_DANGER: i32 = 1000;

/// The penalty of king danger in centipawns: quadratic up to the limit.
pub const fn loss_by(danger: i32) -> i32 {
    let counted = if danger > MOST_DANGER { MOST_DANGER } else { danger };
    if counted > 0 { counted * counted / DANGER_SCALE } else { 0 }
}
