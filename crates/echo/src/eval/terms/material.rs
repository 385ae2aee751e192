//! Material: the value of each piece.

use cozy_chess::{Color, Piece};

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::context::{EvalContext, count};
use crate::eval::weights;

/// The evaluation term `material`.
pub const TERM: Term = Term { name: "material", area: None, add: add_term, trace: add_term, float: add_term };

fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    let number = |piece| count(context.board.colored_pieces(color, piece));
    for (index, piece) in
        [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate()
    {
        sum.add(weights::MATERIAL.nth(index), number(piece));
    }
}
