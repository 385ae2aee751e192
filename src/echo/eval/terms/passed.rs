//! Passed pawns: no enemy pawn can stop them any more.

use cozy_chess::{Color, Rank};

use crate::echo::eval::Term;
use crate::echo::eval::phase::Tapered;
use crate::echo::eval::scene::{Scene, ahead_of, distance, forward};

/// The row in the table of terms.
pub const TERM: Term = Term { name: "passed", judge };

/// Each king's step nearer to or further from the square before the pawn, times how far the pawn has come.
const OUR_KING: i32 = 2;
const THEIR_KING: i32 = 4;

fn judge(scene: &Scene<'_>, color: Color) -> Tapered {
    let (us, them) = (scene.side(color), scene.side(!color));
    let stoppable = ahead_of(them.pawns | them.pawn_attacks, !color) | them.pawn_attacks;
    let mut total = Tapered::ZERO;
    for pawn in us.pawns & !stoppable {
        let here = pawn.bitboard();
        if !(ahead_of(here, color) & us.pawns).is_empty() {
            continue; // The one before it is the passed pawn.
        }
        // 0 on the second rank, 5 on the seventh.
        let come = pawn.relative_to(color).rank() as i32 - Rank::Second as i32;
        let before = forward(here, color).next_square().expect("a pawn never stands on the last rank");
        let races = (THEIR_KING * distance(them.king, before) - OUR_KING * distance(us.king, before)) * come;
        let blocked = scene.board.occupied().has(before);
        let guarded = us.pawn_attacks.has(pawn);
        total += Tapered::new(4 + 3 * come * come, 10 + 5 * come * come + races / 2);
        if blocked {
            total += Tapered::new(-2 * come, -5 * come);
        }
        if guarded {
            total += Tapered::new(2 * come, 4 * come);
        }
    }
    total
}
