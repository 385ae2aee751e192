//! Piece-square tables.
//!
//! Squares mirrored between the wings share a weight: the shelter covers which wing the king is on, and half as
//! many weights need half as many games for tuning.

use cozy_chess::{Color, Piece, Square};

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::context::{EvalContext, come, inward};
use crate::eval::knowledge::EvalArea;
use crate::eval::weights::{self, Weight};

/// The term.
pub const TERM: Term =
    Term { name: "piece-square", subject: Some(EvalArea::Location), judge, trace: judge, float: judge };

/// The term of pawns and kings, which is cached.
pub const OF_PAWNS_AND_KINGS: Term = Term {
    name: "pawn-square",
    subject: Some(EvalArea::Location),
    judge: judge_pawns_and_kings,
    trace: judge_pawns_and_kings,
    float: judge_pawns_and_kings,
};

fn judge<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, ledger: &mut L) {
    stand(context, color, [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen], ledger);
}

fn judge_pawns_and_kings<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, ledger: &mut L) {
    stand(context, color, [Piece::Pawn, Piece::King], ledger);
}

fn stand<const KINDS: usize, L: TermAccumulator>(
    context: &EvalContext<'_>,
    color: Color,
    pieces: [Piece; KINDS],
    ledger: &mut L,
) {
    for piece in pieces {
        for square in context.board.colored_pieces(color, piece) {
            ledger.add(of(piece, square, color), 1);
        }
    }
}

fn of(piece: Piece, square: Square, color: Color) -> Weight {
    weights::PIECE_SQUARE.at(piece as usize * 32 + come(square, color) * 4 + inward(square))
}
