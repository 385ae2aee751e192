//! Who gets the point of a game.

use shakmaty::Color;

/// Who gets the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// White wins, `1-0`.
    White,
    /// Black wins, `0-1`.
    Black,
    /// `1/2-1/2`.
    Draw,
}

impl Outcome {
    /// The point goes to this colour.
    pub const fn win(winner: Color) -> Self {
        match winner {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }

    /// The winner's colour; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::White => Some(Color::White),
            Self::Black => Some(Color::Black),
            Self::Draw => None,
        }
    }

    /// As PGN writes it.
    pub const fn pgn(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }
}
