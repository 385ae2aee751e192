//! The king's safety: pawns before it, open files beside it, pieces aimed at it.

use cozy_chess::{BitBoard, Color, File, Piece};

use crate::echo::eval::Term;
use crate::echo::eval::phase::Tapered;
use crate::echo::eval::scene::{Scene, ahead_of, count, forward};

/// The row in the table of terms.
pub const TERM: Term = Term { name: "king", judge };

/// A pawn of its own right before the king or beside that, and one a step further.
const SHELTER_NEAR: i32 = 11;
const SHELTER_FAR: i32 = 6;
/// A file beside the king without a pawn of its own, and without any.
const HALF_OPEN: i32 = -12;
const OPEN: i32 = -9;

/// What one attacked square of the zone weighs by the piece that attacks it.
const fn weight(piece: Piece) -> i32 {
    match piece {
        Piece::Knight | Piece::Bishop => 2,
        Piece::Rook => 3,
        Piece::Queen => 4,
        Piece::Pawn | Piece::King => 0,
    }
}

/// Attacks add up to more than their sum, until nothing more can be lost.
const MOST_DANGER: i32 = 400;

fn judge(scene: &Scene<'_>, color: Color) -> Tapered {
    Tapered::new(shelter(scene, color) - danger(scene, color), -danger(scene, color) / 8)
}

fn shelter(scene: &Scene<'_>, color: Color) -> i32 {
    let (us, them) = (scene.side(color), scene.side(!color));
    let files = us.king.file().bitboard() | us.king.file().adjacent();
    let before = forward(us.king.rank().bitboard(), color) & files;
    let near = count(before & us.pawns);
    let far = count(forward(before, color) & us.pawns);
    let mut total = SHELTER_NEAR * near + SHELTER_FAR * far;
    for file in File::ALL {
        let column: BitBoard = file.bitboard();
        let king_side = files & column;
        if king_side.is_empty()
            || !(ahead_of(us.king.rank().bitboard(), color) & column & us.pawns).is_empty()
        {
            continue;
        }
        total += HALF_OPEN;
        if (column & them.pawns).is_empty() {
            total += OPEN;
        }
    }
    total
}

fn danger(scene: &Scene<'_>, color: Color) -> i32 {
    let (us, them) = (scene.side(color), scene.side(!color));
    let mut attackers = 0;
    let mut units = 0;
    for reach in them.reaches() {
        let squares = count(reach.attacks & us.king_zone & !us.pawn_attacks);
        if squares > 0 {
            attackers += 1;
            units += weight(reach.piece) * (squares + 1);
        }
    }
    // One piece alone mates nobody, and without the queen it takes more of them.
    let queen = !scene.board.colored_pieces(!color, Piece::Queen).is_empty();
    let needed = if queen { 2 } else { 3 };
    if attackers < needed {
        return 0;
    }
    (units * units / 9).min(MOST_DANGER)
}
