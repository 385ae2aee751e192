//! The text of the `position` commands of a game, which is extended move by move.

use std::fmt::{self, Write as _};

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;

use crate::position::GamePosition;

/// The last `position` command of an engine. In a game the next one repeats it and adds one or two moves, so
/// only those are written.
#[derive(Debug, Clone, Default)]
pub struct PositionText {
    /// Where the game of the command begins; `None` before the first command.
    start: Option<Fen>,
    /// Its moves, each as a number.
    moves: Vec<u32>,
    /// The command, and after `length` what was sent with it.
    text: String,
    length: usize,
}

impl PositionText {
    /// The command `position …` for this position, without a line break.
    pub fn command_for(&mut self, position: &GamePosition) -> &str {
        self.text.truncate(self.length);
        if !self.is_begun_by(position) {
            self.text.clear();
            self.moves.clear();
            self.text.push_str("position ");
            if position.start == GamePosition::start_position().start {
                self.text.push_str("startpos");
            } else {
                // Writing to a `String` cannot fail.
                let _ = write!(self.text, "fen {}", position.start);
            }
            self.start = Some(position.start.clone());
        }
        for &mv in &position.moves[self.moves.len()..] {
            let _ = write!(self.text, "{}{mv}", if self.moves.is_empty() { " moves " } else { " " });
            self.moves.push(number(mv));
        }
        self.length = self.text.len();
        &self.text
    }

    /// Does a game begin with the one of the command? Compared from the end, where games differ first if they do.
    fn is_begun_by(&self, position: &GamePosition) -> bool {
        let begin = position.moves.get(..self.moves.len());
        begin.is_some_and(|begin| {
            begin.iter().rev().zip(self.moves.iter().rev()).all(|(&mv, &known)| number(mv) == known)
        }) && self.start.as_ref() == Some(&position.start)
    }

    /// The lines of the command for this position and of the one that follows it, each with its line break.
    pub fn with(&mut self, position: &GamePosition, next: impl fmt::Display) -> &str {
        self.command_for(position);
        let _ = write!(self.text, "\n{next}\n");
        &self.text
    }
}

/// A number for each move: numbers are compared faster, and this is done with all moves of a game at each move.
fn number(mv: UciMove) -> u32 {
    match mv {
        UciMove::Normal { from, to, promotion } => {
            u32::from(from) | u32::from(to) << 8 | promotion.map_or(0, u32::from) << 16
        }
        UciMove::Put { role, to } => 1 << 24 | u32::from(to) << 8 | u32::from(role) << 16,
        UciMove::Null => 1 << 25,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::uci::Command;
    use crate::uci::command::tests::any_moves;

    proptest! {
        /// Whatever was written before: games that go on, that begin again, that branch off, with two start
        /// positions.
        #[test]
        fn text_is_that_of_the_command(games in prop::collection::vec((any::<bool>(), any_moves(), 0..6_usize), 1..9)) {
            let mut text = PositionText::default();
            let mut moves = Vec::new();
            for (is_start, more, kept) in games {
                moves.truncate(kept);
                moves.extend(more);
                let start = GamePosition::start_position();
                let other = GamePosition::parse("4k3/8/8/8/8/8/8/4K2R w K - 3 7", "").expect("sound");
                let GamePosition { start, .. } = if is_start { start } else { other };
                let position = GamePosition { start, moves: moves.clone() };
                let expected = Command::Position(position.clone()).to_string();
                prop_assert_eq!(text.with(&position, "stop"), format!("{expected}\nstop\n"));
                prop_assert_eq!(text.command_for(&position), expected);
            }
        }
    }
}
