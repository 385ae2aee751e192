//! Material: base values of pieces.

use cozy_chess::{Color, Piece};

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::context::{EvalContext, count};
use crate::eval::weights;

/// The term.
pub const TERM: Term = Term { name: "material", subject: None, judge, trace: judge, float: judge };

fn judge<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, ledger: &mut L) {
    let number = |piece| count(context.board.colored_pieces(color, piece));
    for (place, piece) in
        [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate()
    {
        ledger.add(weights::MATERIAL.at(place), number(piece));
    }
    if number(Piece::Bishop) >= 2 {
        ledger.add(weights::BISHOP_PAIR.one(), 1);
    }
}
