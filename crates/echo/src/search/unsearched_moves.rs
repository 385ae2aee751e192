//! The end of an iteration of depth 1 that the limits cut short: Echo reports a score and plays a compared
//! move however few nodes it may search.
//!
//! Root moves that have not been searched are valued by the position after them. That is no search, so it
//! costs no nodes and a node limit stays exact. A move that loses its piece in an exchange is worth that much
//! less, because a capture that the quiescence search would have refuted must not be preferred to the moves
//! that it has searched.

use cozy_chess::Move;

use super::move_ordering::{piece_value, wins_at_least};
use super::node::{Node, Search};
use super::root::RootMove;
use super::window::Window;
use crate::value::Value;
use threefold_chess::score::Bound;

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// Gives every root move a value after an interrupted iteration of depth 1, and sorts them, best first.
    pub(super) fn value_unsearched(&mut self, root: &Node, moves: &mut [RootMove]) {
        let best = moves[0].value;
        for choice in moves.iter_mut().filter(|choice| choice.value == Value::MINUS_INFINITE) {
            let value = self.value_without_search(root, choice.line[0]);
            // A move that was searched without raising the best value is not better, whatever it looks like.
            choice.value = if choice.nodes > 0 { value.min(best) } else { value };
            choice.bound = Bound::Exact;
        }
        moves.sort_by_key(|choice| std::cmp::Reverse(choice.value));
    }

    /// The value of a move by the rules, or by the static evaluation of the position after it.
    fn value_without_search(&mut self, root: &Node, mv: Move) -> Value {
        let after = self.play(root, mv);
        let has_moves = after.board.generate_moves(|_| true);
        let ended = if has_moves {
            self.draw_by_rule(&after).map(|result| result.value)
        } else {
            Some(self.value_without_moves(&after, Window::open()))
        };
        self.repetitions.pop();
        if let Some(value) = ended {
            return -value;
        }
        let value = -self.evaluate_leaf(&after.board);
        if wins_at_least(&root.board, mv, 0) {
            return value;
        }
        let moved = after.board.piece_on(mv.to).map_or(0, piece_value);
        Value::evaluation(value.raw() - moved)
    }
}
