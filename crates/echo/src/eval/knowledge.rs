//! Limited evaluation knowledge below full strength: a part of each area, and errors of the piece values.
//!
//! A handicapped player evaluates like one who has not learnt all areas yet.

use cozy_chess::{Board, Color, Piece};

use super::accumulator::ScoreSum;
use super::context::{EvalContext, count};
use super::phase::Tapered;
use super::terms::endgame::FULL_CHANCES;
use super::{PAWN_TERMS, TERMS, at_hand, complexity, king_and_pawn, known};
use crate::value::Value;
use threefold_named_enum::named_enum;

named_enum! {
    /// The areas of knowledge besides material, in the order in which they are learnt.
    pub enum EvalArea {
        /// Passed pawns and their passage.
        PassedPawns = "passed pawns",
        /// Attacks on the king, and its pawn shelter.
        KingSafety = "king safety",
        /// Piece-square tables.
        Location = "piece location",
        /// Mobility.
        Mobility = "mobility",
        /// Pawn structure, and closed positions.
        PawnStructure = "pawn structure",
        /// Threats.
        Threats = "threats",
        /// Knights and bishops.
        MinorPieces = "minor pieces",
        /// Rooks and queens, and imbalances.
        MajorPieces = "major pieces",
        /// Endgame knowledge.
        Endgames = "endgames",
    }
}

/// The unit: all of an area.
pub const ALL_OF_IT: i32 = 128;

/// The pieces with a value, in the order of the material weights.
pub const VALUED: [Piece; 5] = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// The known parts of the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvalKnowledge {
    /// Of each area, in units of [`ALL_OF_IT`].
    pub parts: [i32; EvalArea::ALL.len()],
    /// The error of each value of [`VALUED`].
    pub misjudged: [Tapered; VALUED.len()],
}

impl EvalKnowledge {
    /// The known part of an area.
    pub const fn of(&self, subject: EvalArea) -> i32 {
        self.parts[subject as usize]
    }

    /// Whether everything is known.
    pub fn is_complete(&self) -> bool {
        self.parts == [ALL_OF_IT; EvalArea::ALL.len()] && self.misjudged == [Tapered::ZERO; VALUED.len()]
    }

    /// The evaluation for the side to move with this knowledge.
    ///
    /// Each side's sum of a term is scaled before the sides are compared, so that swapping colours swaps the
    /// sign. Draws of king and pawn against king require endgame knowledge.
    pub fn evaluate(&self, board: &Board) -> Value {
        let endgames = self.of(EvalArea::Endgames);
        if endgames == ALL_OF_IT
            && let Some(outcome) = king_and_pawn::outcome(board)
        {
            return known(board, outcome);
        }
        let context = EvalContext::of(board);
        let balance = self.worth(&context, Color::White) - self.worth(&context, Color::Black);
        let (raw, chances) = at_hand(board, balance, complexity(&context) * endgames / ALL_OF_IT);
        let chances = FULL_CHANCES + (chances - FULL_CHANCES) * endgames / ALL_OF_IT;
        Value::judged(raw * chances / FULL_CHANCES)
    }

    /// The sum of one side.
    fn worth(&self, context: &EvalContext<'_>, color: Color) -> Tapered {
        let mut worth = Tapered::ZERO;
        for (piece, misjudged) in VALUED.into_iter().zip(self.misjudged) {
            worth += misjudged * count(context.board.colored_pieces(color, piece));
        }
        for term in PAWN_TERMS.iter().chain(TERMS) {
            let mut sum = ScoreSum::default();
            (term.judge)(context, color, &mut sum);
            let known = term.subject.map_or(ALL_OF_IT, |subject| self.of(subject));
            worth += part(sum.total(), known);
        }
        worth
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

    const ALL: EvalKnowledge =
        EvalKnowledge { parts: [ALL_OF_IT; EvalArea::ALL.len()], misjudged: [Tapered::ZERO; VALUED.len()] };

    proptest! {
        #[test]
        fn full_knowledge_equals_the_evaluation_and_all_knowledge_is_symmetric(
            choices in prop::collection::vec(any::<u8>(), 0..240),
            parts in prop::array::uniform9(0..=ALL_OF_IT),
            misjudged in prop::array::uniform5((-300..300, -300..300)),
        ) {
            let misjudged = misjudged.map(|(middle, end)| Tapered::new(middle, end));
            let some = EvalKnowledge { parts, misjudged };
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
