//! The quiescence search: at the horizon only captures are searched, so that no position is evaluated in the
//! middle of an exchange. In check, evasions are pruned only after one is known not to be mated, so that a
//! mate found here is a mate.

use cozy_chess::{Move, Piece};

use super::cutoff::Cutoff;
use super::move_ordering::{MovePicker, OrderingHints, Stage, is_noisy, piece_value};
use super::node::{Node, Search};
use super::node_result::{NodeOutcome, NodeResult};
use super::pvs::hash_move;
use super::static_bounds::StaticBounds;
use super::window::Window;
use crate::budget::SearchStopped;
use crate::feature_switches::Feature;
use crate::value::Value;

/// The margin of delta pruning in centipawns: what a capture may gain in position besides its victim.
const DELTA: i32 = 180;

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// Searches a node at the horizon; see [`Self::search`].
    pub(super) fn quiescence(&mut self, node: &Node, window: Window) -> Result<NodeResult, SearchStopped> {
        self.with_result_for_parent(node, window, Self::quiescence_result_of)
    }

    /// The result of a node at the horizon for itself, without conversion for the parent.
    pub(super) fn quiescence_result_of(
        &mut self,
        node: &Node,
        requested: Window,
    ) -> Result<NodeResult, Cutoff> {
        self.enter(node)?;
        if !self.features.has(Feature::Quiescence) {
            return Ok(NodeResult::path_independent(self.evaluate_leaf(&node.board)));
        }
        let mut bounds = StaticBounds::new(requested);
        self.search_quiescence_node(node, &mut bounds).map_err(|exit| bounds.apply_to(exit))
    }

    /// The steps are those of [`Self::search_node`] that need no depth, in the same order.
    fn search_quiescence_node(
        &mut self,
        node: &Node,
        bounds: &mut StaticBounds,
    ) -> Result<NodeResult, Cutoff> {
        let requested = bounds.requested;
        self.upcoming_repetition(node, bounds)?;
        let known = self.probe_table(node, bounds.window)?;
        self.recognise(node, bounds)?;
        let mut window = bounds.window;
        // A value that does not exceed the window is stored as an upper bound.
        let at_most = Window::above(requested.beta.next_below());
        let eval = self.static_eval_quiescence(node, known);
        // Stand pat: a side that is not in check need not capture, so its evaluation is a lower bound.
        let standing = eval.estimate;
        let mut outcome = self.begin(bounds);
        // In check a side cannot pass: without an evasion it is mated.
        let least = standing.unwrap_or_else(|| self.mode().scoring.mated_at(node.ply));
        outcome.best = outcome.best.max(least);
        if self.mode().tracks_path_dependence {
            // Standing pat counts for the range like a move.
            outcome.add_move(NodeResult::exactly(least));
        }
        if let Some(standing) = standing {
            if standing >= window.beta {
                outcome.record_cutoff();
                self.finish(bounds, &mut outcome);
                if known.is_none() {
                    self.store(node, 0, at_most, eval.raw, &outcome);
                }
                return Ok(self.conclude(node, requested, &outcome));
            }
            window.alpha = window.alpha.max(standing);
        }
        self.search_captures(node, window, standing, hash_move(node, known), &mut outcome)?;
        self.finish(bounds, &mut outcome);
        self.store(node, 0, at_most, eval.raw, &outcome);
        Ok(self.conclude(node, requested, &outcome))
    }

    /// Searches all captures that do not lose material and queen promotions; in check all moves.
    fn search_captures(
        &mut self,
        node: &Node,
        mut window: Window,
        standing: Option<Value>,
        hash: Option<Move>,
        outcome: &mut NodeOutcome,
    ) -> Result<(), SearchStopped> {
        // Outside of check only noisy moves are searched, and the picker does not check the hash move.
        let hash = hash.filter(|&mv| standing.is_none() || is_noisy(&node.board, mv));
        let hints = OrderingHints {
            hash,
            killers: self.stack[node.ply].killers,
            history_context: self.history_context(node),
        };
        let move_stack = &self.thread.move_stack;
        let mut picker = match standing {
            Some(_) => MovePicker::noisy(move_stack, hints, self.bug),
            None => MovePicker::all(move_stack, hints, self.bug),
        };
        while let Some((mv, stage)) =
            picker.next(&mut self.thread.move_stack, &node.board, &self.thread.histories)
        {
            if let Some(standing) = standing {
                if stage == Stage::Losing {
                    break;
                }
                if self.fails_delta_pruning(node, mv, standing, window) {
                    continue;
                }
            } else if self.features.has(Feature::EvasionPruning)
                && stage == Stage::Quiet
                && !outcome.best.is_loss()
            {
                // One escape from the mate is known; which quiet one is best is not for the quiescence
                // search.
                picker.skip_quiets();
                continue;
            }
            let after = self.play(node, mv);
            let result = self.quiescence(&after, window.negated());
            self.repetitions.pop();
            let result = self.bug.quiescence_result(-result?);
            if self.mode().tracks_path_dependence {
                outcome.add_move(result);
            }
            self.take_best(node, &mut window, outcome, result.value, mv);
            if result.value >= window.beta {
                outcome.record_cutoff();
                break;
            }
        }
        picker.end(&mut self.thread.move_stack);
        Ok(())
    }

    /// Delta pruning: whether even the victim and the margin do not raise the evaluation to alpha.
    fn fails_delta_pruning(&self, node: &Node, mv: Move, standing: Value, window: Window) -> bool {
        // A capture on an empty square is en passant.
        let victim = node.board.piece_on(mv.to).map_or(piece_value(Piece::Pawn), piece_value);
        // A promotion gains a piece besides its victim, so it is never pruned.
        self.features.has(Feature::DeltaPruning)
            && mv.promotion.is_none()
            && standing.raw() + victim + DELTA <= window.alpha.raw()
    }
}
