//! What a node came to: a value, and how much of it is true of the position wherever it stands.
//!
//! A draw by repetition hangs on an ancestor, and with it every value that it goes into. What such a value still
//! shows of the position alone is a range: H. G. Muller's shadow score, with his rules put right
//! (`NodeOutcome::take`).

use std::ops::Neg;

use cozy_chess::Move;

use super::node::Window;
use crate::range::ScoreRange;
use crate::repetition::PathDependence;
use crate::scoring::Scoring;
use crate::value::Value;

/// What a node came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeResult {
    /// Exact inside the window that was asked about, a bound outside.
    pub value: Value,
    /// What the value would lie in, were the position the root.
    pub range: ScoreRange,
    /// The highest ancestor that the value hangs on.
    pub dependence: PathDependence,
}

impl NodeResult {
    /// The same wherever the position stands. What it shows is for the one who asked to say.
    pub(super) const fn path_independent(value: Value) -> Self {
        Self { value, range: ScoreRange::UNKNOWN, dependence: PathDependence::NONE }
    }

    /// This very value, wherever the position stands.
    pub(super) const fn exactly(value: Value) -> Self {
        Self { value, range: ScoreRange::exactly(value), dependence: PathDependence::NONE }
    }

    /// True here, where the position stands below this ancestor, and telling nothing of other places.
    pub(super) const fn path_dependent(value: Value, dependence: PathDependence) -> Self {
        Self { value, range: ScoreRange::UNKNOWN, dependence }
    }

    /// Found by asking about this window: who asked stands at `ply` and takes the value for the position's own
    /// unless it hangs on something above him.
    pub(super) fn for_parent(self, ply: usize, window: Window) -> Self {
        if self.dependence.is_above(ply) {
            return self;
        }
        Self { range: ScoreRange::from_search(self.value, window.alpha, window.beta), ..self }
    }

    /// The same where losses are delayed, below a node that stands like this.
    pub(super) fn delayed(self, scoring: Scoring, stands: Value) -> Self {
        let delayed = |value| scoring.delayed(value, stands);
        let range = ScoreRange { low: delayed(self.range.low), high: delayed(self.range.high) };
        Self { value: delayed(self.value), range, ..self }
    }
}

/// As the opponent sees it.
impl Neg for NodeResult {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, range: -self.range, dependence: self.dependence }
    }
}

/// A draw that can be had by repeating a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RepetitionDraw {
    /// What it is worth to the side to move.
    pub value: Value,
    /// The highest ancestor that it hangs on.
    pub dependence: PathDependence,
}

/// What trying the moves of a node came to.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeOutcome {
    pub best: Value,
    pub mv: Option<Move>,
    /// What the moves show of the position alone: the greatest of their lower bounds and of their upper ones.
    range: ScoreRange,
    pub dependence: PathDependence,
}

impl NodeOutcome {
    /// Nothing was tried yet.
    pub(super) const fn new() -> Self {
        let nothing = ScoreRange { low: Value::MINUS_INFINITE, high: Value::MINUS_INFINITE };
        Self { best: Value::MINUS_INFINITE, mv: None, range: nothing, dependence: PathDependence::NONE }
    }

    /// Nothing was tried yet, but a move is known to repeat a position; there may be better.
    pub(super) fn with_upcoming_draw(coming: Option<RepetitionDraw>) -> Self {
        let Some(RepetitionDraw { value, dependence }) = coming else { return Self::new() };
        let low = if dependence == PathDependence::NONE { value } else { Value::MINUS_INFINITE };
        Self { best: value, mv: None, range: ScoreRange { low, high: Value::INFINITE }, dependence }
    }

    /// The position is worth no less, whatever its moves are.
    pub(super) fn at_least(&mut self, value: Value) {
        self.best = self.best.max(value);
        self.range = ScoreRange { low: self.range.low.max(value), high: self.range.high.max(value) };
    }

    /// The position is worth no more, whatever its moves are.
    pub(super) fn at_most(&mut self, value: Value) {
        self.best = self.best.min(value);
        self.range = ScoreRange { low: self.range.low.min(value), high: self.range.high.min(value) };
    }

    /// A move was tried, with this verdict from the mover's view. The value is his to compare with the best.
    pub(super) fn take(&mut self, tried: NodeResult) {
        self.range.low = self.range.low.max(tried.range.low);
        self.range.high = self.range.high.max(tried.range.high);
        self.dependence = self.dependence.or_higher(tried.dependence);
    }

    /// No move after this one is tried: there may be better.
    pub(super) const fn cut(&mut self) {
        self.range.high = Value::INFINITE;
    }

    /// The value is this, whatever was found out about moves.
    pub(super) const fn settle(&mut self, value: Value) {
        (self.best, self.range) = (value, ScoreRange::exactly(value));
    }

    /// The verdict of the node at this ply, asked about this window.
    pub(super) fn result(&self, ply: usize, window: Window) -> NodeResult {
        NodeResult { value: self.best, range: self.range, dependence: self.dependence }
            .for_parent(ply, window)
    }
}

#[cfg(test)]
mod model;
