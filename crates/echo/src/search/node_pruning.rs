//! Node pruning: razoring, reverse futility pruning, null-move pruning, ProbCut.
//!
//! Nothing is pruned if the window is about mate: an evaluation cannot refute a proof.

use cozy_chess::{Color, Piece};

use super::cutoff::Cutoff;
use super::node::{Node, Search};
use super::node_eval::NodeEval;
use super::node_result::NodeResult;
use super::window::Window;
use crate::feature_switches::Feature;
use crate::mutants::Mutant;
use crate::table::TtEntry;
use crate::value::Value;

const RAZORING_DEPTH: i32 = 3;
const RAZORING_BASE: i32 = 190;
const RAZORING_MARGIN: i32 = 110;
const REVERSE_FUTILITY_DEPTH: i32 = 9;
const REVERSE_FUTILITY_MARGIN: i32 = 78;
const NULL_MOVE_DEPTH: i32 = 3;
/// From this depth on, or with one piece left, null-move cutoffs are verified.
const VERIFICATION_DEPTH: i32 = 12;

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// Returns a cutoff for a node far outside the window.
    pub(super) fn prune_node(
        &mut self,
        node: &Node,
        window: Window,
        eval: NodeEval,
        known: Option<TtEntry>,
    ) -> Result<(), Cutoff> {
        let (Some(evaluation), Some(estimate)) = (eval.evaluation, eval.estimate) else {
            return Ok(());
        };
        if window.is_wide() || window.beta.is_mate() || window.is_about_mate() || node.excluded.is_some() {
            return Ok(());
        }
        self.razor(node, window, estimate)?;
        let margin = REVERSE_FUTILITY_MARGIN * (node.depth - i32::from(eval.improving));
        if node.depth <= REVERSE_FUTILITY_DEPTH
            && estimate.raw() - margin >= window.beta.raw()
            && self.features.has(Feature::ReverseFutility)
        {
            let between = (2 * window.beta.raw() + estimate.raw()) / 3;
            return Err(Cutoff::Settled(NodeResult::path_independent(Value::from_raw(between))));
        }
        self.try_null_move(node, window, evaluation, estimate)?;
        self.try_probcut(node, window, eval, known)
    }

    /// Razoring: far below the window a quiescence search decides.
    fn razor(&mut self, node: &Node, window: Window, estimate: Value) -> Result<(), Cutoff> {
        let reach = estimate.raw() + RAZORING_BASE + RAZORING_MARGIN * node.depth * node.depth;
        if node.depth > RAZORING_DEPTH
            || reach > window.alpha.raw()
            || window.alpha.is_mate()
            || !self.features.has(Feature::Razoring)
        {
            return Ok(());
        }
        let result = Cutoff::or_result(self.quiescence_result_of(node, window))?;
        if result.value <= window.alpha { Err(Cutoff::Settled(result)) } else { Ok(()) }
    }

    /// Null-move pruning, unless passing may be the best move (zugzwang).
    fn try_null_move(
        &mut self,
        node: &Node,
        window: Window,
        evaluation: Value,
        estimate: Value,
    ) -> Result<(), Cutoff> {
        let pieces = pieces(node, node.board.side_to_move());
        if node.depth < NULL_MOVE_DEPTH
            || node.ply < self.no_null_before.max(1)
            || estimate < window.beta
            || evaluation.raw() + 20 * node.depth < window.beta.raw() + 60
            || self.stack[node.ply - 1].moved.is_none()
            || (pieces == 0 && !self.bug.is(Mutant::NullMoveInZugzwang))
            || !self.features.has(Feature::NullMove)
        {
            return Ok(());
        }
        let Some(mut after) = self.pass(node) else { return Ok(()) };
        let surplus = (estimate.raw() - window.beta.raw()) / 180;
        after.depth = node.depth - 4 - node.depth / 4 - surplus.min(3);
        let closed = Window::above(window.beta.next_below());
        let passed = self.search(&after, closed.negated());
        self.repetitions.pop();
        let NodeResult { value, dependence, .. } = -self.last_result(passed?);
        if value.is_loss() && self.bug.is(Mutant::NullMoveMates) {
            return Err(Cutoff::Settled(NodeResult::path_dependent(value, dependence)));
        }
        if value < window.beta {
            return Ok(());
        }
        // A mate after a null move is not a proof.
        let value = if value.is_mate() { window.beta } else { value };
        let verified = node.depth < VERIFICATION_DEPTH && pieces > 1;
        if verified || self.no_null_before > node.ply {
            return Err(Cutoff::Settled(NodeResult::path_dependent(value, dependence)));
        }
        let before = std::mem::replace(&mut self.no_null_before, node.ply + 1 + after.depth.max(0) as usize);
        let result = self.result_of(&node.again(after.depth.max(1), false, None), closed);
        self.no_null_before = before;
        let result = Cutoff::or_result(result)?;
        if result.value < window.beta {
            return Ok(());
        }
        Err(Cutoff::Settled(NodeResult::path_dependent(value, dependence.or_higher(result.dependence))))
    }
}

/// The number of knights, bishops, rooks and queens of one side.
fn pieces(node: &Node, color: Color) -> u32 {
    let board = &node.board;
    (board.colors(color) & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King)).len()
}
