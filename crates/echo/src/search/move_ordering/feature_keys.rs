//! Hash keys of parts of a position: its pawns, and each side's pieces.
//!
//! Positions with an equal part share its statistics. Collisions are harmless for statistics.

use cozy_chess::{Board, Color, Piece};

/// The key of the pawns of both sides.
pub(super) fn pawn_structure(board: &Board) -> u64 {
    let pawns = |color| board.colored_pieces(color, Piece::Pawn).0;
    name(&[pawns(Color::White), pawns(Color::Black)])
}

/// The key of one side's king and pieces.
pub(super) fn pieces_of(board: &Board, color: Color) -> u64 {
    let of = |piece| board.colored_pieces(color, piece).0;
    name(&[of(Piece::Knight), of(Piece::Bishop), of(Piece::Rook), of(Piece::Queen), of(Piece::King)])
}

/// Multiplication by the 64-bit golden ratio propagates every bit upwards; the high half is folded down.
fn name(parts: &[u64]) -> u64 {
    parts.iter().fold(0, |name, part| {
        let product = (name ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        product ^ product >> 32
    })
}
