//! Conversion of moves between cozy-chess and UCI.
//!
//! cozy-chess writes castling as king takes rook. UCI writes the king's two steps, unless the option
//! `UCI_Chess960` is set or king and rook are not on their orthodox squares.

use cozy_chess::{Board, File, Move, Piece, Square};
use shakmaty::Role;
use shakmaty::uci::UciMove;

use super::position::{piece_from, square_from};

/// The notation of castling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Castling {
    /// The king's two steps: `e1g1`.
    TwoSteps,
    /// The king takes its rook: `e1h1`.
    TakesRook,
}

/// Converts a UCI move, if it is legal. Both notations of castling are accepted.
pub(super) fn from_uci(board: &Board, written: UciMove) -> Option<Move> {
    let UciMove::Normal { from, to, promotion } = written else { return None };
    let (from, to) = (square_from(from), square_from(to));
    let mv = Move { from, to: rook_of_two_steps(board, from, to), promotion: promotion.map(piece_from) };
    board.is_legal(mv).then_some(mv)
}

/// Converts a legal move to UCI.
pub(super) fn to_uci(board: &Board, mv: Move, castling: Castling) -> UciMove {
    let ordinary = mv.from.file() == File::E && matches!(mv.to.file(), File::A | File::H);
    let to = if castling == Castling::TwoSteps && ordinary && is_castling(board, mv) {
        let file = if mv.from.file() < mv.to.file() { File::G } else { File::C };
        Square::new(file, mv.to.rank())
    } else {
        mv.to
    };
    UciMove::Normal { from: square_to(mv.from), to: square_to(to), promotion: mv.promotion.map(role_of) }
}

/// Whether the move is castling (king takes own rook).
pub(super) fn is_castling(board: &Board, mv: Move) -> bool {
    board.colors(board.side_to_move()).has(mv.to)
}

/// For castling by two steps the rook's square, otherwise the target square.
fn rook_of_two_steps(board: &Board, from: Square, to: Square) -> Square {
    let side = board.side_to_move();
    let rights = board.castle_rights(side);
    let rook = match to.file() {
        _ if board.king(side) != from || from.file() != File::E || from.rank() != to.rank() => None,
        File::G => rights.short,
        File::C => rights.long,
        _ => None,
    };
    rook.map_or(to, |file| Square::new(file, to.rank()))
}

const fn square_to(square: Square) -> shakmaty::Square {
    shakmaty::Square::new(square as u32)
}

const fn role_of(piece: Piece) -> Role {
    match piece {
        Piece::Pawn => Role::Pawn,
        Piece::Knight => Role::Knight,
        Piece::Bishop => Role::Bishop,
        Piece::Rook => Role::Rook,
        Piece::Queen => Role::Queen,
        Piece::King => Role::King,
    }
}
