//! Mobility: squares that pieces can go to without being taken by a pawn.

use cozy_chess::{BitBoard, Color, Piece};

use crate::echo::eval::Term;
use crate::echo::eval::phase::Tapered;
use crate::echo::eval::scene::{Scene, count};

/// The row in the table of terms.
pub const TERM: Term = Term { name: "mobility", judge };

/// A kind of piece: how many squares are usual, and what each one more is worth.
struct Freedom {
    usual: i32,
    square: Tapered,
}

const fn freedom(piece: Piece) -> Freedom {
    let (usual, square) = match piece {
        Piece::Knight => (4, Tapered::new(6, 5)),
        Piece::Bishop => (6, Tapered::new(5, 6)),
        Piece::Rook => (6, Tapered::new(3, 6)),
        Piece::Queen => (12, Tapered::new(2, 5)),
        Piece::Pawn | Piece::King => (0, Tapered::ZERO),
    };
    Freedom { usual, square }
}

fn judge(scene: &Scene<'_>, color: Color) -> Tapered {
    let (us, them) = (scene.side(color), scene.side(!color));
    let closed: BitBoard = us.pawns | us.king.bitboard() | them.pawn_attacks;
    let mut total = Tapered::ZERO;
    for reach in us.reaches() {
        let Freedom { usual, square } = freedom(reach.piece);
        total += square * (count(reach.attacks & !closed) - usual);
    }
    total
}
