//! Time managers: facts about the clock in, a budget out. None of them reads a clock.

pub mod classic;

use std::time::Duration;

use crate::clock::Remaining;

/// What a manager knows when the search begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// The mover's clock.
    pub remaining: Remaining,
    /// Moves to the next period; `None` in sudden death.
    pub moves_to_go: Option<u32>,
    /// What is lost on the way to the clock with every move.
    pub overhead: Duration,
}

/// What a search may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allotment {
    /// No new iteration begins past this, give or take what the search has learnt.
    pub soft: Duration,
    /// The search ends here, wherever it stands.
    pub hard: Duration,
}

/// How the search stands between two iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Percent of the nodes that went into the best move.
    pub share: u32,
    /// Iterations for which the best move has not changed.
    pub settled: u32,
    /// Centipawns by which the score fell since the last iteration; 0 where it rose.
    pub fallen: i32,
}
