//! The path of passed pawns: blockers, rooks behind them, and attacks on the path.

use cozy_chess::{BitBoard, Color, Piece, Square};

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::area::EvalArea;
use crate::eval::context::{EvalContext, ahead_of, distance, forward, relative_rank};
use crate::eval::structure::Structure;
use crate::eval::weights;

/// The evaluation term `passage`.
pub const TERM: Term = Term {
    name: "passage",
    area: Some(EvalArea::PassedPawns),
    add: add_term,
    trace: add_term,
    float: add_term,
};

fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    for pawn in Structure::new(context).passed(color) {
        passage(context, color, pawn, sum);
    }
}

fn passage<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, pawn: Square, sum: &mut L) {
    let (us, them) = (context.side(color), context.side(!color));
    let board = context.board;
    let (here, rank) = (pawn.bitboard(), relative_rank(pawn, color));
    let path = ahead_of(here, color);
    let before = forward(here, color);
    if !(board.occupied() & before).is_empty() {
        sum.add(weights::PASSED_BLOCKED.nth(rank), 1);
    } else if !(before & (!them.attacks | us.attacks & !them.attacks_twice)).is_empty() {
        sum.add(weights::PASSED_SAFE_STEP.nth(rank), 1);
    }
    if (path & (board.occupied() | them.attacks)).is_empty() {
        sum.add(weights::PASSED_FREE.nth(rank), 1);
    }
    let behind = ahead_of(here, !color) & seen_from(context, pawn);
    for (place, side) in [color, !color].into_iter().enumerate() {
        let rooks = board.colored_pieces(side, Piece::Rook) & behind;
        sum.add(weights::PASSED_ROOK_BEHIND.nth(place), i32::from(!rooks.is_empty()));
    }
    if is_out_of_reach(context, color, pawn, path) {
        sum.add(weights::PASSED_OUT_OF_REACH.one(), 1);
    }
}

/// The attacks of a rook on the pawn's square.
fn seen_from(context: &EvalContext<'_>, pawn: Square) -> BitBoard {
    if context.board.pieces(Piece::Rook).is_empty() {
        BitBoard::EMPTY
    } else {
        cozy_chess::get_rook_moves(pawn, context.board.occupied())
    }
}

/// Whether the pawn is outside the square of a bare king.
fn is_out_of_reach(context: &EvalContext<'_>, color: Color, pawn: Square, path: BitBoard) -> bool {
    let board = context.board;
    let pieces = board.colors(!color) & !context.side(!color).pawns;
    if pieces.len() > 1 || !(path & board.occupied()).is_empty() {
        return false;
    }
    // A pawn on its start square saves a move.
    let steps = (7 - relative_rank(pawn, color)).min(5).cast_signed() as i32;
    let queens_on = Square::new(pawn.file(), cozy_chess::Rank::Eighth.relative_to(color));
    let to_move = i32::from(board.side_to_move() != color);
    distance(context.side(!color).king, queens_on) - to_move > steps
}
