//! The evaluation: a table of terms, each a judgement of one side, weighed between middlegame and endgame.
//!
//! A term is asked the same question for both colours and the difference counts, so that a position and its
//! mirror with colours exchanged are worth the same to whoever is to move, whatever the terms are.

pub mod phase;
pub mod scene;
pub mod table;
pub mod terms;

use cozy_chess::{Board, Color};

use crate::echo::value::Value;
use phase::{Phase, Tapered};
use scene::Scene;

/// One thing to judge a side by.
pub struct Term {
    /// Its name in the table of `eval`.
    pub name: &'static str,
    /// What it is worth to this side.
    pub judge: fn(&Scene<'_>, Color) -> Tapered,
}

/// Every term there is: a new one is one file and one line here.
pub const TERMS: &[Term] = &[
    terms::material::TERM,
    terms::piece_square::TERM,
    terms::mobility::TERM,
    terms::pawns::TERM,
    terms::passed::TERM,
    terms::king::TERM,
    terms::major::TERM,
    terms::endgame::TERM,
];

/// What being to move is worth.
const TEMPO: Tapered = Tapered::new(12, 4);

/// What a position is worth to the side to move, in no line of play and without history.
pub fn evaluate(board: &Board) -> Value {
    let scene = Scene::of(board);
    let mut balance = Tapered::ZERO;
    for term in TERMS {
        balance += (term.judge)(&scene, Color::White) - (term.judge)(&scene, Color::Black);
    }
    let mover = match board.side_to_move() {
        Color::White => balance,
        Color::Black => -balance,
    };
    settle(board, mover + TEMPO)
}

/// One number for the phase, less where the stronger side can hardly win.
fn settle(board: &Board, mover: Tapered) -> Value {
    let raw = mover.at(Phase::of(board));
    let stronger = if raw >= 0 { board.side_to_move() } else { !board.side_to_move() };
    Value::judged(raw * terms::endgame::winning_chances(board, stronger) / terms::endgame::FULL_CHANCES)
}

/// Can nobody mate any more, by any sequence of legal moves that the material allows?
pub fn is_insufficient(board: &Board) -> bool {
    use cozy_chess::{BitBoard, Piece};

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

    /// The same position with colours exchanged and the board turned over.
    fn mirrored(board: &Board) -> Board {
        let from = BoardBuilder::from_board(board);
        let mut to = BoardBuilder::empty();
        for square in Square::ALL {
            *to.square_mut(square.flip_rank()) = from.square(square).map(|(piece, color)| (piece, !color));
        }
        to.side_to_move = !from.side_to_move;
        to.build().expect("as sound as what it mirrors")
    }

    proptest! {
        #[test]
        fn colours_do_not_matter(choices in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut board = Board::startpos();
            for choice in choices {
                let legal = crate::echo::position::legal_moves(&board);
                let Some(&mv) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
                board.play_unchecked(mv);
                prop_assert_eq!(evaluate(&board), evaluate(&mirrored(&board)), "{}", board);
            }
        }
    }

    #[test]
    fn what_should_be_better_is_better() {
        let table = [
            // better for White, worse for White, why
            (
                "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
                "4k3/8/8/8/8/8/8/3NK3 w - - 0 1",
                "a pawn may queen, a knight not",
            ),
            (
                "4k3/8/4P3/8/8/8/8/4K3 w - - 0 1",
                "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1",
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
