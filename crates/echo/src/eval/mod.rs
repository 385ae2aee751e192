//! The evaluation: a sum of terms, tapered between middlegame and endgame.
//!
//! Each term is computed for both colours, and the difference counts, so that a position and its
//! colour-swapped mirror have equal values for the side to move.

pub mod accumulator;
pub mod area;
pub mod context;
pub mod float;
pub mod king_and_pawn;
pub mod knowledge;
pub mod pawn_cache;
pub mod phase;
pub mod structure;
pub mod table;
pub mod terms;
pub mod traced;
pub mod weights;

use cozy_chess::{Board, Color};

use crate::value::Value;
use accumulator::{ScoreSum, WeightTrace};
use area::EvalArea;
use context::EvalContext;
use float::FloatSum;
use king_and_pawn::KpkOutcome;
use pawn_cache::PawnCache;
use phase::{Phase, Tapered};
use weights::WEIGHTS;

/// An evaluation term.
pub struct Term {
    /// The name in the output of the command `eval`.
    pub name: &'static str,
    /// The area of knowledge to which the term belongs; `None` for material, which is always known.
    pub area: Option<EvalArea>,
    /// Adds the term of one side to a sum in integers.
    pub add: fn(&EvalContext<'_>, Color, &mut ScoreSum),
    /// Records the weights of the term instead, for the tuner.
    pub trace: fn(&EvalContext<'_>, Color, &mut WeightTrace),
    /// Adds the term to a sum in floating point.
    pub float: fn(&EvalContext<'_>, Color, &mut FloatSum),
}

/// Terms that depend only on pawns and kings. Their sum is cached, so they must not add king danger.
pub const PAWN_TERMS: &[Term] =
    &[terms::piece_square::OF_PAWNS_AND_KINGS, terms::pawns::TERM, terms::passed::TERM, terms::shelter::TERM];

/// All other terms. A new term needs one file and one line here.
pub const TERMS: &[Term] = &[
    terms::material::TERM,
    terms::imbalance::TERM,
    terms::closedness::TERM,
    terms::piece_square::TERM,
    terms::mobility::TERM,
    terms::passage::TERM,
    terms::king::TERM,
    terms::threats::TERM,
    terms::minor::TERM,
    terms::major::TERM,
    terms::space::TERM,
    terms::endgame::TERM,
];

/// The value of a won king and pawn ending, in centipawns: more than a few pawns, less than a queen.
const KPK_WIN: i32 = 500;
/// The increase of this value for each rank of the pawn.
const KPK_WIN_PER_RANK: i32 = 40;

/// The static evaluation from the point of view of the side to move.
pub fn evaluate(board: &Board) -> Value {
    evaluate_from(board, pawn_score)
}

/// The static evaluation, with the sum of the pawn terms taken from a cache.
pub fn evaluate_with(board: &Board, cache: &mut PawnCache) -> Value {
    evaluate_from(board, |context| cache.score(context))
}

fn evaluate_from(board: &Board, pawn_terms: impl FnOnce(&EvalContext<'_>) -> Tapered) -> Value {
    if let Some(outcome) = king_and_pawn::outcome(board) {
        return kpk_value(board, outcome);
    }
    let context = EvalContext::new(board);
    let (raw, chances) = score_and_chances(&context, pawn_terms(&context));
    Value::evaluation(raw * chances / terms::endgame::FULL_CHANCES)
}

/// The tapered score for the side to move, and the winning chances of the better side.
fn score_and_chances(context: &EvalContext<'_>, pawn_terms: Tapered) -> (i32, i32) {
    let balance = pawn_terms + total(TERMS, context, Color::White) - total(TERMS, context, Color::Black);
    tapered_score(context.board, balance, tempo(), complexity(context))
}

/// The bonus of the side to move.
const fn tempo() -> Tapered {
    WEIGHTS[weights::TEMPO.one().index()]
}

/// The tapered score for the side to move and the winning chances, from the balance (White minus Black), the
/// bonus of the side to move, and the complexity.
fn tapered_score(board: &Board, balance: Tapered, tempo: Tapered, complexity: i32) -> (i32, i32) {
    let mover = board.side_to_move();
    let balance = tempo + if mover == Color::White { balance } else { -balance };
    let end = terms::complexity::scaled_by_complexity(balance.end(), complexity);
    let raw = Tapered::new(balance.middle(), end).interpolate(Phase::from_board(board));
    let stronger = if raw >= 0 { mover } else { !mover };
    (raw, terms::endgame::winning_chances(board, stronger))
}

/// The complexity, in centipawns of the endgame score.
fn complexity(context: &EvalContext<'_>) -> i32 {
    let mut sum = ScoreSum::default();
    terms::complexity::add_term(context, &mut sum);
    sum.total().end()
}

/// The sum of [`PAWN_TERMS`], White minus Black.
fn pawn_score(context: &EvalContext<'_>) -> Tapered {
    total(PAWN_TERMS, context, Color::White) - total(PAWN_TERMS, context, Color::Black)
}

/// The sum of `terms` for one side.
fn total(terms: &[Term], context: &EvalContext<'_>, color: Color) -> Tapered {
    let mut sum = ScoreSum::default();
    for term in terms {
        (term.add)(context, color, &mut sum);
    }
    sum.total()
}

/// The value of a decided king and pawn ending for the side to move.
fn kpk_value(board: &Board, outcome: KpkOutcome) -> Value {
    match outcome {
        KpkOutcome::Drawn => Value::DRAW,
        KpkOutcome::Won { by, pawn } => {
            let value = Value::evaluation(KPK_WIN + KPK_WIN_PER_RANK * pawn.rank() as i32);
            if by == board.side_to_move() { value } else { -value }
        }
    }
}

/// Whether the material is insufficient for mate by any sequence of legal moves.
pub fn is_insufficient(board: &Board) -> bool {
    use cozy_chess::{BitBoard, Piece};

    if !(board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen)).is_empty() {
        return false;
    }
    let bishops = board.pieces(Piece::Bishop);
    let kings = board.pieces(Piece::King);
    match (board.occupied() & !kings).len() {
        0 => true,
        1 => !(bishops | board.pieces(Piece::Knight)).is_empty(),
        others => {
            others == bishops.len()
                && (bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_subset(BitBoard::LIGHT_SQUARES))
        }
    }
}

#[cfg(test)]
mod tests {
    use cozy_chess::{BoardBuilder, Square};
    use proptest::prelude::*;

    use super::*;

    /// The colour-swapped mirror of a position.
    pub(super) fn mirrored(board: &Board) -> Board {
        let from = BoardBuilder::from_board(board);
        let mut to = BoardBuilder::empty();
        for square in Square::ALL {
            *to.square_mut(square.flip_rank()) = from.square(square).map(|(piece, color)| (piece, !color));
        }
        to.side_to_move = !from.side_to_move;
        to.build().expect("the mirror of a legal position is legal")
    }

    proptest! {
        #[test]
        fn evaluation_is_symmetric_in_colours(choices in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut board = Board::startpos();
            for choice in choices {
                let legal = crate::position::legal_moves(&board);
                let Some(&mv) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
                board.play_unchecked(mv);
                prop_assert_eq!(evaluate(&board), evaluate(&mirrored(&board)), "{}", board);
            }
        }

        #[test]
        fn traced_position_equals_the_evaluation(choices in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut board = Board::startpos();
            let weights = traced::exact(&WEIGHTS);
            for choice in choices {
                let legal = crate::position::legal_moves(&board);
                let Some(&mv) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
                board.play_unchecked(mv);
                let Some(traced) = traced::TracedPosition::from_board(&board) else { continue };
                let value = traced.value(&weights);
                let value = if board.side_to_move() == Color::White { value } else { -value };
                // Fractions of a centipawn are truncated for both kings and for the sum.
                let difference = (value - f64::from(evaluate(&board).raw())).abs();
                prop_assert!(difference < 3.0, "{}: {} off", board, difference);
            }
        }
    }

    #[test]
    fn evaluation_orders_known_advantages() {
        let table = [
            // better for White, worse for White, reason
            (
                "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
                "4k3/8/8/8/8/8/8/3NK3 w - - 0 1",
                "a pawn may queen, a knight not",
            ),
            (
                "4k3/7p/4P3/8/8/8/7P/4K3 w - - 0 1",
                "4k3/7p/8/8/4P3/8/7P/4K3 w - - 0 1",
                "a pawn that has come further",
            ),
            (
                "7k/8/5K2/8/8/8/8/Q7 b - - 0 1",
                "8/8/3k4/8/8/5K2/8/Q7 b - - 0 1",
                "the lone king is at the edge",
            ),
            (
                "4k3/8/8/8/8/8/8/2B1KN2 w - - 0 1",
                "4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1",
                "two knights can't mate",
            ),
            ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "3r2k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1", "a rook more"),
        ];
        for (better, worse, why) in table {
            let value = |fen: &str| {
                let board: Board = fen.parse().expect("a position");
                let value = evaluate(&board);
                if board.side_to_move() == Color::White { value } else { -value }
            };
            assert!(value(better) > value(worse), "{why}: {better} over {worse}");
        }
    }
}
