//! Complexity: scales the endgame advantage by how hard the position is to hold.
//!
//! It depends on both sides and changes the total endgame score: it can reduce the advantage to zero or
//! double it, but never reverse it.

use cozy_chess::{BitBoard, Color, Piece};

use crate::eval::accumulator::TermAccumulator;
use crate::eval::context::{EvalContext, count};
use crate::eval::structure::Structure;
use crate::eval::weights;

/// Files a to d.
const QUEENS_WING: BitBoard = BitBoard(0x0F0F_0F0F_0F0F_0F0F);

/// Adds the features of complexity.
pub fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, sum: &mut L) {
    let board = context.board;
    let pawns = board.pieces(Piece::Pawn);
    let both = !(pawns & QUEENS_WING).is_empty() && !(pawns & !QUEENS_WING).is_empty();
    let structure = Structure::new(context);
    let passed = structure.passed(Color::White) | structure.passed(Color::Black);
    let only_pawns = board.occupied() == pawns | board.pieces(Piece::King);
    for (place, times) in
        [1, count(pawns), i32::from(both), i32::from(only_pawns), count(passed)].into_iter().enumerate()
    {
        sum.add(weights::COMPLEXITY.nth(place), times);
    }
}

/// The endgame score with this complexity, both in centipawns.
pub const fn scaled_by_complexity(end: i32, complexity: i32) -> i32 {
    let most = end.abs();
    let counted = if complexity > most {
        most
    } else if complexity < -most {
        -most
    } else {
        complexity
    };
    end + end.signum() * counted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complexity_never_reverses_an_advantage() {
        let table =
            [(100, 20, 120), (100, -20, 80), (10, -20, 0), (10, 20, 20), (0, 20, 0), (-100, 20, -120)];
        for (end, complexity, expected) in table {
            assert_eq!(scaled_by_complexity(end, complexity), expected, "{end} with {complexity}");
        }
    }
}
