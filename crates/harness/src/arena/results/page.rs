//! What a block of a file holds.

use super::complaint::PgnIssue;
use super::label::PairLabel;
use threefold_stats::GameResult;

/// A game that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedGame {
    /// White, as an index into the page's names.
    pub white: usize,
    /// Black, as an index into the page's names.
    pub black: usize,
    /// White's result.
    pub result: GameResult,
    /// What the game shares with its partner, if it says so.
    pub label: PairLabel,
}

/// What a block of a file holds, with games and lines counted from the block's beginning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BlockResults {
    /// The players, in the order in which they first appear.
    pub names: Vec<String>,
    /// The games that count, in order.
    pub games: Vec<CountedGame>,
    /// What is wrong, in order.
    pub issues: Vec<PgnIssue>,
    /// How many games there are, counted or not.
    pub read: u64,
    /// How many lines there are.
    pub lines: u64,
}

impl BlockResults {
    /// Counts games and lines from the file's beginning, the page having so many before it.
    pub fn shift(&mut self, games: u64, lines: u64) {
        for complaint in &mut self.issues {
            complaint.game += games;
            complaint.line += lines;
        }
    }
}
