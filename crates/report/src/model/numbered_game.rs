//! A game and its place in the schedule.

use threefold_games::game::GameRecord;
use threefold_games::game_summary::GameSummary;
use threefold_games::pgn::PgnTags;

/// A game without its moves, and its place in the schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedSummary {
    /// The number of the game in the schedule, from 1.
    pub number: usize,
    /// The game as the journal has it.
    pub record: GameSummary,
}

/// A game with its moves, and its place in the schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedGame {
    /// The number of the game in the schedule, from 1.
    pub number: usize,
    /// Its PGN tags.
    pub tags: PgnTags,
    /// The game as the journal has it.
    pub record: GameRecord,
}

impl NumberedGame {
    /// The game without its moves.
    pub fn summary(&self) -> NumberedSummary {
        NumberedSummary { number: self.number, record: self.record.summary() }
    }
}
