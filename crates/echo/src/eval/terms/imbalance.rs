//! Imbalance: piece values depending on other pieces.

use cozy_chess::{Color, Piece};

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::area::EvalArea;
use crate::eval::context::{EvalContext, count};
use crate::eval::weights;

/// The evaluation term `imbalance`.
pub const TERM: Term = Term {
    name: "imbalance",
    area: Some(EvalArea::MajorPieces),
    add: add_term,
    trace: add_term,
    float: add_term,
};

/// The number of own pawns at which pieces have their base value.
const USUAL_PAWNS: i32 = 5;

fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    let number = |color, piece| count(context.board.colored_pieces(color, piece));
    let of =
        |color| [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].map(|piece| number(color, piece));
    let (us, them) = (of(color), of(!color));
    let beyond = number(color, Piece::Pawn) - USUAL_PAWNS;
    for (place, pieces) in us.into_iter().enumerate() {
        sum.add(weights::BY_PAWNS.nth(place), pieces * beyond);
    }
    let [knights, bishops, rooks, queens] = us;
    sum.add(weights::SAME_PAIR.nth(0), i32::from(knights > 1));
    sum.add(weights::SAME_PAIR.nth(1), i32::from(rooks > 1));
    sum.add(weights::WITH_OWN.nth(0), rooks * (knights + bishops));
    sum.add(weights::WITH_OWN.nth(1), queens * (knights + bishops));
    sum.add(weights::WITH_OWN.nth(2), queens * rooks);
    let (minors, their_rooks) = (them[0] + them[1], them[2]);
    sum.add(weights::AGAINST.nth(0), rooks * minors);
    sum.add(weights::AGAINST.nth(1), queens * minors);
    sum.add(weights::AGAINST.nth(2), queens * their_rooks);
}
