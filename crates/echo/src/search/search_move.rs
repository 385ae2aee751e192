//! The search of one move: with reduced depth and a zero window first, then re-searched deeper and with the
//! full window if it exceeds alpha.

use cozy_chess::{Board, Move, Piece};

use super::move_ordering::{PieceTo, Stage, victim_of};
use super::node::{Node, Search};
use super::node_eval::NodeEval;
use super::node_result::NodeResult;
use super::reductions::{self, PLY};
use super::window::Window;
use crate::budget::SearchStopped;
use crate::feature_switches::Feature;
use crate::value::Value;

/// A move to search, with its properties.
#[derive(Debug, Clone, Copy)]
pub(super) struct CandidateMove {
    pub mv: Move,
    pub stage: Stage,
    /// The move number, from 1.
    pub number: u16,
    /// The captured piece.
    pub victim: Option<Piece>,
    pub gives_check: bool,
    /// Its history score.
    pub history: i32,
    /// Extension in plies; negative for a reduction.
    pub extension: i32,
}

/// The state of the node when a move is searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct MoveContext {
    pub window: Window,
    pub eval: NodeEval,
    /// The best value so far.
    pub best: Value,
    /// Whether the hash move is a capture.
    pub hash_takes: bool,
}

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// Collects the properties of a move.
    pub(super) fn candidate(&self, node: &Node, mv: Move, stage: Stage, number: u16) -> CandidateMove {
        let board = &node.board;
        let piece = board.piece_on(mv.from).expect("a legal move moves a piece");
        let victim = victim_of(board, mv);
        let histories = &self.thread.histories;
        let history = match victim {
            Some(victim) => histories.of_capture(PieceTo { piece, to: mv.to }, victim),
            None => histories.in_context(self.stack[node.ply].history_context).score(mv, piece),
        };
        CandidateMove {
            mv,
            stage,
            number,
            victim,
            gives_check: gives_check(board, mv),
            history,
            extension: 0,
        }
    }

    /// Searches a move that has been made, and returns its result for the side that made it.
    pub(super) fn search_move(
        &mut self,
        node: &Node,
        mut after: Node,
        candidate: CandidateMove,
        context: MoveContext,
    ) -> Result<NodeResult, SearchStopped> {
        let MoveContext { window, .. } = context;
        let wide = window.is_wide();
        let extension = candidate.extension + self.check_extension(node, &after, candidate, wide);
        let full = node.depth - 1 + extension;
        let above = Window::above(window.alpha).negated();
        let mut result = NodeResult::path_independent(Value::MINUS_INFINITE);
        let plies = self.reduction(node, candidate, context);
        if plies > 0 {
            // A late move is expected to fail low, and a shallow zero-window search is the cheapest way to
            // show it.
            after.depth = (full - plies).max(1);
            after.cut = true;
            let reduced = after.depth;
            result = -self.search(&after, above)?;
            if result.value > window.alpha && reduced < full {
                // The expectation was wrong, so the reduction was, too.
                after.depth = full + self.deepening(context.best, result.value, full);
                after.cut = !node.cut;
                if after.depth > reduced {
                    result = -self.search(&after, above)?;
                }
            }
        } else if !wide || candidate.number > 1 {
            after.depth = full;
            // In a PV node later moves are expected to fail low, so their children are expected cut nodes.
            after.cut = wide || !node.cut;
            result = -self.search(&after, above)?;
        }
        // In PV nodes the first move, and each that is better, needs its exact value.
        if wide && (candidate.number == 1 || result.value > window.alpha) {
            after.depth = full;
            after.cut = false;
            result = -self.search(&after, window.negated())?;
        }
        Ok(result)
    }

    /// Check extension in plies, in PV nodes and at the horizon, where the quiescence search would see only
    /// some of the replies. Everywhere it would let the tree explode.
    fn check_extension(&self, node: &Node, after: &Node, candidate: CandidateMove, wide: bool) -> i32 {
        let extends = self.features.has(Feature::CheckExtension)
            && after.in_check()
            && (wide || node.depth < 3)
            && candidate.extension == 0;
        i32::from(extends)
    }

    /// Depth adjustment of a re-search: a ply more if the value is much better than the best one, a ply less
    /// if it is hardly better, because then the exact value matters little.
    fn deepening(&self, best: Value, value: Value, full: i32) -> i32 {
        if !self.features.has(Feature::Deepening) || best.is_mate() || value.is_mate() {
            return 0;
        }
        let gain = value.raw() - best.raw();
        i32::from(gain > 40 + 2 * full) - i32::from(gain < 8)
    }

    /// The late-move reduction in plies (Romstad, "An introduction to late move reductions", 2006): with good
    /// move ordering a late move rarely exceeds alpha. Each sign that this one might reduces it less.
    fn reduction(&self, node: &Node, candidate: CandidateMove, context: MoveContext) -> i32 {
        let wide = context.window.is_wide();
        let late = if wide { 4 } else { 3 };
        if !self.features.has(Feature::LateMoveReduction)
            || node.depth < 3
            || candidate.number < late
            || candidate.stage == Stage::Hash
        {
            return 0;
        }
        let mut parts = reductions::late_move(node.depth, candidate.number);
        match candidate.stage {
            // Captures change the position most, so a late one is more often good than a late quiet move.
            Stage::Hash | Stage::Winning => parts = parts / 2 - candidate.history / 12,
            Stage::Losing => parts -= PLY + candidate.history / 12,
            Stage::Quiet => {
                parts -= (candidate.history / 14).clamp(-2 * PLY, 2 * PLY);
                // If a capture is best, most quiet moves overlook what it is about.
                parts += PLY * i32::from(context.hash_takes) / 2;
            }
        }
        // More where nothing is expected: the position does not improve, the node should have failed high by
        // an earlier move, or several moves at this ply were refuted already.
        parts += PLY * i32::from(!context.eval.improving) * 3 / 4;
        parts += PLY * i32::from(node.cut) * 5 / 4;
        parts += PLY * i32::from(self.stack[node.ply + 1].refuted > 3) / 2;
        // Less where an error costs most: on the principal variation, and when kings are attacked.
        parts -= PLY * i32::from(wide);
        parts -= PLY * i32::from(candidate.gives_check);
        parts -= PLY * i32::from(node.in_check());
        // At least one ply remains: quiet replies must be seen before a move is given up.
        (parts / PLY).clamp(0, node.depth - 2)
    }
}

/// Whether the moved piece attacks the king. Discovered checks are not detected.
fn gives_check(board: &Board, mv: Move) -> bool {
    use cozy_chess::{get_bishop_moves, get_knight_moves, get_pawn_attacks, get_rook_moves};

    let side = board.side_to_move();
    let king = board.king(!side);
    let occupied = board.occupied() & !mv.from.bitboard();
    let piece = mv.promotion.or_else(|| board.piece_on(mv.from)).unwrap_or(Piece::Pawn);
    // Attacks are symmetric: a look-up from the king's square shows where the piece gives check.
    let from_here = match piece {
        Piece::Pawn => get_pawn_attacks(king, !side),
        Piece::Knight => get_knight_moves(king),
        Piece::Bishop => get_bishop_moves(king, occupied),
        Piece::Rook => get_rook_moves(king, occupied),
        Piece::Queen => get_bishop_moves(king, occupied) | get_rook_moves(king, occupied),
        Piece::King => return false,
    };
    from_here.has(mv.to)
}
