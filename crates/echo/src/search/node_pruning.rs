//! Node pruning: razoring, reverse futility pruning, null-move pruning, ProbCut.
//!
//! Nothing is pruned if the window is about mate: an evaluation cannot refute a proof. The margins are not
//! tuned by games; `docs/src/research/features.md` has what each step is worth with them.

use cozy_chess::{Color, Piece};

use super::cutoff::Cutoff;
use super::node::{Node, Search};
use super::node_eval::NodeEval;
use super::node_result::NodeResult;
use super::window::Window;
use crate::budget::SearchStopped;
use crate::feature_switches::Feature;
use crate::mutants::Mutant;
use crate::search_constants::SearchConstant;
use crate::table::TtEntry;
use crate::value::Value;

/// Razoring: the largest depth.
const RAZORING_DEPTH: i32 = 3;
/// Reverse futility pruning: the largest depth.
const REVERSE_FUTILITY_DEPTH: i32 = 9;
/// Below this depth a null-move search costs as much as it saves.
const NULL_MOVE_DEPTH: i32 = 3;
/// From this depth on, or with one piece left, null-move cutoffs are verified.
const VERIFICATION_DEPTH: i32 = 12;

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// Returns a cutoff for a node far outside the window.
    ///
    /// Only zero-window nodes are pruned: in a PV node the value itself counts, not only on which side of the
    /// window it is. The order is by cost: an evaluation, a null move, a search of captures.
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
        self.try_reverse_futility(node, window, eval, estimate)?;
        self.try_null_move(node, window, evaluation, estimate)?;
        self.try_probcut(node, window, eval, known)
    }

    /// Razoring (Birmingham and Kent 1977): so far below alpha only captures could help, and the quiescence
    /// search tries these. Its result is used only if it confirms that.
    fn razor(&mut self, node: &Node, window: Window, estimate: Value) -> Result<(), Cutoff> {
        // What a side can gain in quiet moves grows with the square of the depth at least.
        let [base, margin] =
            [SearchConstant::RazoringBase, SearchConstant::RazoringMargin].map(|it| self.constants.get(it));
        let reach = estimate.raw() + base + margin * node.depth * node.depth;
        if !self.features.has(Feature::Razoring)
            || node.depth > RAZORING_DEPTH
            || reach > window.alpha.raw()
            || window.alpha.is_mate()
        {
            return Ok(());
        }
        let result = Cutoff::or_result(self.quiescence_result_of(node, window))?;
        if result.value <= window.alpha { Err(Cutoff::Settled(result)) } else { Ok(()) }
    }

    /// Reverse futility pruning (static null move): near the horizon an advantage above the margin is hardly
    /// lost again. An improving position needs the margin of one ply less.
    fn try_reverse_futility(
        &self,
        node: &Node,
        window: Window,
        eval: NodeEval,
        estimate: Value,
    ) -> Result<(), Cutoff> {
        let per_ply = self.constants.get(SearchConstant::ReverseFutilityMargin);
        let margin = per_ply * (node.depth - i32::from(eval.improving));
        if !self.features.has(Feature::ReverseFutility)
            || node.depth > REVERSE_FUTILITY_DEPTH
            || estimate.raw() - margin < window.beta.raw()
        {
            return Ok(());
        }
        // The estimate is no proof, so the value stays nearer to beta, which is all that the cutoff claims.
        let between = (2 * window.beta.raw() + estimate.raw()) / 3;
        Err(Cutoff::Settled(NodeResult::path_independent(Value::from_raw(between))))
    }

    /// Null-move pruning (Beal 1989, Donninger 1993): if the side to move can pass and is still above beta, a
    /// move would be, too, except in zugzwang. So the side needs a piece; and not two null moves in a row,
    /// which would only reduce the depth.
    fn try_null_move(
        &mut self,
        node: &Node,
        window: Window,
        evaluation: Value,
        estimate: Value,
    ) -> Result<(), Cutoff> {
        let pieces = pieces(node, node.board.side_to_move());
        let likely_zugzwang = pieces == 0 && !self.bug.is(Mutant::NullMoveInZugzwang);
        if !self.features.has(Feature::NullMove)
            || node.depth < NULL_MOVE_DEPTH
            // Ply 0 is excluded, because the entry of the previous ply is read below.
            || node.ply < self.no_null_before.max(1)
            || estimate < window.beta
            || evaluation.raw() + 20 * node.depth < window.beta.raw() + 60
            || self.stack[node.ply - 1].moved.is_none()
            || likely_zugzwang
        {
            return Ok(());
        }
        let Some(mut after) = self.pass(node) else { return Ok(()) };
        // The reduction grows with the depth (Heinz 1999) and with the surplus over beta.
        let ply = self.constants.get(SearchConstant::NullMoveSurplus);
        let surplus = (estimate.raw() - window.beta.raw()) / ply;
        after.depth = node.depth - 4 - node.depth / 4 - surplus.min(3);
        let closed = Window::above(window.beta.next_below());
        let passed = self.search(&after, closed.negated());
        self.repetitions.pop();
        let NodeResult { value, dependence, .. } = -passed?;
        if value.is_loss() && self.bug.is(Mutant::NullMoveMates) {
            return Err(Cutoff::Settled(NodeResult::path_dependent(value, dependence)));
        }
        if value < window.beta {
            return Ok(());
        }
        // A mate after a null move is not a proof.
        let value = if value.is_mate() { window.beta } else { value };
        let is_sure = node.depth < VERIFICATION_DEPTH && pieces > 1;
        if is_sure {
            return Err(Cutoff::Settled(NodeResult::path_dependent(value, dependence)));
        }
        let result = self.verify_null_move(node, after.depth, closed)?;
        if result.value < window.beta {
            return Ok(());
        }
        Err(Cutoff::Settled(NodeResult::path_dependent(value, dependence.or_higher(result.dependence))))
    }

    /// Verification of a null-move cutoff (after Tabibi and Netanyahu 2002): a reduced search with real moves
    /// finds most zugzwangs. Null moves return only below its depth, or it would be refuted by the same
    /// zugzwang.
    fn verify_null_move(
        &mut self,
        node: &Node,
        depth: i32,
        closed: Window,
    ) -> Result<NodeResult, SearchStopped> {
        let before = std::mem::replace(&mut self.no_null_before, node.ply + 1 + depth.max(0) as usize);
        // `result_of` never starts the quiescence search, so at least one ply remains.
        let result = self.result_of(&node.again(depth.max(1), false, None), closed);
        self.no_null_before = before;
        Cutoff::or_result(result)
    }
}

/// The number of knights, bishops, rooks and queens of one side.
fn pieces(node: &Node, color: Color) -> u32 {
    let board = &node.board;
    (board.colors(color) & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King)).len()
}
