//! Piece-square tables.
//!
//! Squares mirrored between the wings share a weight: the shelter covers which wing the king is on, and half
//! as many weights need half as many games for tuning.

use cozy_chess::{Color, Piece, Square};

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::area::EvalArea;
use crate::eval::context::{EvalContext, edge_distance, relative_rank};
use crate::eval::weights::{self, Weight};

/// The evaluation term `piece-square`.
pub const TERM: Term = Term {
    name: "piece-square",
    area: Some(EvalArea::Location),
    add: add_term,
    trace: add_term,
    float: add_term,
};

/// The term of pawns and kings, which is cached.
pub const OF_PAWNS_AND_KINGS: Term = Term {
    name: "pawn-square",
    area: Some(EvalArea::Location),
    add: add_pawns_and_kings,
    trace: add_pawns_and_kings,
    float: add_pawns_and_kings,
};

fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    add_squares(context, color, [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen], sum);
}

fn add_pawns_and_kings<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    add_squares(context, color, [Piece::Pawn, Piece::King], sum);
}

fn add_squares<const KINDS: usize, L: TermAccumulator>(
    context: &EvalContext<'_>,
    color: Color,
    pieces: [Piece; KINDS],
    sum: &mut L,
) {
    for piece in pieces {
        for square in context.board.colored_pieces(color, piece) {
            sum.add(weight_of(piece, square, color), 1);
        }
    }
}

fn weight_of(piece: Piece, square: Square, color: Color) -> Weight {
    weights::PIECE_SQUARE.nth(piece as usize * 32 + relative_rank(square, color) * 4 + edge_distance(square))
}
