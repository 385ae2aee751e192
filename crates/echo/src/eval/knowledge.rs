//! How much of the evaluation a player knows: so many parts of each subject, and what it believes pieces to be worth.
//!
//! Whoever plays below full strength judges like somebody who has not learnt all of the game yet.

use cozy_chess::{Board, Color, Piece};

use super::accumulator::ScoreSum;
use super::context::{EvalContext, count};
use super::phase::Tapered;
use super::terms::endgame::FULL_CHANCES;
use super::{PAWN_TERMS, TERMS, at_hand, complexity, king_and_pawn, known};
use crate::value::Value;
use threefold_named_enum::named_enum;

named_enum! {
    /// What there is to know beside the count of the pieces, in the order in which it is learnt.
    pub enum EvalArea {
        /// Passed pawns and their passage.
        PassedPawns = "passed pawns",
        /// Attacks on the king, and the pawns that shelter it.
        KingSafety = "king safety",
        /// Where pieces like to stand.
        Location = "piece location",
        /// Room to move.
        Mobility = "mobility",
        /// Weak and strong pawns, and closed positions.
        PawnStructure = "pawn structure",
        /// What is attacked.
        Threats = "threats",
        /// Knights and bishops, and where they do well.
        MinorPieces = "minor pieces",
        /// Rooks and queens, and what they are worth beside other pieces.
        MajorPieces = "major pieces",
        /// What can be won in the end, and how.
        Endgames = "endgames",
    }
}

/// All of a subject.
pub const ALL_OF_IT: i32 = 128;

/// The pieces that have a worth, as the weights of material are in order.
pub const VALUED: [Piece; 5] = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// How much of the evaluation a player knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvalKnowledge {
    /// Of each subject, in parts of [`ALL_OF_IT`].
    pub parts: [i32; EvalArea::ALL.len()],
    /// What each of [`VALUED`] is believed to be worth less what it is worth.
    pub misjudged: [Tapered; VALUED.len()],
}

impl EvalKnowledge {
    /// How much of this subject.
    pub const fn of(&self, subject: EvalArea) -> i32 {
        self.parts[subject as usize]
    }

    /// Nothing is missing?
    pub fn is_complete(&self) -> bool {
        self.parts == [ALL_OF_IT; EvalArea::ALL.len()] && self.misjudged == [Tapered::ZERO; VALUED.len()]
    }

    /// What a position is worth to the side to move, to somebody who knows no more than this.
    ///
    /// Each side's sum of a term is cut down before the sides are compared, so that colours exchanged still means
    /// signs exchanged. The draws of king and pawn against king are for those who know their endgames.
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

    /// What one side has.
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

/// So many parts of a score, cut off towards nothing at either end.
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
        fn who_knows_all_judges_as_echo_does_and_no_knowledge_takes_sides(
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
    fn what_is_not_known_counts_for_nothing() {
        let nothing = EvalKnowledge { parts: [0; EvalArea::ALL.len()], ..ALL };
        // A pawn about to queen and the same pawn at home; a cornered knight and one in the middle.
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
