//! What a game is played under.

use super::adjudication::Adjudication;
use threefold_chess::clock::{ClockSource, Control};

/// What a game is played under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameTerms {
    /// Limits of White and Black.
    pub controls: [Control; 2],
    /// What makes each of their clocks run.
    pub paces: [ClockSource; 2],
    /// When it is ended early by the players' scores or its length.
    pub adjudication: Adjudication,
    /// It is a draw after so many plies beyond its opening.
    pub max_plies: Option<usize>,
    /// Which rules of chess end it.
    pub rules: EndingRules,
}

/// Which rules of chess end a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndingRules {
    /// All of them.
    All,
    /// Checkmate and stalemate. Repetitions, the fifty-move rule and insufficient material do not end it.
    NoMovesLeft,
}

impl GameTerms {
    /// No limits, no early ends, all rules of chess.
    pub fn unlimited() -> Self {
        Self {
            controls: [Control::default(); 2],
            paces: [ClockSource::Wall; 2],
            adjudication: Adjudication::default(),
            max_plies: None,
            rules: EndingRules::All,
        }
    }

    /// No limits but that of plies, no early ends, all rules of chess.
    pub fn of_plies(plies: usize) -> Self {
        Self { max_plies: Some(plies), ..Self::unlimited() }
    }
}
