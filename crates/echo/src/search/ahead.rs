//! What is known of a node's value ahead of its moves: a draw by a repetition to come, an ending known by heart.

use super::exit::Exit;
use super::node::{Node, Search, Window};
use super::verdict::{Draw, Outcome, Verdict};
use crate::range::Range;
use crate::value::Value;

/// What is known of a node's value ahead of its moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ahead {
    /// The window that was asked about.
    pub asked: Window,
    /// What of it is left between what the value can be.
    pub window: Window,
    /// What a repetition to come is worth.
    draw: Option<Draw>,
    /// What the value can be, in an ending that is known by heart.
    by_heart: Range,
}

impl Ahead {
    /// Nothing is known yet.
    pub(super) const fn nothing(asked: Window) -> Self {
        Self { asked, window: asked, draw: None, by_heart: Range::UNKNOWN }
    }

    /// The value lies in this range, part of which is in the window.
    pub(super) fn know_by_heart(&mut self, range: Range) {
        self.by_heart = range;
        self.window.alpha = self.window.alpha.max(range.low);
        self.window.beta = self.window.beta.min(range.high);
    }

    /// An exit that was found with the window as it is, and without any move.
    pub(super) fn lift(&self, exit: Exit) -> Exit {
        let Exit::Settled(verdict) = exit else { return exit };
        let Range { low, high } = self.by_heart;
        Exit::Settled(match self.draw {
            Some(draw) if verdict.value < draw.value => {
                Verdict::hanging(draw.value, draw.anchor.or_higher(verdict.anchor))
            }
            _ if verdict.value < low => Verdict::free(low),
            _ if verdict.value > high => Verdict::free(high),
            _ => verdict,
        })
    }
}

impl<const SHIPPED: bool> Search<'_, SHIPPED> {
    /// What a node has come to before its first move.
    #[inline]
    pub(super) fn begin(&self, ahead: &Ahead) -> Outcome {
        let mut outcome = if self.mode().sees_repetitions_coming {
            Outcome::foreseen(ahead.draw)
        } else {
            Outcome::nothing()
        };
        if self.mode().recognises {
            outcome.at_least(ahead.by_heart.low);
        }
        outcome
    }

    /// No move is left: whatever they were, the value is none that the node can't have.
    #[inline]
    pub(super) fn finish(&self, ahead: &Ahead, outcome: &mut Outcome) {
        if self.mode().recognises {
            outcome.at_most(ahead.by_heart.high);
        }
    }

    /// Can the side to move repeat a position, where that is more than it has? The window is raised to that draw.
    #[inline]
    pub(super) fn foresee(&self, node: &Node, ahead: &mut Ahead) -> Result<(), Exit> {
        if self.mode().sees_repetitions_coming && node.excluded.is_none() {
            self.look_ahead(node, ahead)
        } else {
            Ok(())
        }
    }

    #[cold]
    fn look_ahead(&self, node: &Node, ahead: &mut Ahead) -> Result<(), Exit> {
        let value = self.draw_by_moving(node);
        if ahead.window.alpha >= value {
            return Ok(());
        }
        let Some(anchor) = self.repetitions.upcoming(&node.board, self.mode().policy) else { return Ok(()) };
        if value >= ahead.window.beta {
            return Err(Exit::Settled(Verdict::hanging(value, anchor)));
        }
        (ahead.window.alpha, ahead.draw) = (value, Some(Draw { value, anchor }));
        Ok(())
    }

    /// What the side to move has at least from a draw by its next move.
    fn draw_by_moving(&self, node: &Node) -> Value {
        let draw = -self.mode().scoring.draw_at(node.ply + 1, self.budget.own_nodes());
        // Where losses are delayed the opponent may gain a point by it.
        if self.mode().scoring.delays_losses() { draw.next_below() } else { draw }
    }
}
