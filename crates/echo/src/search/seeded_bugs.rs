//! What each seeded bug changes in the search, in one table, so that the steps of the search read as they are
//! meant.
//!
//! Every function returns what is right unless its bug is seeded. Without the cargo feature `mutants` none
//! can be, and the compiler removes the table.

use cozy_chess::{Board, Color, Piece};

use super::node_result::NodeResult;
use super::window::Window;
use crate::eval;
use crate::eval::area::EvalArea;
use crate::eval::knowledge::EvalKnowledge;
use crate::mutants::{Mutant, SeededBug};
use crate::range::ScoreRange;
use crate::table::{CutoffPermission, FiftyRange};
use crate::value::Value;

/// The fifty-move rule in plies.
const FIFTY_MOVES: u8 = 100;

impl SeededBug {
    /// The fifty-move counter with which a position is drawn.
    pub(super) fn fifty_move_limit(self) -> u8 {
        if self.is(Mutant::FiftyMovesIgnored) {
            u8::MAX
        } else if self.is(Mutant::FiftyMovesEarly) {
            FIFTY_MOVES - 1
        } else {
            FIFTY_MOVES
        }
    }

    /// Whether the material is insufficient for either side to mate.
    pub(super) fn is_insufficient(self, board: &Board) -> bool {
        if self.is(Mutant::MinorsAreDead) && board.occupied().len() == 4 {
            let minors = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
            return minors.len() == 2;
        }
        eval::is_insufficient(board) && !self.is(Mutant::DeadIsAlive)
    }

    /// The static evaluation of a bug that has one of its own.
    pub(super) fn evaluation(self, board: &Board) -> Option<Value> {
        let without_endgames = || EvalKnowledge::without(EvalArea::Endgames).evaluate(board);
        let is_black_to_move = board.side_to_move() == Color::Black;
        let is_seeded =
            self.is(Mutant::EndgamesUnknown) || self.is(Mutant::EndgamesUnknownToBlack) && is_black_to_move;
        is_seeded.then(without_endgames)
    }

    /// The value of a draw in this position, where `draw` is right.
    pub(super) fn draw_value(self, board: &Board, draw: Value) -> Value {
        if self.is(Mutant::DrawSignFlipped) {
            Value::evaluation(2 * eval::evaluate(board).raw())
        } else {
            draw
        }
    }

    /// Plies from a node to the earliest mate by its side to move.
    pub(super) fn plies_to_earliest_mate(self) -> usize {
        if self.is(Mutant::MateBoundTight) { 5 } else { 1 }
    }

    /// The window that shows the range of a node's value to its parent at `parent_ply`.
    pub(super) fn window_of_range(self, result: NodeResult, parent_ply: usize, window: Window) -> Window {
        let resets = self.is(Mutant::ShadowResetToScore) && !result.dependence.is_above(parent_ply);
        if resets { Window::open() } else { window }
    }

    /// Whether a move with this value counts for the range of its node, whose best value so far is `best`.
    pub(super) fn counts_for_range(self, value: Value, best: Value) -> bool {
        value > best || !self.is(Mutant::ShadowOfBestMove)
    }

    /// The result of a move in the quiescence search.
    pub(super) fn quiescence_result(self, result: NodeResult) -> NodeResult {
        if self.is(Mutant::QuiescencePathIgnored) { NodeResult::exactly(result.value) } else { result }
    }

    /// The range of an entry, as the search reads it.
    pub(super) fn entry_range(self, ScoreRange { low, high }: ScoreRange) -> ScoreRange {
        if self.is(Mutant::TableBoundsSwapped) && low != high {
            ScoreRange {
                low: if high.is_infinite() { Value::MINUS_INFINITE } else { high },
                high: if low.is_infinite() { Value::INFINITE } else { low },
            }
        } else {
            ScoreRange { low, high }
        }
    }

    /// The fifty-move counters of an entry, as the search reads them.
    pub(super) fn entry_counters(self, counters: FiftyRange) -> FiftyRange {
        if self.is(Mutant::EntryCountersIgnored) { FiftyRange::ALL } else { counters }
    }

    /// Whether an entry of this depth is deep enough for a node.
    pub(super) fn is_deep_enough(self, entry_depth: u8, node_depth: i32) -> bool {
        i32::from(entry_depth) >= node_depth || self.is(Mutant::TableDepthIgnored)
    }

    /// Which cutoffs an entry may give where a repetition may be hidden, if `permission` is right.
    pub(super) fn guard(self, permission: CutoffPermission) -> CutoffPermission {
        if self.is(Mutant::GuardOpen) { CutoffPermission::SameDepth } else { permission }
    }

    /// The code of the path in the key of a twin.
    pub(super) fn twin_code(self, code_of_line: u64) -> u64 {
        if self.is(Mutant::TwinPathIgnored) { 1 } else { code_of_line }
    }
}
