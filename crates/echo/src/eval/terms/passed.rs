//! Passed pawns and candidates.

use cozy_chess::Color;

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::area::EvalArea;
use crate::eval::context::{
    EvalContext, adjacent, ahead_of, count, distance, edge_distance, forward, relative_rank,
};
use crate::eval::structure::Structure;
use crate::eval::weights;

/// The evaluation term `passed`.
pub const TERM: Term = Term {
    name: "passed",
    area: Some(EvalArea::PassedPawns),
    add: add_term,
    trace: add_term,
    float: add_term,
};

fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    add_structure(&Structure::new(context), color, sum);
}

fn add_structure<L: TermAccumulator>(structure: &Structure, color: Color, sum: &mut L) {
    let (us, them) = (structure.pawns(color), structure.pawns(!color));
    let passed = structure.passed(color);
    let together = passed & adjacent(passed | forward(passed, color));
    for pawn in passed {
        let (here, rank) = (pawn.bitboard(), relative_rank(pawn, color));
        let before = forward(here, color).next_square().expect("no pawn is on the last rank");
        sum.add(weights::PASSED.nth(rank), 1);
        sum.add(weights::PASSED_FILE.nth(edge_distance(pawn)), 1);
        sum.add(weights::PASSED_OUR_KING.nth(rank), distance(structure.king(color), before));
        sum.add(weights::PASSED_THEIR_KING.nth(rank), distance(structure.king(!color), before));
        sum.add(weights::PASSED_SUPPORTED.nth(rank), i32::from(structure.pawn_attacks(color).has(pawn)));
        sum.add(weights::PASSED_TOGETHER.nth(rank), i32::from(together.has(pawn)));
    }
    for pawn in structure.leaders(color) & !passed {
        let here = pawn.bitboard();
        let helpers = us & adjacent(here | ahead_of(here, !color));
        let hinderers = them & adjacent(ahead_of(here, color));
        if count(helpers) >= count(hinderers) {
            sum.add(weights::CANDIDATE.nth(relative_rank(pawn, color)), 1);
        }
    }
}
