//! Time managers: facts about the clock in, a budget out. None of them reads a clock.
//!
//! A manager is asked when a search begins, is told how it goes, and learns from how it ended. the engine's `GameTimeKeeper` holds
//! one over a game, with the account of which nodes of a search the next one inherits; a `Timer` holds one over a search.

mod choice;
mod classic;
mod early_stop;
mod fixed;
mod legacy;
mod moves_left;
mod parameters;
mod search_cost;
mod smooth;
mod timer;

use std::time::Duration;

use threefold_chess::clock::{Remaining, TimeEstimates};

pub use choice::TimeManager;
pub(super) use parameters::read;
pub use parameters::{Parameter, SmoothParameters};
pub(super) use search_cost::SearchCost;
pub(super) use timer::Timer;

/// What a manager knows when a search begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockState {
    /// The mover's clock.
    pub remaining: Remaining,
    /// Moves to the next period; `None` in sudden death.
    pub moves_to_go: Option<u32>,
    /// What is lost on the way to the clock with every move.
    pub overhead: Duration,
    /// Half-moves of the game so far, those before its first position included.
    pub ply: u32,
    /// What the search before left for this one.
    pub inherited: TreeReuse,
}

/// What one search leaves for the next.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TreeReuse {
    /// Nodes already spent on the position.
    pub nodes: u64,
    /// Their part of all nodes of the tree that they were spent in, from 0 to 1; `None` where this search doesn't go
    /// on from the one before.
    pub share: Option<f64>,
}

/// What a search may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeAllotment {
    /// The time planned.
    pub soft: Duration,
    /// The search ends here, wherever it stands.
    pub hard: Duration,
}

/// How far a search has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchProgress {
    /// Time since it began to count.
    pub elapsed: Duration,
    /// Nodes since then, of all threads.
    pub nodes: u64,
}

/// How a search stands between two iterations. Nodes are those of all threads.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct IterationStats {
    /// Its depth, in plies.
    pub depth: i32,
    /// Percent of the search's nodes that went into the best move.
    pub share: u32,
    /// Iterations for which the best move has not changed.
    pub settled: u32,
    /// Centipawns by which the score fell since the last iteration; 0 where it rose.
    pub fallen: i32,
    /// Nodes of this iteration and of the one before.
    pub nodes: [f64; 2],
    /// Nodes of this iteration in the best move.
    pub best: f64,
    /// Nodes of this iteration in that other move that took least; `None` where there is no other.
    pub least: Option<f64>,
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FinishedSearch {
    /// Time used.
    pub used: Duration,
    /// Nodes of this search, of all threads.
    pub nodes: u64,
}

/// Who plans how long to think.
pub trait TimeStrategy: Send {
    /// A search begins: what it may use.
    fn allot(&mut self, facts: &ClockState) -> TimeAllotment;

    /// Until when may the search go on that began last? Asked every thousand nodes or so.
    fn until(&mut self, moment: &SearchProgress) -> Duration;

    /// Is it enough, between two iterations?
    fn is_enough(&self, moment: &SearchProgress, iteration: &IterationStats) -> bool;

    /// A root move has been looked at: the moves, the best first, each with its number and its nodes.
    fn watch(&mut self, moment: &SearchProgress, moves: &mut dyn Iterator<Item = (usize, u64)>) {
        let _ = (moment, moves);
    }

    /// The search has ended.
    fn end(&mut self, outcome: &FinishedSearch);

    /// What the last budget was made of.
    fn estimates(&self) -> TimeEstimates;

    /// Does it hold time back for the way to the clock that later moves will take? For one that doesn't, the keeper does.
    fn reserves_overhead(&self) -> bool {
        false
    }

    /// Does it ask which nodes of a search the next one inherits?
    fn needs_tree_reuse(&self) -> bool {
        false
    }
}

/// A manager as it is before the first move of a game.
pub fn create(choice: TimeManager, terms: &SmoothParameters) -> Box<dyn TimeStrategy> {
    match choice {
        TimeManager::Classic => Box::new(classic::Classic::default()),
        TimeManager::Fixed => Box::new(fixed::Fixed::default()),
        TimeManager::Legacy => Box::new(legacy::Legacy::default()),
        TimeManager::Smooth => Box::new(smooth::Smooth::new(terms)),
        TimeManager::SmoothPiggybank => Box::new(smooth::Smooth::with_piggybank(terms)),
    }
}

/// In sudden death the way to the clock is paid for so many moves in advance, as far as two thirds of the clock reach: a
/// game may last longer than anybody plans for, and a move that is made at once still takes that way.
const OVERHEAD_HORIZON: u32 = 50;

/// What later moves lose on their way to the clock and no increment makes good.
pub(super) fn future_overhead(facts: &ClockState) -> Duration {
    let &ClockState { remaining, overhead, moves_to_go, .. } = facts;
    let way = overhead.saturating_sub(remaining.increment);
    match moves_to_go {
        Some(moves) => way * moves.saturating_sub(1),
        None => (way * (OVERHEAD_HORIZON - 1)).min(remaining.time.saturating_sub(overhead) * 2 / 3),
    }
}

/// Milliseconds.
fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A time of so many milliseconds, to the microsecond, so that the last bit of a logarithm decides nothing; none where
/// they are fewer than none.
fn duration(millis: f64) -> Duration {
    Duration::from_micros((millis * 1e3).round() as u64)
}
