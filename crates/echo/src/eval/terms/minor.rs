//! Knights and bishops: the pair of bishops, outposts, pawns in front, and bad bishops.
//!
//! The pair is no part of the material, because a weak player does not know it, as in MadChess.

use cozy_chess::{BitBoard, Color, Piece, get_bishop_moves, get_bishop_rays};

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::area::EvalArea;
use crate::eval::context::{EvalContext, PieceAttacks, ahead_of, count, distance, forward, pawn_attacks};
use crate::eval::weights;

/// The evaluation term `minor`.
pub const TERM: Term = Term {
    name: "minor",
    area: Some(EvalArea::MinorPieces),
    add: add_term,
    trace: add_term,
    float: add_term,
};

/// White's ranks four to six.
const FAR: BitBoard = BitBoard(0x0000_FFFF_FF00_0000);
/// The central squares of both long diagonals.
const MIDDLE: BitBoard = BitBoard(0x0000_0018_1800_0000);

fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    let (us, them) = (context.side(color), context.side(!color));
    let far = match color {
        Color::White => FAR,
        Color::Black => FAR.flip_ranks(),
    };
    let driven = them.pawn_attacks | pawn_attacks(ahead_of(them.pawns, !color), !color);
    let outposts = far & !driven;
    if count(context.board.colored_pieces(color, Piece::Bishop)) >= 2 {
        sum.add(weights::BISHOP_PAIR.one(), 1);
    }
    let shaded = forward(context.board.pieces(Piece::Pawn), !color);
    for &PieceAttacks { piece, square, attacks } in us.reaches() {
        let kind = match piece {
            Piece::Knight => 0,
            Piece::Bishop => 1,
            Piece::Rook | Piece::Queen | Piece::Pawn | Piece::King => continue,
        };
        if outposts.has(square) {
            let guarded = usize::from(us.pawn_attacks.has(square));
            sum.add(weights::OUTPOST.nth(2 * kind + guarded), 1);
        } else if kind == 0 {
            let near = attacks & outposts & us.pawn_attacks & !context.board.colors(color);
            sum.add(weights::OUTPOST_REACHABLE.one(), i32::from(!near.is_empty()));
        }
        if shaded.has(square) {
            sum.add(weights::BEHIND_PAWN.nth(kind), 1);
        }
        sum.add(weights::FAR_FROM_KING.nth(kind), distance(square, us.king));
        if kind == 1 {
            let own = if BitBoard::DARK_SQUARES.has(square) {
                BitBoard::DARK_SQUARES
            } else {
                BitBoard::LIGHT_SQUARES
            };
            let pawns = us.pawns & own;
            let blocked = pawns & forward(context.board.occupied(), !color);
            sum.add(weights::BAD_BISHOP.one(), count(pawns));
            sum.add(weights::BAD_BISHOP_BLOCKED.one(), count(blocked));
            sum.add(weights::PAWNS_IN_SIGHT.one(), count(get_bishop_rays(square) & them.pawns));
            let seen = get_bishop_moves(square, context.board.pieces(Piece::Pawn)) | square.bitboard();
            sum.add(weights::LONG_DIAGONAL.one(), i32::from(count(seen & MIDDLE) > 1));
        }
    }
}
