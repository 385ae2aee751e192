//! What is reported of a game while it is played, for those who watch it.

use std::time::Duration;

use shakmaty::Color;

use super::MoveRecord;

/// Watches a game. Its methods are called between the moves, outside of what is measured as a side's time, so
/// they must return soon. They have no effect on the game.
pub trait GameObserver {
    /// A side is asked for its move.
    fn asked(&mut self, turn: Turn);

    /// A move was played.
    fn moved(&mut self, played: &MoveRecord);
}

/// Whose move it is, and the clocks before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// The side that is to move.
    pub mover: Color,
    /// The time left of White and Black; `None` without a clock for the game.
    pub left: [Option<Duration>; 2],
}

/// Nothing watches.
impl GameObserver for () {
    fn asked(&mut self, _: Turn) {}

    fn moved(&mut self, _: &MoveRecord) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameConditions, play};
    use crate::move_details::DetailSelection;
    use threefold_chess::position::GamePosition;
    use threefold_player::{Answer, ScriptedPlayer};

    #[derive(Default)]
    struct Lines(Vec<String>);

    impl GameObserver for Lines {
        fn asked(&mut self, Turn { mover, left }: Turn) {
            let left = left.map(|left| left.map_or("-".to_owned(), |left| left.as_secs().to_string()));
            self.0.push(format!("{mover} {}", left.join(" ")));
        }

        fn moved(&mut self, played: &MoveRecord) {
            self.0.push(played.mv.to_string());
        }
    }

    #[test]
    fn observer_sees_each_turn_with_its_clocks_and_each_legal_move() {
        let player = |name: &str, best: &str| {
            let best = best.parse().expect("a move");
            ScriptedPlayer::new(name, move |_| {
                Ok(Answer { best: Some(best), elapsed: Duration::from_secs(2), ..Answer::silent() })
            })
        };
        let (mut white, mut black) = (player("W", "g1f3"), player("B", "e7e5"));
        let mut terms = GameConditions::unlimited();
        terms.controls[0] = "60+1".parse().expect("a time control");
        let mut seen = Lines::default();
        let start = GamePosition::start_position();
        let players: [&mut dyn threefold_player::Player; 2] = [&mut white, &mut black];
        play(&start, players, &terms, &DetailSelection::default(), &mut seen).expect("a legal opening");
        // White's second move is illegal and ends the game.
        assert_eq!(seen.0, ["white 61 -", "g1f3", "black 60 -", "e7e5", "white 60 -"]);
    }
}
