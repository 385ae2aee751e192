//! Mobility: squares that pieces can reach and that no enemy pawn attacks.

use cozy_chess::{Color, Piece, Rank};

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::area::EvalArea;
use crate::eval::context::{EvalContext, forward};
use crate::eval::weights;

/// The evaluation term `mobility`.
pub const TERM: Term = Term {
    name: "mobility",
    area: Some(EvalArea::Mobility),
    add: add_term,
    trace: add_term,
    float: add_term,
};

fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    let (us, them) = (context.side(color), context.side(!color));
    let early = Rank::Second.relative_to(color).bitboard() | Rank::Third.relative_to(color).bitboard();
    let blocked = us.pawns & (early | forward(context.board.occupied(), !color));
    let closed = blocked | us.king.bitboard() | them.pawn_attacks;
    for reach in us.reaches() {
        let squares = (reach.attacks & !closed).len() as usize;
        let group = match reach.piece {
            Piece::Knight => weights::KNIGHT_MOBILITY,
            Piece::Bishop => weights::BISHOP_MOBILITY,
            Piece::Rook => weights::ROOK_MOBILITY,
            Piece::Queen | Piece::Pawn | Piece::King => weights::QUEEN_MOBILITY,
        };
        sum.add(group.nth(squares), 1);
    }
}
