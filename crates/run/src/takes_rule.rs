//! How several takes share the games of a run: a part of its specification.

use threefold_stats::takes::{BatchRule, Guarantee, TakesEnd};

/// How the takes of a run share its games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakesRule {
    /// When the run ends.
    pub end: TakesEnd,
    /// What the level of the tests guarantees; the tests have it already.
    pub guarantee: Guarantee,
    /// The pairs (or single games) of a batch, from 1.
    pub batch: u32,
    /// The number of batches whose results the next draw does not wait for, from 1.
    pub ahead: u32,
}

impl TakesRule {
    /// The usual batches.
    pub fn new(end: TakesEnd, guarantee: Guarantee) -> Self {
        let BatchRule { trials, ahead, .. } = BatchRule::usual(0);
        let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        Self { end, guarantee, batch: number(trials), ahead: number(ahead as u64) }
    }

    /// The batches of a run with this seed.
    pub(super) const fn batches(self, seed: u64) -> BatchRule {
        BatchRule { seed, trials: self.batch as u64, ahead: self.ahead as usize }
    }
}
