//! A position with its history: the start position and all moves since.
//!
//! Repetitions and the fifty-move rule depend on the game's history, so all interfaces pass a
//! [`GamePosition`], never a bare FEN. It is the argument of UCI's `position` command.

use std::fmt;
use std::str::FromStr;

use shakmaty::Color;
use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::uci::{ParseUciMoveError, UciMove};

/// A start position and the moves played from it; the position after the last move is meant.
///
/// ```
/// use threefold_chess::position::GamePosition;
///
/// let game = GamePosition::parse("4k3/8/8/8/8/8/8/4K2R w K -", "e1g1 e8d7")?;
/// assert_eq!(game.side_to_move(), shakmaty::Color::White);
/// assert_eq!(game.moves_text(), "e1g1 e8d7");
/// # Ok::<(), threefold_chess::position::GamePositionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GamePosition {
    /// The start position.
    pub start: Fen,
    /// The moves since, in order.
    pub moves: Vec<UciMove>,
}

/// Why text is not a position with moves.
#[derive(Debug, thiserror::Error)]
pub enum GamePositionError {
    /// The start position.
    #[error("`{given}` is not a FEN: {cause}")]
    Fen {
        /// The text given.
        given: String,
        /// The error of shakmaty.
        cause: ParseFenError,
    },
    /// One of the moves.
    #[error("`{given}` is not a UCI move (such as e2e4 or e7e8q)")]
    Move {
        /// The text given.
        given: String,
        /// The error of shakmaty.
        cause: ParseUciMoveError,
    },
}

impl GamePosition {
    /// The initial position of chess, without moves.
    pub fn start_position() -> Self {
        Self {
            start: Fen::from_position(&shakmaty::Chess::default(), shakmaty::EnPassantMode::Legal),
            moves: Vec::new(),
        }
    }

    /// Parses a FEN (four fields suffice) and moves separated by white space.
    pub fn parse(fen: &str, moves: &str) -> Result<Self, GamePositionError> {
        let start = Fen::from_ascii(fen.trim().as_bytes())
            .map_err(|cause| GamePositionError::Fen { given: fen.to_owned(), cause })?;
        let moves = moves
            .split_whitespace()
            .map(|given| {
                given.parse().map_err(|cause| GamePositionError::Move { given: given.to_owned(), cause })
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { start, moves })
    }

    /// The side to move after the moves.
    pub fn side_to_move(&self) -> Color {
        let first = self.start.as_setup().turn;
        if self.moves.len().is_multiple_of(2) { first } else { first.other() }
    }

    /// The moves as UCI writes them, separated by single spaces.
    pub fn moves_text(&self) -> String {
        let moves: Vec<String> = self.moves.iter().map(ToString::to_string).collect();
        moves.join(" ")
    }
}

/// The arguments of UCI's `position`: `fen … moves …`.
impl fmt::Display for GamePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fen {}", self.start)?;
        if self.moves.is_empty() { Ok(()) } else { write!(f, " moves {}", self.moves_text()) }
    }
}

/// Parses the same text.
impl FromStr for GamePosition {
    type Err = GamePositionError;

    fn from_str(text: &str) -> Result<Self, GamePositionError> {
        let text = text.strip_prefix("fen ").unwrap_or(text);
        let (fen, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        Self::parse(fen, moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_prints_as_uci_arguments() {
        let position = GamePosition::parse("4k3/8/8/8/8/8/8/4K2R w K -", " e1g1  e8d7 ").expect("sound");
        assert_eq!(position.to_string(), "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1 e8d7");
        for line in [position, GamePosition::start_position()] {
            assert_eq!(line.to_string().parse::<GamePosition>().expect("its own text"), line);
        }
        assert!("the whole game".parse::<GamePosition>().is_err());
    }

    #[test]
    fn position_errors_name_the_text() {
        assert_eq!(
            GamePosition::parse("4k3/8/8/8/8/8/8/4K2R w K -", "e1").expect_err("no move").to_string(),
            "`e1` is not a UCI move (such as e2e4 or e7e8q)"
        );
        assert!(
            GamePosition::parse("4k3/9", "")
                .expect_err("no FEN")
                .to_string()
                .starts_with("`4k3/9` is not a FEN")
        );
    }
}
