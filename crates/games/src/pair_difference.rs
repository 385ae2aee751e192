//! Where the two games of a pair part.
//!
//! Engines that are limited by nodes, or by clocks that run by nodes, choose the same move in the same game.
//! So the games of a pair, which have the same opening and exchanged colours, are the same game until the two
//! engines choose different moves in one position. Of two versions of an engine, this position shows what the
//! change does.

use threefold_chess::position::GamePosition;

use super::game::{GameRecord, MoveRecord};

/// How the games of a pair relate to one another.
#[derive(Debug, Clone, PartialEq)]
pub enum PairCourse {
    /// They have the same moves and the same outcome.
    Same,
    /// One has all moves of the other, but ended later or with another outcome: by a fault of an engine, or by
    /// adjudication, which looks at the scores.
    OtherEnd,
    /// The engines chose different moves in the same position.
    Different(Box<FirstDifference>),
}

/// The position in which the games of a pair part.
#[derive(Debug, Clone, PartialEq)]
pub struct FirstDifference {
    /// The number of moves of both sides between the opening and the position.
    pub ply: usize,
    /// The position with its history.
    pub position: GamePosition,
    /// The moves chosen in it, in the first game and in the second.
    pub moves: [MoveRecord; 2],
}

impl PairCourse {
    /// Compares two games; `None` if they do not begin at the same opening.
    pub fn of_games(first: &GameRecord, second: &GameRecord) -> Option<Self> {
        if first.opening != second.opening {
            return None;
        }
        let mut both = first.played.iter().zip(&second.played);
        let Some(ply) = both.position(|(one, other)| one.mv != other.mv) else {
            let is_same = first.played.len() == second.played.len() && first.outcome == second.outcome;
            return Some(if is_same { Self::Same } else { Self::OtherEnd });
        };
        let mut position = first.opening.clone();
        position.moves.extend(first.played[..ply].iter().map(|played| played.mv));
        let moves = [&first.played[ply], &second.played[ply]].map(Clone::clone);
        Some(Self::Different(Box::new(FirstDifference { ply, position, moves })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameEnd, GameOutcome};

    fn game(opening: &str, moves: &str, outcome: GameOutcome) -> GameRecord {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let opening = GamePosition::parse(START, opening).expect("sound");
        let played = moves.split_whitespace().map(|mv| MoveRecord::new(mv.parse().expect(mv))).collect();
        GameRecord { played, ..GameRecord::new(["A", "B"], opening, outcome, GameEnd::Checkmate) }
    }

    #[test]
    fn games_part_at_the_first_other_move() {
        use GameOutcome::{Draw, White};
        let first = game("e2e4", "e7e5 g1f3 b8c6", White);
        let course = |moves, outcome| PairCourse::of_games(&first, &game("e2e4", moves, outcome));
        assert_eq!(course("e7e5 g1f3 b8c6", White), Some(PairCourse::Same));
        assert_eq!(course("e7e5 g1f3 b8c6", Draw), Some(PairCourse::OtherEnd));
        assert_eq!(course("e7e5 g1f3", White), Some(PairCourse::OtherEnd));
        let Some(PairCourse::Different(found)) = course("e7e5 b1c3 b8c6", White) else { panic!("they part") };
        assert_eq!(found.ply, 1);
        assert_eq!(found.moves.map(|played| played.mv.to_string()), ["g1f3", "b1c3"]);
        let history: Vec<String> = found.position.moves.iter().map(ToString::to_string).collect();
        assert_eq!(history, ["e2e4", "e7e5"]);
        assert_eq!(PairCourse::of_games(&first, &game("d2d4", "e7e5", White)), None);
    }
}
