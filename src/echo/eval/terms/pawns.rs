//! Pawn structure: doubled, isolated, left behind, side by side.

use cozy_chess::Color;

use crate::echo::eval::Term;
use crate::echo::eval::phase::Tapered;
use crate::echo::eval::scene::{Scene, ahead_of, count, forward, pawn_attacks};

/// The row in the table of terms.
pub const TERM: Term = Term { name: "pawns", judge };

const DOUBLED: Tapered = Tapered::new(-9, -18);
const ISOLATED: Tapered = Tapered::new(-12, -14);
/// Not isolated, but its neighbours are past it and the square before it is an enemy pawn's.
const BACKWARD: Tapered = Tapered::new(-8, -9);
const SUPPORTED: Tapered = Tapered::new(10, 7);
/// Side by side with a neighbour.
const PHALANX: Tapered = Tapered::new(6, 5);

fn judge(scene: &Scene<'_>, color: Color) -> Tapered {
    let us = scene.side(color);
    let them = scene.side(!color);
    let mut total = Tapered::ZERO;
    let doubled = us.pawns & ahead_of(us.pawns, color);
    total += DOUBLED * count(doubled);
    total += SUPPORTED * count(us.pawns & us.pawn_attacks);
    for pawn in us.pawns {
        let neighbours = us.pawns & pawn.file().adjacent();
        let here = pawn.bitboard();
        if neighbours.is_empty() {
            total += ISOLATED;
            continue;
        }
        // A neighbour is beside or behind exactly where it could one day guard the square before.
        let could_guard = ahead_of(pawn_attacks(neighbours, color), color) | pawn_attacks(neighbours, color);
        let before = forward(here, color);
        if could_guard.is_disjoint(before) && !them.pawn_attacks.is_disjoint(before) {
            total += BACKWARD;
        }
        if !(neighbours & pawn.rank().bitboard()).is_empty() {
            total += PHALANX;
        }
    }
    total
}
