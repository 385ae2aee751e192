//! Move pruning: moves that can hardly raise alpha.
//!
//! No move is pruned before one is known not to be mated, nor if the window is about mate.

use super::move_ordering::{Stage, piece_value, wins_at_least};
use super::node::{Node, Search};
use super::node_eval::NodeEval;
use super::reductions;
use super::search_move::CandidateMove;
use super::window::Window;
use crate::feature_switches::Feature;
use crate::search_constants::SearchConstant;
use crate::value::Value;

/// Late-move pruning: the largest depth.
const LATE_MOVE_DEPTH: i32 = 8;
/// Futility pruning: the largest depth of quiet moves, and that of captures.
const FUTILITY_DEPTH: i32 = 8;
const CAPTURE_FUTILITY_DEPTH: i32 = 6;
/// History pruning: the largest depth.
const HISTORY_DEPTH: i32 = 4;
/// Pruning by static exchange evaluation: the largest depth.
const EXCHANGE_DEPTH: i32 = 8;

/// The pruning decision for a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PruneDecision {
    /// Search the move.
    Search,
    /// Prune the move.
    Prune,
    /// Prune the move and all later quiet moves.
    PruneQuiets,
}

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// Decides whether to prune this move. `best` is the best value so far.
    pub(super) fn prune_move(
        &self,
        node: &Node,
        window: Window,
        eval: NodeEval,
        candidate: CandidateMove,
        best: Value,
    ) -> PruneDecision {
        // Every root move needs a value; and while all moves so far are mated, a pruned one may be the only
        // escape.
        if node.ply == 0 || best.is_loss() || window.is_about_mate() || candidate.gives_check {
            return PruneDecision::Search;
        }
        match candidate.stage {
            // The table's best move is searched whatever it looks like.
            Stage::Hash => PruneDecision::Search,
            Stage::Winning | Stage::Losing => self.prune_capture(node, window, eval, candidate),
            Stage::Quiet => self.prune_quiet(node, window, eval, candidate),
        }
    }

    /// The loss of material that is still searched, as a value below zero.
    const fn largest_loss(&self, margin: SearchConstant, times: i32) -> i32 {
        -self.constants.get(margin) * times
    }

    fn prune_quiet(
        &self,
        node: &Node,
        window: Window,
        eval: NodeEval,
        candidate: CandidateMove,
    ) -> PruneDecision {
        let Some(evaluation) = eval.evaluation else { return PruneDecision::Search };
        // Late-move pruning: near the horizon, moves after many others hardly ever exceed alpha. In a
        // position that does not improve, half as many are enough.
        let enough = (4 + node.depth * node.depth) / if eval.improving { 1 } else { 2 };
        if self.features.has(Feature::LateMovePruning)
            && node.depth <= LATE_MOVE_DEPTH
            && i32::from(candidate.number) > enough
        {
            return PruneDecision::PruneQuiets;
        }
        // The other conditions use the depth to which the move would be searched, after its reduction.
        let depth =
            (node.depth - reductions::late_move(node.depth, candidate.number) / reductions::PLY).max(0);
        // Futility pruning (Schaeffer 1986; at more than one ply, Heinz 1998): a quiet move does not gain the
        // margin in so few plies. Later moves have lower histories and larger reductions, so they are pruned,
        // too.
        let margin = self.constants.get(SearchConstant::FutilityBase)
            + self.constants.get(SearchConstant::FutilityMargin) * depth;
        let reach = evaluation.raw() + margin + candidate.history / 200;
        if self.features.has(Feature::Futility) && depth <= FUTILITY_DEPTH && reach <= window.alpha.raw() {
            return PruneDecision::PruneQuiets;
        }
        // History pruning (Letouzey's Fruit, 2005): the move failed low too often elsewhere in the tree.
        if self.features.has(Feature::HistoryPruning)
            && depth <= HISTORY_DEPTH
            && candidate.history < -self.constants.get(SearchConstant::HistoryMargin) * (depth + 1)
        {
            return PruneDecision::Prune;
        }
        // A move that loses material on its square needs depth to show a compensation. The most expensive
        // test is last.
        if self.features.has(Feature::ExchangePruning)
            && depth <= EXCHANGE_DEPTH
            && !wins_at_least(
                &node.board,
                candidate.mv,
                self.largest_loss(SearchConstant::QuietExchangeMargin, depth * depth),
            )
        {
            return PruneDecision::Prune;
        }
        PruneDecision::Search
    }

    fn prune_capture(
        &self,
        node: &Node,
        window: Window,
        eval: NodeEval,
        candidate: CandidateMove,
    ) -> PruneDecision {
        let depth = node.depth;
        // Futility pruning: even with its victim and the margin the capture does not reach alpha.
        let reach = eval.evaluation.map(|evaluation| {
            let victim =
                candidate.victim.map_or(0, piece_value) + candidate.mv.promotion.map_or(0, piece_value);
            // A capture gains its victim in addition.
            let margin = self.constants.get(SearchConstant::CaptureFutilityBase)
                + self.constants.get(SearchConstant::CaptureFutilityMargin) * depth;
            evaluation.raw() + margin + victim + candidate.history / 100
        });
        if self.features.has(Feature::Futility)
            && depth <= CAPTURE_FUTILITY_DEPTH
            && reach.is_some_and(|reach| reach <= window.alpha.raw())
        {
            return PruneDecision::Prune;
        }
        // A sacrifice needs depth to show its compensation.
        if self.features.has(Feature::ExchangePruning)
            && candidate.stage == Stage::Losing
            && depth <= EXCHANGE_DEPTH
            && !wins_at_least(
                &node.board,
                candidate.mv,
                self.largest_loss(SearchConstant::CaptureExchangeMargin, depth),
            )
        {
            return PruneDecision::Prune;
        }
        PruneDecision::Search
    }
}
