//! What a block of a file holds.

use super::complaint::Complaint;
use super::label::Label;
use threefold_stats::GameResult;

/// A game that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Game {
    /// White, as an index into the page's names.
    pub white: usize,
    /// Black, as an index into the page's names.
    pub black: usize,
    /// White's result.
    pub result: GameResult,
    /// What the game shares with its partner, if it says so.
    pub label: Label,
}

/// What a block of a file holds, with games and lines counted from the block's beginning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// The players, in the order in which they first appear.
    pub names: Vec<String>,
    /// The games that count, in order.
    pub games: Vec<Game>,
    /// What is wrong, in order.
    pub complaints: Vec<Complaint>,
    /// How many games there are, counted or not.
    pub read: u64,
    /// How many lines there are.
    pub lines: u64,
}

impl Page {
    /// Counts games and lines from the file's beginning, the page having so many before it.
    pub fn follow(&mut self, games: u64, lines: u64) {
        for complaint in &mut self.complaints {
            complaint.game += games;
            complaint.line += lines;
        }
    }
}
