//! Rooks on open files.

use cozy_chess::{Color, Piece};

use crate::echo::eval::Term;
use crate::echo::eval::phase::Tapered;
use crate::echo::eval::scene::Scene;

/// The row in the table of terms.
pub const TERM: Term = Term { name: "major", judge };

/// No pawn on its file.
const OPEN: Tapered = Tapered::new(26, 10);
/// No pawn of its own.
const HALF_OPEN: Tapered = Tapered::new(12, 7);

fn judge(scene: &Scene<'_>, color: Color) -> Tapered {
    let (ours, theirs) = (scene.side(color).pawns, scene.side(!color).pawns);
    let mut total = Tapered::ZERO;
    for rook in scene.board.colored_pieces(color, Piece::Rook) {
        let file = rook.file().bitboard();
        if (file & ours).is_empty() {
            total += if (file & theirs).is_empty() { OPEN } else { HALF_OPEN };
        }
    }
    total
}
