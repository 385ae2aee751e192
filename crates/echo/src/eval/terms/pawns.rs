//! Pawn structure: doubled, isolated, backward, supported, phalanx and rammed pawns, levers and islands.

use cozy_chess::Color;

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::area::EvalArea;
use crate::eval::context::{
    EvalContext, adjacent, ahead_of, count, edge_distance, forward, pawn_attacks, relative_rank,
};
use crate::eval::structure::Structure;
use crate::eval::weights;

/// The evaluation term `pawns`.
pub const TERM: Term = Term {
    name: "pawns",
    area: Some(EvalArea::PawnStructure),
    add: add_term,
    trace: add_term,
    float: add_term,
};

fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    add_structure(&Structure::new(context), color, sum);
}

fn add_structure<L: TermAccumulator>(structure: &Structure, color: Color, sum: &mut L) {
    let (us, them) = (structure.pawns(color), structure.pawns(!color));
    let (guarded, attacked) = (structure.pawn_attacks(color), structure.pawn_attacks(!color));
    add_connected(structure, color, sum);
    for pawn in us & forward(them, !color) {
        sum.add(weights::RAMMED.nth(relative_rank(pawn, color)), 1);
    }
    for pawn in us & pawn_attacks(them, !color) {
        sum.add(weights::LEVER.nth(relative_rank(pawn, color)), 1);
    }
    let (own_front, their_front) = (ahead_of(us, color), ahead_of(them, !color));
    // The squares that own pawns guard now or after advances. A pawn whose next square is not among them may
    // be backward.
    let could_guard = guarded | pawn_attacks(own_front, color);
    for pawn in us {
        let here = pawn.bitboard();
        let open = (here & their_front).is_empty();
        let isolated = (us & pawn.file().adjacent()).is_empty();
        if !(ahead_of(here, color) & us).is_empty() {
            sum.add(weights::DOUBLED.nth(edge_distance(pawn)), 1);
            sum.add(weights::DOUBLED_ISOLATED.one(), i32::from(isolated));
        }
        if isolated {
            sum.add(weights::ISOLATED.nth(edge_distance(pawn)), 1);
            sum.add(weights::ISOLATED_OPEN.one(), i32::from(open));
        } else if (forward(here, color) & could_guard).is_empty()
            && !(forward(here, color) & attacked).is_empty()
        {
            sum.add(weights::BACKWARD.nth(usize::from(open)), 1);
        }
    }
    sum.add(weights::ISLANDS.one(), islands(us));
}

/// Connected pawns: supported or phalanx.
fn add_connected<L: TermAccumulator>(structure: &Structure, color: Color, sum: &mut L) {
    let us = structure.pawns(color);
    let (supported, phalanx) = (us & structure.pawn_attacks(color), us & adjacent(us));
    for pawn in supported {
        sum.add(weights::SUPPORTED.nth(relative_rank(pawn, color)), 1);
        let guards = us & cozy_chess::get_pawn_attacks(pawn, !color);
        sum.add(weights::SUPPORTED_TWICE.one(), count(guards) - 1);
    }
    for pawn in phalanx {
        sum.add(weights::PHALANX.nth(relative_rank(pawn, color)), 1);
    }
    for pawn in supported | phalanx {
        sum.add(weights::CONNECTED.nth(edge_distance(pawn)), 1);
    }
}

/// The number of pawn islands.
fn islands(pawns: cozy_chess::BitBoard) -> i32 {
    let mut files = pawns.0;
    for ranks in [32, 16, 8] {
        files |= files >> ranks;
    }
    // The first rank now has a bit for each file with a pawn. An island begins where the file to the left
    // has none.
    let files = files & 0xFF;
    (files & !(files << 1)).count_ones().cast_signed()
}

#[cfg(test)]
mod tests {
    use cozy_chess::BitBoard;

    use super::*;

    #[test]
    fn pawn_islands_are_counted_by_files() {
        let table = [
            (0x0000_0000_0000_0000, 0),
            (0x0000_0000_0000_FF00, 1),
            (0x0000_0001_0000_A200, 3),
            (0x0080_0000_0000_4600, 2),
        ];
        for (pawns, expected) in table {
            assert_eq!(islands(BitBoard(pawns)), expected, "{pawns:#x}");
        }
    }
}
