//! Where terms enter what they find: so many times this weight.
//!
//! A term says which weights count and how often, and knows nothing of what they are. One ledger adds the
//! weights up, which is the evaluation; another keeps the list, which is what the tuner fits weights to.
//! Since both are fed by the same code, they can't drift apart.

use super::phase::Tapered;
use super::weights::{WEIGHTS, Weight};

/// Takes what terms find for one side.
pub trait TermAccumulator {
    /// Enters a weight so many times.
    fn add(&mut self, weight: Weight, times: i32);

    /// Enters a weight so many times among what endangers this side's king; see [`loss_by`].
    fn add_danger(&mut self, weight: Weight, times: i32);
}

/// The sum of what was entered.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScoreSum {
    worth: Tapered,
    danger: Tapered,
}

impl ScoreSum {
    /// What all of it is worth.
    pub const fn total(self) -> Tapered {
        let lost = (loss_by(self.danger.middle()), loss_by(self.danger.end()));
        Tapered::new(self.worth.middle() - lost.0, self.worth.end() - lost.1)
    }
}

impl TermAccumulator for ScoreSum {
    fn add(&mut self, weight: Weight, times: i32) {
        self.worth += WEIGHTS[weight.index()] * times;
    }

    fn add_danger(&mut self, weight: Weight, times: i32) {
        self.danger += WEIGHTS[weight.index()] * times;
    }
}

/// The list of what was entered, in order; a weight may stand in it more than once.
#[derive(Debug, Clone, Default)]
pub struct WeightTrace {
    /// What counts as it is.
    pub worth: Vec<(Weight, i32)>,
    /// What endangers the king.
    pub danger: Vec<(Weight, i32)>,
}

impl TermAccumulator for WeightTrace {
    fn add(&mut self, weight: Weight, times: i32) {
        self.worth.push((weight, times));
    }

    fn add_danger(&mut self, weight: Weight, times: i32) {
        self.danger.push((weight, times));
    }
}

/// Danger whose square this is costs a centipawn.
pub const DANGER_SCALE: i32 = 512;
/// No more danger than this counts.
pub const MOST_DANGER: i32 = 1000;

/// What danger to the king costs, in centipawns: attacks add up to more than their sum, up to a limit.
pub const fn loss_by(danger: i32) -> i32 {
    let counted = if danger > MOST_DANGER { MOST_DANGER } else { danger };
    if counted > 0 { counted * counted / DANGER_SCALE } else { 0 }
}
