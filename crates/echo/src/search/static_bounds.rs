//! Bounds of a node's value known before its moves are searched: an upcoming repetition, or a recognised
//! ending.

use super::cutoff::Cutoff;
use super::node::{Node, Search};
use super::node_result::{NodeOutcome, NodeResult, RepetitionDraw};
use super::window::Window;
use crate::range::ScoreRange;
use crate::value::Value;

/// Bounds of a node's value known before its moves are searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct StaticBounds {
    /// The requested window.
    pub requested: Window,
    /// The window within the known bounds.
    pub window: Window,
    /// The value of an upcoming repetition.
    draw: Option<RepetitionDraw>,
    /// The range of values of a recognised ending.
    recognised: ScoreRange,
}

impl StaticBounds {
    /// No bounds yet.
    pub(super) const fn new(requested: Window) -> Self {
        Self { requested, window: requested, draw: None, recognised: ScoreRange::UNKNOWN }
    }

    /// Restricts the window to this range, which overlaps it.
    pub(super) fn restrict_to(&mut self, range: ScoreRange) {
        self.recognised = range;
        self.window.alpha = self.window.alpha.max(range.low);
        self.window.beta = self.window.beta.min(range.high);
    }

    /// Applies the bounds to a cutoff that was found without searching moves.
    pub(super) fn apply_to(&self, exit: Cutoff) -> Cutoff {
        let Cutoff::Settled(result) = exit else { return exit };
        let ScoreRange { low, high } = self.recognised;
        Cutoff::Settled(match self.draw {
            // The larger of two values depends on the ancestors of both.
            Some(draw) if result.value < draw.value => {
                NodeResult::path_dependent(draw.value, draw.dependence.or_higher(result.dependence))
            }
            _ if result.value < low => NodeResult::path_independent(low),
            _ if result.value > high => NodeResult::path_independent(high),
            _ => result,
        })
    }
}

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// The initial outcome of a node, before its first move.
    #[inline]
    pub(super) fn begin(&self, bounds: &StaticBounds) -> NodeOutcome {
        let mut outcome = if self.mode().sees_repetitions_coming {
            NodeOutcome::with_upcoming_draw(bounds.draw)
        } else {
            NodeOutcome::new()
        };
        if self.mode().recognises {
            outcome.at_least(bounds.recognised.low);
        }
        outcome
    }

    /// Applies the upper bound after all moves have been searched.
    #[inline]
    pub(super) fn finish(&self, bounds: &StaticBounds, outcome: &mut NodeOutcome) {
        if self.mode().recognises {
            outcome.at_most(bounds.recognised.high);
        }
    }

    /// Upcoming repetition detection: if the side to move can repeat a position and the draw is above alpha,
    /// alpha is raised to it.
    #[inline]
    pub(super) fn upcoming_repetition(&self, node: &Node, bounds: &mut StaticBounds) -> Result<(), Cutoff> {
        if self.mode().sees_repetitions_coming && node.excluded.is_none() {
            self.find_upcoming_repetition(node, bounds)
        } else {
            Ok(())
        }
    }

    #[cold]
    fn find_upcoming_repetition(&self, node: &Node, bounds: &mut StaticBounds) -> Result<(), Cutoff> {
        let draw = self.value_of_repeating(node);
        let most = self.mode().scoring.perpetual_bonus;
        // No repetition can raise alpha, so the path is not scanned.
        if bounds.window.alpha.raw() >= draw.raw() + most {
            return Ok(());
        }
        let Some(dependence) = self.repetitions.upcoming(&node.board, self.mode().policy) else {
            return Ok(());
        };
        let check = || self.repetitions.upcoming_perpetual_check(&node.board, self.mode().policy);
        let bonus = if most == 0 { 0 } else { self.bonus_of(check()) };
        let value = Value::from_raw(draw.raw() + bonus);
        if bounds.window.alpha >= value {
            return Ok(());
        }
        if value >= bounds.window.beta {
            return Err(Cutoff::Settled(NodeResult::path_dependent(value, dependence)));
        }
        (bounds.window.alpha, bounds.draw) = (value, Some(RepetitionDraw { value, dependence }));
        Ok(())
    }

    /// The value of a draw by the next move, for the side to move.
    fn value_of_repeating(&self, node: &Node) -> Value {
        let draw = -self.mode().scoring.draw_at(node.ply + 1, self.budget.own_nodes());
        // With delayed losses the opponent may gain a point.
        if self.mode().scoring.delays_losses() { draw.next_below() } else { draw }
    }
}
