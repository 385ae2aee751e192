//! Pawn shelter and pawn storm, and the king's distance from pawns.

use cozy_chess::{BitBoard, Color, File, Square};

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::area::EvalArea;
use crate::eval::context::{EvalContext, ahead_of, distance, relative_rank};
use crate::eval::structure::Structure;
use crate::eval::weights;

/// The evaluation term `shelter`.
pub const TERM: Term = Term {
    name: "shelter",
    area: Some(EvalArea::KingSafety),
    add: add_term,
    trace: add_term,
    float: add_term,
};

/// Indices per file, and half of them: on the king's file or next to it, free or blocked.
const FILE: usize = 16;
const HALF: usize = 8;

fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    add_structure(&Structure::new(context), color, sum);
}

fn add_structure<L: TermAccumulator>(structure: &Structure, color: Color, sum: &mut L) {
    shelter(structure, color, sum);
    let king = structure.king(color);
    let pawns = structure.pawns(color) | structure.pawns(!color);
    let Some(steps) = pawns.into_iter().map(|pawn| distance(king, pawn)).min() else { return };
    sum.add(weights::KING_FROM_PAWNS.one(), steps);
    let files = |pawn: Square| (pawn.file() as usize).abs_diff(king.file() as usize);
    let nearest = pawns.into_iter().map(files).min().unwrap_or(0);
    sum.add(weights::KING_FILES_FROM_PAWNS.nth(nearest), 1);
}

/// The nearest pawns of both sides on the king's file and the adjacent ones.
fn shelter<L: TermAccumulator>(structure: &Structure, color: Color, sum: &mut L) {
    let king = structure.king(color);
    let rank = king.rank().bitboard();
    let ahead = rank | ahead_of(rank, color);
    // A king on the edge is treated as one file further in.
    let middle = (king.file() as usize).clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let place = FILE * file.min(7 - file);
        let column = File::index(file).bitboard() & ahead;
        let own = nearest(structure.pawns(color) & column, king, color);
        let beside = if file == king.file() as usize { 0 } else { HALF };
        sum.add(weights::SHELTER.nth(place + beside + own), 1);
        let coming = nearest(structure.pawns(!color) & column, king, color);
        let blocked = if own > 0 && coming == own + 1 { HALF } else { 0 };
        sum.add(weights::STORM.nth(place + blocked + coming), 1);
    }
}

/// The distance in ranks to the nearest of these pawns, 1 for an adjacent rank and 0 without a pawn.
fn nearest(pawns: BitBoard, king: Square, color: Color) -> usize {
    if pawns.is_empty() {
        return 0;
    }
    // On one file in front of the king, the nearest is the first or the last bit.
    let rank = match color {
        Color::White => pawns.0.trailing_zeros() / 8,
        Color::Black => pawns.0.leading_zeros() / 8,
    };
    (rank as usize - relative_rank(king, color)).max(1)
}
