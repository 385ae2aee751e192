//! Material: what pieces are worth wherever they stand.

use cozy_chess::{Color, Piece};

use crate::echo::eval::Term;
use crate::echo::eval::phase::Tapered;
use crate::echo::eval::scene::{Scene, count};

/// The row in the table of terms.
pub const TERM: Term = Term { name: "material", judge };

/// Pawn, knight, bishop, rook, queen, king: a queen is a little more than a rook and two pawns short of two.
const WORTH: [Tapered; Piece::NUM] = [
    Tapered::new(85, 115),
    Tapered::new(335, 325),
    Tapered::new(345, 345),
    Tapered::new(480, 560),
    Tapered::new(990, 1040),
    Tapered::ZERO,
];

/// Two bishops guard squares of both colours.
const BISHOP_PAIR: Tapered = Tapered::new(28, 48);

fn judge(scene: &Scene<'_>, color: Color) -> Tapered {
    let mut total = Tapered::ZERO;
    for piece in Piece::ALL {
        total += WORTH[piece as usize] * count(scene.board.colored_pieces(color, piece));
    }
    if scene.board.colored_pieces(color, Piece::Bishop).len() >= 2 {
        total += BISHOP_PAIR;
    }
    total
}
