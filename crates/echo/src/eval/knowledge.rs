//! Limited evaluation knowledge below full strength: a part of each area, and errors of the piece values.
//!
//! A handicapped player evaluates like one who has not learnt all areas yet.

use cozy_chess::{Board, Color, Piece};

use super::accumulator::ScoreSum;
use super::area::EvalArea;
use super::context::{EvalContext, count};
use super::phase::Tapered;
use super::terms::endgame::FULL_CHANCES;
use super::{PAWN_TERMS, TERMS, complexity, king_and_pawn, kpk_value, tapered_score, tempo};
use crate::value::Value;

/// The unit: all of an area.
pub const ALL_OF_IT: i32 = 128;

/// The pieces with a value, in the order of the material weights.
pub const VALUED: [Piece; 5] = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// The known parts of the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvalKnowledge {
    /// The weight of each area, in units of [`ALL_OF_IT`].
    pub parts: [i32; EvalArea::ALL.len()],
    /// The error of each value of [`VALUED`].
    pub piece_errors: [Tapered; VALUED.len()],
}

impl EvalKnowledge {
    /// Everything but one area, with the true values of the pieces.
    pub const fn without(area: EvalArea) -> Self {
        let mut parts = [ALL_OF_IT; EvalArea::ALL.len()];
        parts[area as usize] = 0;
        Self { parts, piece_errors: [Tapered::ZERO; VALUED.len()] }
    }

    /// The known part of an area.
    pub const fn part_of(&self, area: EvalArea) -> i32 {
        self.parts[area as usize]
    }

    /// Whether everything is known.
    pub fn is_complete(&self) -> bool {
        self.parts == [ALL_OF_IT; EvalArea::ALL.len()] && self.piece_errors == [Tapered::ZERO; VALUED.len()]
    }

    /// The evaluation for the side to move with this knowledge.
    ///
    /// Each side's sum of a term is scaled before the sides are compared, so that swapping colours swaps the
    /// sign. Draws of king and pawn against king require endgame knowledge.
    pub fn evaluate(&self, board: &Board) -> Value {
        let endgames = self.part_of(EvalArea::Endgames);
        if endgames == ALL_OF_IT
            && let Some(outcome) = king_and_pawn::outcome(board)
        {
            return kpk_value(board, outcome);
        }
        let context = EvalContext::new(board);
        let balance = self.side_score(&context, Color::White) - self.side_score(&context, Color::Black);
        let tempo = part(tempo(), self.part_of(EvalArea::Mobility));
        let (raw, chances) =
            tapered_score(board, balance, tempo, complexity(&context) * endgames / ALL_OF_IT);
        let chances = FULL_CHANCES + (chances - FULL_CHANCES) * endgames / ALL_OF_IT;
        Value::evaluation(raw * chances / FULL_CHANCES)
    }

    /// The sum of one side.
    fn side_score(&self, context: &EvalContext<'_>, color: Color) -> Tapered {
        let mut score = Tapered::ZERO;
        for (piece, piece_errors) in VALUED.into_iter().zip(self.piece_errors) {
            score += piece_errors * count(context.board.colored_pieces(color, piece));
        }
        for term in PAWN_TERMS.iter().chain(TERMS) {
            let mut sum = ScoreSum::default();
            (term.add)(context, color, &mut sum);
            let known = term.area.map_or(ALL_OF_IT, |area| self.part_of(area));
            score += part(sum.total(), known);
        }
        score
    }
}

/// A part of a score, truncated towards zero in both phases.
const fn part(score: Tapered, parts: i32) -> Tapered {
    Tapered::new(score.middle() * parts / ALL_OF_IT, score.end() * parts / ALL_OF_IT)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::eval::evaluate;
    use crate::eval::tests::mirrored;
    use crate::position::legal_moves;

    const ALL: EvalKnowledge = EvalKnowledge {
        parts: [ALL_OF_IT; EvalArea::ALL.len()],
        piece_errors: [Tapered::ZERO; VALUED.len()],
    };

    proptest! {
        #[test]
        fn full_knowledge_equals_the_evaluation_and_all_knowledge_is_symmetric(
            choices in prop::collection::vec(any::<u8>(), 0..240),
            parts in prop::array::uniform9(0..=ALL_OF_IT),
            piece_errors in prop::array::uniform5((-300..300, -300..300)),
        ) {
            let piece_errors = piece_errors.map(|(middle, end)| Tapered::new(middle, end));
            let some = EvalKnowledge { parts, piece_errors };
            let mut board = Board::startpos();
            for choice in choices {
                let legal = legal_moves(&board);
                let Some(&mv) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
                board.play_unchecked(mv);
                prop_assert_eq!(ALL.evaluate(&board), evaluate(&board), "{}", board);
                prop_assert_eq!(some.evaluate(&board), some.evaluate(&mirrored(&board)), "{}", board);
            }
        }
    }

    #[test]
    fn unknown_areas_do_not_count() {
        let nothing = EvalKnowledge { parts: [0; EvalArea::ALL.len()], ..ALL };
        // A pawn close to promotion and at home; a cornered and a central knight.
        for (one, other) in [
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"),
            ("N3k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/3N4/8/8/4K2R w - - 0 1"),
        ] {
            let [one, other] = [one, other].map(|fen| fen.parse::<Board>().expect("a position"));
            assert_eq!(nothing.evaluate(&one), nothing.evaluate(&other));
            assert_ne!(evaluate(&one), evaluate(&other));
        }
    }
}
