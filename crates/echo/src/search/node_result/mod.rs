//! A node's result: its value, and the range of values that is independent of the path.
//!
//! A draw by repetition depends on an ancestor, and so does every value computed from it. What such a value
//! shows about the position alone is a range: H. G. Muller's shadow score, with corrected rules
//! (`NodeOutcome::add_move`).

use std::ops::Neg;

use cozy_chess::Move;

use super::window::Window;
use crate::range::ScoreRange;
use crate::repetition::PathDependence;
use crate::scoring::Scoring;
use crate::value::Value;

/// The result of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeResult {
    /// Exact inside the requested window, a bound outside.
    pub value: Value,
    /// The range of the value if the position were the root.
    pub range: ScoreRange,
    /// The highest ancestor that the value depends on.
    pub dependence: PathDependence,
}

impl NodeResult {
    /// A path-independent value. Its range is set by [`Self::with_range_at`].
    pub(super) const fn path_independent(value: Value) -> Self {
        Self { value, range: ScoreRange::UNKNOWN, dependence: PathDependence::NONE }
    }

    /// An exact, path-independent value.
    pub(super) const fn exactly(value: Value) -> Self {
        Self { value, range: ScoreRange::exactly(value), dependence: PathDependence::NONE }
    }

    /// A value that is valid only below this ancestor.
    pub(super) const fn path_dependent(value: Value, dependence: PathDependence) -> Self {
        Self { value, range: ScoreRange::UNKNOWN, dependence }
    }

    /// The result of a search with this window, as a node at `ply` uses it. If it depends on no ancestor
    /// above that node, its range follows from the value and the window; otherwise it stays the same.
    pub(super) fn with_range_at(self, ply: usize, window: Window) -> Self {
        if self.dependence.is_above(ply) {
            return self;
        }
        Self { range: ScoreRange::from_search(self.value, window.alpha, window.beta), ..self }
    }

    /// The result with delayed losses, for a node with this static evaluation.
    pub(super) fn delayed(self, scoring: Scoring, static_eval: Value) -> Self {
        let delayed = |value| scoring.delayed(value, static_eval);
        let range = ScoreRange { low: delayed(self.range.low), high: delayed(self.range.high) };
        Self { value: delayed(self.value), range, ..self }
    }
}

/// The result from the opponent's view.
impl Neg for NodeResult {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, range: -self.range, dependence: self.dependence }
    }
}

/// A draw by repeating a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RepetitionDraw {
    /// The value for the side to move.
    pub value: Value,
    /// The highest ancestor that it depends on.
    pub dependence: PathDependence,
}

/// The outcome of a node's move loop.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeOutcome {
    pub best: Value,
    pub mv: Option<Move>,
    /// The path-independent range: the maxima of the moves' lower and upper bounds.
    range: ScoreRange,
    pub dependence: PathDependence,
}

impl NodeOutcome {
    /// Before the first move.
    pub(super) const fn new() -> Self {
        let range = ScoreRange { low: Value::MINUS_INFINITE, high: Value::MINUS_INFINITE };
        Self { best: Value::MINUS_INFINITE, mv: None, range, dependence: PathDependence::NONE }
    }

    /// Before the first move, if one move is known to draw by repetition. Other moves may be better.
    pub(super) fn with_upcoming_draw(coming: Option<RepetitionDraw>) -> Self {
        let Some(RepetitionDraw { value, dependence }) = coming else { return Self::new() };
        // A draw that depends on the path is no bound of the position alone.
        let low = if dependence == PathDependence::NONE { value } else { Value::MINUS_INFINITE };
        Self { best: value, mv: None, range: ScoreRange { low, high: Value::INFINITE }, dependence }
    }

    /// Applies a lower bound that holds for the position alone.
    pub(super) fn at_least(&mut self, value: Value) {
        self.best = self.best.max(value);
        self.range = ScoreRange { low: self.range.low.max(value), high: self.range.high.max(value) };
    }

    /// Applies an upper bound that holds for the position alone.
    pub(super) fn at_most(&mut self, value: Value) {
        self.best = self.best.min(value);
        self.range = ScoreRange { low: self.range.low.min(value), high: self.range.high.min(value) };
    }

    /// Adds the range and the dependence of a move, from the mover's side. The caller updates `best` and
    /// `mv`.
    pub(super) fn add_move(&mut self, tried: NodeResult) {
        self.range.low = self.range.low.max(tried.range.low);
        self.range.high = self.range.high.max(tried.range.high);
        self.dependence = self.dependence.or_higher(tried.dependence);
    }

    /// The range after some of the moves: the others may be better.
    pub(super) const fn range_so_far(&self) -> ScoreRange {
        ScoreRange { low: self.range.low, high: Value::INFINITE }
    }

    /// Records a cutoff: the remaining moves may be better.
    pub(super) const fn record_cutoff(&mut self) {
        self.range.high = Value::INFINITE;
    }

    /// Sets an exact value.
    pub(super) const fn set_exact(&mut self, value: Value) {
        (self.best, self.range) = (value, ScoreRange::exactly(value));
    }

    /// The result of the node at this ply for this window.
    pub(super) fn result(&self, ply: usize, window: Window) -> NodeResult {
        NodeResult { value: self.best, range: self.range, dependence: self.dependence }
            .with_range_at(ply, window)
    }
}

#[cfg(test)]
mod model_tests;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_after_a_cutoff_may_be_better_than_its_range() {
        let mut outcome = NodeOutcome::new();
        let (tried, better) = (Value::from_raw(10), Value::from_raw(50));
        outcome.add_move(NodeResult::exactly(tried));
        assert!(outcome.range.high < better, "all moves so far are known");
        outcome.record_cutoff();
        assert!(outcome.range.low == tried && outcome.range.high >= better, "another move may be worth more");
    }
}
