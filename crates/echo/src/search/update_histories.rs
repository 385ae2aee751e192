//! Updates after a node's moves have been searched: histories, correction history, and the transposition
//! table.

use cozy_chess::{Board, Move, Piece};

use super::move_ordering::{PieceTo, victim_of};
use super::node::{Node, Search};
use super::node_eval::NodeEval;
use super::node_result::{NodeOutcome, NodeResult};
use super::window::Window;
use crate::feature_switches::Feature;
use crate::range::ScoreRange;
use crate::table::TtEntry;
use crate::value::Value;
use threefold_chess::score::Bound;

/// The largest number of searched moves to remember. Later ones are pruned or reduced anyway.
const MOST: usize = 48;

/// The moves searched at a node, up to a limit.
#[derive(Debug, Clone, Copy)]
pub(super) struct TriedMoves {
    moves: [Option<Move>; MOST],
    count: usize,
}

impl TriedMoves {
    pub(super) const fn new() -> Self {
        Self { moves: [None; MOST], count: 0 }
    }

    pub(super) fn push(&mut self, mv: Move) {
        if self.count < MOST {
            self.moves[self.count] = Some(mv);
            self.count += 1;
        }
    }
}

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// Updates the histories after a beta cutoff: a bonus for the best move, a malus for those searched
    /// before it.
    pub(super) fn update_histories(&mut self, node: &Node, best: Move, tried: &TriedMoves) {
        // A cutoff of a deep search is rarer and better founded.
        let bonus = (160 * node.depth - 60).min(1_800);
        let best_takes = self.update_history(node, best, bonus);
        if !best_takes {
            self.stack[node.ply].killers.remember(best);
        }
        for &mv in tried.moves[..tried.count].iter().flatten() {
            // Quiet moves get no malus if a capture caused the cutoff.
            if mv != best && (!best_takes || victim_of(&node.board, mv).is_some()) {
                self.update_history(node, mv, -bonus);
            }
        }
    }

    /// Updates the history of a move. Returns whether it is a capture or promotion.
    fn update_history(&mut self, node: &Node, mv: Move, bonus: i32) -> bool {
        let piece = moved(&node.board, mv);
        let histories = &mut self.thread.histories;
        match victim_of(&node.board, mv) {
            Some(victim) => {
                if self.features.has(Feature::CaptureHistory) {
                    histories.learn_capture(PieceTo { piece, to: mv.to }, victim, bonus);
                }
                true
            }
            None if mv.promotion.is_some() => true,
            None => {
                histories.learn(self.stack[node.ply].history_context, mv, piece, bonus);
                false
            }
        }
    }

    /// Stores a node's result, and updates the correction history.
    pub(super) fn store_result(
        &mut self,
        node: &Node,
        window: Window,
        eval: NodeEval,
        outcome: &NodeOutcome,
    ) {
        let bound = ScoreRange::bound_from_search(outcome.best, window.alpha, window.beta);
        self.correct(node, eval, outcome, bound);
        self.store(node, node.depth, window, eval.raw, outcome);
    }

    /// Stores the result of a search of this depth in the transposition table.
    pub(super) fn store(
        &mut self,
        node: &Node,
        depth: i32,
        window: Window,
        evaluation: Option<Value>,
        outcome: &NodeOutcome,
    ) {
        let range = if self.mode().tracks_path_dependence && outcome.dependence.is_above(node.ply) {
            let naive = ScoreRange::from_search(outcome.best, window.alpha, window.beta);
            let NodeResult { range, .. } = outcome.result(node.ply, window);
            let both = self.table.keeps_both_bounds();
            self.mode().hash_scores.stored_range(naive, range, (window.alpha, window.beta), both)
        } else {
            ScoreRange::from_search(outcome.best, window.alpha, window.beta)
        };
        let range = range.to_table(node.ply, self.mode().scoring);
        if self.features.counts() {
            self.counters.stored += 1;
            self.counters.stored_bare += u64::from(range == ScoreRange::UNKNOWN);
        }
        let entry = TtEntry {
            best: outcome.mv,
            range,
            evaluation,
            depth: depth.clamp(0, 255) as u8,
            age: 0,
            open: 0,
        };
        self.store_entry(self.table_key(&node.board, node.key), entry);
        self.store_twin(node, window, outcome, entry);
    }

    /// Updates the correction history if the best move is quiet and the bound contradicts the evaluation.
    fn correct(&mut self, node: &Node, eval: NodeEval, outcome: &NodeOutcome, bound: Bound) {
        let (Some(raw), Some(evaluation)) = (eval.raw, eval.evaluation) else { return };
        let contradicts = match bound {
            Bound::Exact => true,
            Bound::Lower => outcome.best > evaluation,
            Bound::Upper => outcome.best < evaluation,
        };
        // A capture changes the material, which the evaluation could not foresee; that is no error of it.
        let takes = |mv: Move| victim_of(&node.board, mv).is_some() || mv.promotion.is_some();
        if contradicts && outcome.best.is_evaluation() && !outcome.mv.is_some_and(takes) {
            // Against the raw evaluation: a counter is the mean of the whole error, not of what a correction
            // left.
            let error = outcome.best.raw() - raw.raw();
            self.thread.corrections.learn(self.correction_keys(node), error, node.depth);
        }
    }
}

fn moved(board: &Board, mv: Move) -> Piece {
    board.piece_on(mv.from).expect("a legal move moves a piece")
}
