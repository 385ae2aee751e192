//! Rooks and queens: open files, the seventh rank, trapped rooks, and x-rays on the queen.

use cozy_chess::{
    BitBoard, Color, Piece, Rank, get_between_rays, get_bishop_rays, get_king_moves, get_rook_rays,
};

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::area::EvalArea;
use crate::eval::context::{EvalContext, PieceAttacks, count};
use crate::eval::weights;

/// The evaluation term `major`.
pub const TERM: Term = Term {
    name: "major",
    area: Some(EvalArea::MajorPieces),
    add: add_term,
    trace: add_term,
    float: add_term,
};

/// A rook with at most this mobility may be trapped.
const SHUT_IN: i32 = 3;

fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    let (us, them) = (context.side(color), context.side(!color));
    let seventh = Rank::Seventh.relative_to(color);
    let home = Rank::First.relative_to(color);
    let worthwhile =
        them.king.rank() == Rank::Eighth.relative_to(color) || !(them.pawns & seventh.bitboard()).is_empty();
    for &PieceAttacks { piece, square, attacks } in us.reaches() {
        let kind = match piece {
            Piece::Rook => 0,
            Piece::Queen => 1,
            Piece::Knight | Piece::Bishop | Piece::Pawn | Piece::King => continue,
        };
        if square.rank() == seventh && worthwhile {
            sum.add(weights::SEVENTH.nth(kind), 1);
        }
        if kind == 1 {
            sum.add(weights::QUEEN_IN_LINE.one(), i32::from(is_in_line(context, color, square)));
            continue;
        }
        let file = square.file().bitboard();
        let queens = file & context.board.pieces(Piece::Queen);
        sum.add(weights::ROOK_QUEEN_FILE.one(), i32::from(!queens.is_empty()));
        if (file & us.pawns).is_empty() {
            let open = usize::from((file & them.pawns).is_empty());
            sum.add(weights::ROOK_FILE.nth(open), 1);
            let near = !(file & (get_king_moves(them.king) | them.king.bitboard())).is_empty();
            sum.add(weights::ROOK_AT_KING.one(), i32::from(near));
        } else if square.rank() == home && us.king.rank() == home && count(attacks & !us.pawns) <= SHUT_IN {
            let (king_file, rook_file) = (us.king.file() as i32, square.file() as i32);
            let outside =
                (king_file >= 4 && rook_file > king_file) || (king_file < 4 && rook_file < king_file);
            sum.add(weights::TRAPPED_ROOK.one(), i32::from(outside));
        }
    }
}

/// Whether an enemy rook or bishop attacks the queen through exactly one piece.
fn is_in_line(context: &EvalContext<'_>, color: Color, queen: cozy_chess::Square) -> bool {
    let board = context.board;
    let rooks = board.colored_pieces(!color, Piece::Rook) & get_rook_rays(queen);
    let bishops = board.colored_pieces(!color, Piece::Bishop) & get_bishop_rays(queen);
    let looking: BitBoard = rooks | bishops;
    looking.into_iter().any(|from| (get_between_rays(from, queen) & board.occupied()).len() == 1)
}
