//! The conditions of a game.

use super::adjudication::Adjudication;
use threefold_chess::clock::{ClockSource, Control};
use threefold_player::polyglot::BookMoves;

/// The conditions of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameConditions {
    /// Limits of White and Black.
    pub controls: [Control; 2],
    /// The source of each side's clock.
    pub clock_sources: [ClockSource; 2],
    /// When it is ended early by scores or length.
    pub adjudication: Adjudication,
    /// A draw after this number of plies beyond the opening.
    pub max_plies: Option<usize>,
    /// Which rules of chess end it.
    pub rules: EndingRules,
    /// Whether the output of White and Black is exempt from warnings.
    pub exempt: [bool; 2],
    /// Whether White and Black think on the opponent's time.
    pub ponders: [bool; 2],
    /// The books of White and Black.
    pub books: [Option<BookMoves>; 2],
    /// Whether a mate score of White and Black ends the game, if the rule for mate scores is given.
    pub trusted: [bool; 2],
}

/// Which rules of chess end a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndingRules {
    /// All of them.
    All,
    /// Checkmate and stalemate only: not repetitions, the fifty-move rule or insufficient material.
    NoMovesLeft,
}

impl GameConditions {
    /// No limits, no adjudication, all rules of chess.
    pub fn unlimited() -> Self {
        Self {
            controls: [Control::default(); 2],
            clock_sources: [ClockSource::Wall; 2],
            adjudication: Adjudication::default(),
            max_plies: None,
            rules: EndingRules::All,
            exempt: [false; 2],
            ponders: [false; 2],
            books: [None, None],
            trusted: [false; 2],
        }
    }

    /// A ply limit, no adjudication, all rules of chess.
    pub fn of_plies(plies: usize) -> Self {
        Self { max_plies: Some(plies), ..Self::unlimited() }
    }
}
