//! Space: room behind one's own pawns in the middle, which counts the more the more pieces want it.

use cozy_chess::{BitBoard, Color, File, Rank};

use crate::echo::eval::Term;
use crate::echo::eval::ledger::Ledger;
use crate::echo::eval::scene::{Scene, ahead_of, count};
use crate::echo::eval::weights;

/// The row in the table of terms.
pub const TERM: Term = Term { name: "space", judge, trace: judge };

/// Pieces that have room anywhere.
const CONTENT: i32 = 2;
/// One square for one piece is too little to have a weight of its own.
const SHARE: i32 = 4;

fn judge<L: Ledger>(scene: &Scene<'_>, color: Color, ledger: &mut L) {
    let (us, them) = (scene.side(color), scene.side(!color));
    let files = [File::C, File::D, File::E, File::F].into_iter();
    let ranks = [Rank::Second, Rank::Third, Rank::Fourth].into_iter();
    let files = files.fold(BitBoard::EMPTY, |all, file| all | file.bitboard());
    let ranks = ranks.fold(BitBoard::EMPTY, |all, rank| all | rank.relative_to(color).bitboard());
    let safe = files & ranks & !us.pawns & !them.pawn_attacks;
    // What lies behind a pawn of its own counts twice.
    let behind = safe & ahead_of(us.pawns, !color) & !them.attacks;
    let wanting = (us.reaches().len() as i32 - CONTENT).max(0);
    ledger.add(weights::SPACE.one(), (count(safe) + count(behind)) * wanting / SHARE);
}
