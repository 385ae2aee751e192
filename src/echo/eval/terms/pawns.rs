//! Pawn structure: doubled, isolated, left behind, guarded, side by side, rammed.

use cozy_chess::Color;

use crate::echo::eval::Term;
use crate::echo::eval::ledger::Ledger;
use crate::echo::eval::scene::{Scene, ahead_of, beside, come, count, forward, inward, pawn_attacks};
use crate::echo::eval::weights;

/// The row in the table of terms.
pub const TERM: Term = Term { name: "pawns", judge, trace: judge };

fn judge<L: Ledger>(scene: &Scene<'_>, color: Color, ledger: &mut L) {
    let us = scene.side(color);
    let them = scene.side(!color);
    ledger.add(weights::DOUBLED.one(), count(us.pawns & ahead_of(us.pawns, color)));
    for pawn in us.pawns & us.pawn_attacks {
        ledger.add(weights::SUPPORTED.at(come(pawn, color)), 1);
    }
    for pawn in us.pawns & beside(us.pawns) {
        ledger.add(weights::PHALANX.at(come(pawn, color)), 1);
    }
    for pawn in us.pawns & forward(them.pawns, !color) {
        ledger.add(weights::RAMMED.at(come(pawn, color)), 1);
    }
    // Where a pawn could one day stand guarded; the square before one that is not left behind is among them.
    let (own_front, their_front) = (ahead_of(us.pawns, color), ahead_of(them.pawns, !color));
    let could_guard = us.pawn_attacks | pawn_attacks(own_front, color);
    for pawn in us.pawns {
        let here = pawn.bitboard();
        let open = usize::from((here & their_front).is_empty());
        if (us.pawns & pawn.file().adjacent()).is_empty() {
            ledger.add(weights::ISOLATED.at(inward(pawn)), 1);
            ledger.add(weights::ISOLATED_OPEN.one(), open.cast_signed() as i32);
            continue;
        }
        let before = forward(here, color);
        if (before & could_guard).is_empty() && !(before & them.pawn_attacks).is_empty() {
            ledger.add(weights::BACKWARD.at(open), 1);
        }
    }
}
