//! The text of the `position` commands of a game, which is extended move by move.

use std::fmt::{self, Write as _};

use shakmaty::uci::UciMove;

use crate::position::GamePosition;

/// The last `position` command of an engine. In a game the next one repeats it and adds one or two moves, so
/// only those are written.
#[derive(Debug, Clone, Default)]
pub struct PositionText {
    position: Option<GamePosition>,
    /// The command, and after `length` what was sent with it.
    text: String,
    length: usize,
}

impl PositionText {
    /// The command `position …` for this position, without a line break.
    pub fn command_for(&mut self, position: &GamePosition) -> &str {
        self.text.truncate(self.length);
        let known = self.position.as_mut().filter(|known| begins_with(position, known));
        let written = if let Some(known) = known {
            let written = known.moves.len();
            known.moves.extend_from_slice(&position.moves[written..]);
            written
        } else {
            self.text.clear();
            self.text.push_str("position ");
            if position.start == GamePosition::start_position().start {
                self.text.push_str("startpos");
            } else {
                // Writing to a `String` cannot fail.
                let _ = write!(self.text, "fen {}", position.start);
            }
            self.position = Some(position.clone());
            0
        };
        for (index, mv) in position.moves.iter().enumerate().skip(written) {
            let _ = write!(self.text, "{}{mv}", if index == 0 { " moves " } else { " " });
        }
        self.length = self.text.len();
        &self.text
    }

    /// The lines of the command for this position and of the one that follows it, each with its line break.
    pub fn with(&mut self, position: &GamePosition, next: impl fmt::Display) -> &str {
        self.command_for(position);
        let _ = write!(self.text, "\n{next}\n");
        &self.text
    }
}

/// Does a game begin with another one? Compared from the end, where games differ first if they do.
fn begins_with(position: &GamePosition, known: &GamePosition) -> bool {
    let begin = position.moves.get(..known.moves.len());
    begin.is_some_and(|begin| {
        begin.iter().rev().copied().map(bits).eq(known.moves.iter().rev().copied().map(bits))
    }) && known.start == position.start
}

/// A number for each move, which is faster to compare.
fn bits(mv: UciMove) -> u32 {
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
