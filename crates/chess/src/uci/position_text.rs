//! The text of the `position` commands of a game, which is extended move by move.

use std::fmt::Write as _;

use crate::position::GamePosition;

/// The last `position` command of an engine. In a game the next one repeats it and adds one or two moves, so only those are
/// written.
#[derive(Debug, Clone, Default)]
pub struct PositionText {
    position: Option<GamePosition>,
    text: String,
}

impl PositionText {
    /// The command `position …` for this position, without a line break.
    pub fn of(&mut self, position: &GamePosition) -> &str {
        let known = self
            .position
            .as_mut()
            .filter(|known| known.start == position.start && position.moves.starts_with(&known.moves));
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
                let _ = write!(self.text, "fen {}", position.start);
            }
            self.position = Some(position.clone());
            0
        };
        for (index, mv) in position.moves.iter().enumerate().skip(written) {
            let _ = write!(self.text, "{}{mv}", if index == 0 { " moves " } else { " " });
        }
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::uci::Command;
    use crate::uci::command::tests::any_moves;

    proptest! {
        /// Whatever was written before: games that go on, that begin again, that branch off, with two start positions.
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
                prop_assert_eq!(text.of(&position), Command::Position(position.clone()).to_string());
            }
        }
    }
}
