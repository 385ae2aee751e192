//! How a game ended: the result and the cause.

use std::fmt;

use shakmaty::Color;
use shakmaty::uci::UciMove;

use super::adjudication::RuleKind;
use threefold_chess::clock::{Flag, duration};
use threefold_oracle::referee::RuleEnd;

/// The result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameOutcome {
    /// White wins, `1-0`.
    White,
    /// Black wins, `0-1`.
    Black,
    /// `1/2-1/2`.
    Draw,
}

impl GameOutcome {
    /// This colour wins.
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

    /// The result as PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    pub const fn pgn(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameEnding {
    /// The result of the game, from White's side.
    pub outcome: GameOutcome,
    /// Why the game ended.
    pub cause: EndCause,
}

/// The cause of a game's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndCause {
    /// The rules of chess.
    Rule(RuleEnd),
    /// An adjudication rule.
    Adjudicated(&'static RuleKind),
    /// The ply limit.
    PlyLimit,
    /// The mover exceeded its time.
    Flag(Flag),
    /// The mover named no move.
    NoMove,
    /// The mover's move is illegal.
    IllegalMove(UciMove),
}

impl fmt::Display for EndCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(end) => write!(f, "{end}"),
            Self::Adjudicated(rule) => write!(f, "adjudication ({})", rule.name),
            Self::PlyLimit => f.write_str("the limit of plies"),
            Self::Flag(Flag { over, margin: _ }) => {
                write!(f, "a flag that fell by {}", duration::format_duration(*over))
            }
            Self::NoMove => f.write_str("no move"),
            Self::IllegalMove(mv) => write!(f, "illegal move {mv}"),
        }
    }
}
