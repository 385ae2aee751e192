//! The results read from one block of a file.

use super::issue::PgnIssue;
use super::pair_label::PairLabel;
use threefold_stats::GameResult;

/// A game that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedGame {
    /// White, as an index into the names of the block.
    pub white: usize,
    /// Black, as an index into the names of the block.
    pub black: usize,
    /// White's result.
    pub result: GameResult,
    /// Identifies the moves and the start position; `None` without moves.
    pub moves: Option<u64>,
    /// Identifies the partner of the game.
    pub label: PairLabel,
}

/// The results of one block; games and lines are counted from the block's beginning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BlockResults {
    /// The players, in the order of first appearance.
    pub names: Vec<String>,
    /// The games that count, in order.
    pub games: Vec<CountedGame>,
    /// Problems, in order.
    pub issues: Vec<PgnIssue>,
    /// The number of games, counted or not.
    pub read: u64,
    /// The number of lines.
    pub lines: u64,
}

impl BlockResults {
    /// Changes game and line numbers to those of the file, given the numbers before this block.
    pub fn shift(&mut self, games: u64, lines: u64) {
        for complaint in &mut self.issues {
            complaint.game += games;
            complaint.line += lines;
        }
    }
}
