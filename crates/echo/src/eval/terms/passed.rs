//! Passed pawns and candidates.

use cozy_chess::Color;

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::context::{EvalContext, adjacent, ahead_of, come, count, distance, forward, inward};
use crate::eval::knowledge::EvalArea;
use crate::eval::structure::Structure;
use crate::eval::weights;

/// The term.
pub const TERM: Term =
    Term { name: "passed", subject: Some(EvalArea::PassedPawns), judge: of, trace: of, float: of };

fn of<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, ledger: &mut L) {
    judge(&Structure::of(context), color, ledger);
}

fn judge<L: TermAccumulator>(structure: &Structure, color: Color, ledger: &mut L) {
    let (us, them) = (structure.pawns(color), structure.pawns(!color));
    let passed = structure.passed(color);
    let together = passed & adjacent(passed | forward(passed, color));
    for pawn in passed {
        let (here, rank) = (pawn.bitboard(), come(pawn, color));
        let before = forward(here, color).next_square().expect("a pawn never stands on the last rank");
        ledger.add(weights::PASSED.at(rank), 1);
        ledger.add(weights::PASSED_FILE.at(inward(pawn)), 1);
        ledger.add(weights::PASSED_OUR_KING.at(rank), distance(structure.king(color), before));
        ledger.add(weights::PASSED_THEIR_KING.at(rank), distance(structure.king(!color), before));
        ledger.add(weights::PASSED_SUPPORTED.at(rank), i32::from(structure.pawn_attacks(color).has(pawn)));
        ledger.add(weights::PASSED_TOGETHER.at(rank), i32::from(together.has(pawn)));
    }
    for pawn in structure.leaders(color) & !passed {
        let here = pawn.bitboard();
        let helpers = us & adjacent(here | ahead_of(here, !color));
        let hinderers = them & adjacent(ahead_of(here, color));
        if count(helpers) >= count(hinderers) {
            ledger.add(weights::CANDIDATE.at(come(pawn, color)), 1);
        }
    }
}
