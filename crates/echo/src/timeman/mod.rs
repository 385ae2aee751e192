//! Time managers: clock state in, time allotment out. None of them reads a clock.
//!
//! A manager plans a search, is updated during it, and learns from its end. The engine's `GameTimeKeeper` has
//! one for a game, with the reuse of nodes from search to search; a `Timer` has one for a search.

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
mod written_form;

use std::time::Duration;

use threefold_chess::clock::{Remaining, TimeEstimates};

pub use choice::{ReuseSample, TimeManager};
pub use parameters::{Parameter, SmoothParameters};
pub(super) use search_cost::SearchCost;
pub(super) use timer::Timer;
pub(super) use written_form::parse_time_manager;

/// The clock state at the start of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockState {
    /// The clock of the side to move.
    pub remaining: Remaining,
    /// Moves to the next period; `None` in sudden death.
    pub moves_to_go: Option<u32>,
    /// The overhead per move.
    pub overhead: Duration,
    /// Plies of the game so far, including those before its start position.
    pub ply: u32,
    /// The tree reuse from the previous search.
    pub inherited: TreeReuse,
}

/// The tree reuse between two searches.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TreeReuse {
    /// Nodes already spent on the position.
    pub nodes: u64,
    /// Their share of the previous tree, from 0 to 1; `None` if this search does not continue the previous
    /// one.
    pub share: Option<f64>,
}

/// The time of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeAllotment {
    /// The planned time.
    pub soft: Duration,
    /// The hard limit.
    pub hard: Duration,
}

/// The progress of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchProgress {
    /// Time since the clock started.
    pub elapsed: Duration,
    /// Nodes since then, of all threads.
    pub nodes: u64,
}

/// Statistics of the iteration that has just ended. Nodes are those of all threads.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct IterationStats {
    /// Its depth, in plies.
    pub depth: i32,
    /// The percentage of the nodes of the whole search that were spent on the best move.
    pub share: u32,
    /// Iterations since the best move changed.
    pub settled: u32,
    /// The score drop since the last iteration, in centipawns; 0 if it rose.
    pub fallen: i32,
    /// Nodes of this iteration and of the one before.
    pub nodes: [f64; 2],
    /// Nodes of this iteration in the best move.
    pub best: f64,
    /// Nodes of this iteration in the cheapest other move; `None` without another.
    pub least: Option<f64>,
}

/// A finished search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FinishedSearch {
    /// Time used.
    pub used: Duration,
    /// Nodes of this search, of all threads.
    pub nodes: u64,
    /// Nodes until it was as deep as earlier searches had been here; `None` if it was not, or there were
    /// none.
    pub regained: Option<u64>,
}

/// A time manager.
pub trait TimeStrategy: Send {
    /// A copy with all that it has learned.
    fn copy(&self) -> Box<dyn TimeStrategy>;

    /// Plans the time of a search.
    fn allot(&mut self, facts: &ClockState) -> TimeAllotment;

    /// The time since the start of the clock at which the current search must end. Called about every thousand nodes.
    fn until(&mut self, moment: &SearchProgress) -> Duration;

    /// Whether the search may end between two iterations.
    fn is_enough(&self, moment: &SearchProgress, iteration: &IterationStats) -> bool;

    /// Called after each root move: the moves, best first, each with its number and its nodes.
    fn watch(&mut self, moment: &SearchProgress, moves: &mut dyn Iterator<Item = (usize, u64)>) {
        let _ = (moment, moves);
    }

    /// Learns from a finished search.
    fn end(&mut self, outcome: &FinishedSearch);

    /// The estimates of the last plan.
    fn estimates(&self) -> TimeEstimates;

    /// The number of later moves whose overhead the keeper takes off the clock before the plan, in sudden
    /// death and as far as no increment covers it; 0 if the manager reserves it itself.
    fn reserved_moves(&self) -> u32 {
        OVERHEAD_MOVES
    }

    /// Whether it uses tree reuse.
    fn needs_tree_reuse(&self) -> bool {
        false
    }
}

/// A manager at the start of a game.
pub fn create(choice: TimeManager, terms: &SmoothParameters, sample: ReuseSample) -> Box<dyn TimeStrategy> {
    match choice {
        TimeManager::Classic => Box::new(classic::Classic::default()),
        TimeManager::Fixed => Box::new(fixed::Fixed::default()),
        TimeManager::Legacy => Box::new(legacy::Legacy::default()),
        TimeManager::Smooth => Box::new(smooth::Smooth::new(terms).learning_from(sample)),
        TimeManager::SmoothPiggybank => Box::new(smooth::Smooth::with_piggybank(terms).learning_from(sample)),
    }
}

/// The number of later moves whose overhead is reserved in sudden death: a game may be longer than planned.
const OVERHEAD_MOVES: u32 = 49;

/// The overhead of later moves that no increment covers. In a period: of its later moves. In sudden death: of `moves` moves, at
/// most two thirds of the time that is left after the overhead of this move.
pub(super) fn future_overhead(facts: &ClockState, moves: u32) -> Duration {
    let &ClockState { remaining, overhead, moves_to_go, .. } = facts;
    let uncovered = overhead.saturating_sub(remaining.increment);
    match moves_to_go {
        Some(to_go) => uncovered * to_go.saturating_sub(1),
        None => (uncovered * moves).min(remaining.time.saturating_sub(overhead) * 2 / 3),
    }
}

/// The duration in milliseconds.
fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A duration from milliseconds, rounded to microseconds so that last bits do not matter; zero for negative
/// numbers.
fn duration(millis: f64) -> Duration {
    Duration::from_micros((millis * 1e3).round() as u64)
}
