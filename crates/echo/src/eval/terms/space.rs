//! Space: squares in the own half of the centre that no enemy pawn attacks, times the number of pieces.

use cozy_chess::{BitBoard, Color};

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::area::EvalArea;
use crate::eval::context::{EvalContext, ahead_of, count};
use crate::eval::weights;

/// The evaluation term `space`.
pub const TERM: Term =
    Term { name: "space", area: Some(EvalArea::Mobility), add: add_term, trace: add_term, float: add_term };

/// White's ranks two to four on the files c to f.
const MIDDLE: BitBoard = BitBoard(0x0000_0000_3C3C_3C00);
/// With up to this number of pieces (without king and pawns) space has no value.
const CONTENT: i32 = 2;
/// The divisor of the count.
const SHARE: i32 = 4;

fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    let (us, them) = (context.side(color), context.side(!color));
    let middle = match color {
        Color::White => MIDDLE,
        Color::Black => MIDDLE.flip_ranks(),
    };
    let safe = middle & !us.pawns & !them.pawn_attacks;
    // Squares behind an own pawn count twice if no enemy piece attacks them.
    let behind = safe & ahead_of(us.pawns, !color) & !them.attacks;
    let wanting = (us.reaches().len().cast_signed() as i32 - CONTENT).max(0);
    sum.add(weights::SPACE.one(), (count(safe) + count(behind)) * wanting / SHARE);
}
