//! Closed positions: rammed pawns restrict rooks and bishops more than knights.

use cozy_chess::{Color, Piece};

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::area::EvalArea;
use crate::eval::context::{EvalContext, count, forward};
use crate::eval::weights;

/// The evaluation term `closedness`.
pub const TERM: Term = Term {
    name: "closedness",
    area: Some(EvalArea::PawnStructure),
    add: add_term,
    trace: add_term,
    float: add_term,
};

fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    let rammed = count(context.side(color).pawns & forward(context.side(!color).pawns, !color));
    if rammed == 0 {
        return;
    }
    for (place, piece) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate() {
        sum.add(weights::CLOSED.nth(place), rammed * count(context.board.colored_pieces(color, piece)));
    }
}
