//! What is known of a node's value ahead of its moves: a draw by a repetition to come, an ending known by heart.

use super::cutoff::Cutoff;
use super::node::{Node, Search, Window};
use super::node_result::{NodeOutcome, NodeResult, RepetitionDraw};
use crate::range::ScoreRange;
use crate::value::Value;

/// What is known of a node's value ahead of its moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct StaticBounds {
    /// The window that was asked about.
    pub requested: Window,
    /// What of it is left between what the value can be.
    pub window: Window,
    /// What a repetition to come is worth.
    draw: Option<RepetitionDraw>,
    /// What the value can be, in an ending that is known by heart.
    recognised: ScoreRange,
}

impl StaticBounds {
    /// Nothing is known yet.
    pub(super) const fn new(requested: Window) -> Self {
        Self { requested, window: requested, draw: None, recognised: ScoreRange::UNKNOWN }
    }

    /// The value lies in this range, part of which is in the window.
    pub(super) fn restrict_to(&mut self, range: ScoreRange) {
        self.recognised = range;
        self.window.alpha = self.window.alpha.max(range.low);
        self.window.beta = self.window.beta.min(range.high);
    }

    /// An exit that was found with the window as it is, and without any move.
    pub(super) fn apply_to(&self, exit: Cutoff) -> Cutoff {
        let Cutoff::Settled(result) = exit else { return exit };
        let ScoreRange { low, high } = self.recognised;
        Cutoff::Settled(match self.draw {
            Some(draw) if result.value < draw.value => {
                NodeResult::path_dependent(draw.value, draw.dependence.or_higher(result.dependence))
            }
            _ if result.value < low => NodeResult::path_independent(low),
            _ if result.value > high => NodeResult::path_independent(high),
            _ => result,
        })
    }
}

impl<const SHIPPED: bool> Search<'_, SHIPPED> {
    /// What a node has come to before its first move.
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

    /// No move is left: whatever they were, the value is none that the node can't have.
    #[inline]
    pub(super) fn finish(&self, bounds: &StaticBounds, outcome: &mut NodeOutcome) {
        if self.mode().recognises {
            outcome.at_most(bounds.recognised.high);
        }
    }

    /// Can the side to move repeat a position, where that is more than it has? The window is raised to that draw.
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
        let value = self.value_of_repeating(node);
        if bounds.window.alpha >= value {
            return Ok(());
        }
        let Some(dependence) = self.repetitions.upcoming(&node.board, self.mode().policy) else {
            return Ok(());
        };
        if value >= bounds.window.beta {
            return Err(Cutoff::Settled(NodeResult::path_dependent(value, dependence)));
        }
        (bounds.window.alpha, bounds.draw) = (value, Some(RepetitionDraw { value, dependence }));
        Ok(())
    }

    /// What the side to move has at least from a draw by its next move.
    fn value_of_repeating(&self, node: &Node) -> Value {
        let draw = -self.mode().scoring.draw_at(node.ply + 1, self.budget.own_nodes());
        // Where losses are delayed the opponent may gain a point by it.
        if self.mode().scoring.delays_losses() { draw.next_below() } else { draw }
    }
}
