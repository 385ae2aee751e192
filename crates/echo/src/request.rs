//! What Echo is asked, what it says on the way, and what it comes to.
//!
//! Time comes in as a function and leaves as a number: Echo itself never reads a clock, so the same question
//! on a clock made of nodes is answered the same way on any machine.

use std::time::Duration;

use shakmaty::uci::UciMove;

use threefold_chess::clock::{Limits, Stop, TimeReport};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Bound;
use threefold_chess::score::{Ply, Score};

/// The deepest tree whose leaves are counted, in plies. No machine will ever come near it.
pub const DEEPEST_PERFT: u32 = 60;

/// One question to the engine.
pub struct SearchRequest<'a> {
    /// The position, with its history.
    pub line: &'a GamePosition,
    /// What the search may spend.
    pub limits: &'a Limits,
    /// Only these root moves may be considered; all where empty.
    pub only: &'a [UciMove],
    /// Raised to call the search off.
    pub stop: &'a Stop,
    /// While raised the search thinks on the opponent's time: limits of time do not count. They start to
    /// count when it is lowered. The search may still come to its end meanwhile; whoever speaks for Echo
    /// keeps the answer back until then.
    pub pondering: &'a Stop,
    /// Time since the question came. Not asked where the option `nodestime` makes time of nodes.
    pub now: &'a (dyn Fn() -> Duration + Sync),
}

/// What one iteration found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchReport {
    /// Which line of play this is (`multipv`), from 1.
    pub line_of_play: u32,
    /// Depth of the iteration.
    pub depth: Ply,
    /// The longest line looked at.
    pub seldepth: Ply,
    /// From the side to move's view.
    pub score: Score,
    /// Exact or a bound.
    pub bound: Bound,
    /// Nodes since the question came.
    pub nodes: u64,
    /// How full the hash table is with this search's entries, in thousandths.
    pub hashfull: u16,
    /// Positions of which tables of endings told the outcome; `None` where none are given.
    pub table_hits: Option<u64>,
    /// The line of play.
    pub pv: Vec<UciMove>,
    /// Time since the question came.
    pub elapsed: Duration,
}

/// What the search came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult {
    /// The move to play; `None` where there is none.
    pub best: Option<UciMove>,
    /// The reply expected.
    pub ponder: Option<UciMove>,
    /// Nodes spent.
    pub nodes: u64,
    /// Time spent.
    pub elapsed: Duration,
    /// How that time was planned, where a clock of the game limited it.
    pub time_report: Option<TimeReport>,
}

/// Why Echo can't think about a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The start is no position that Echo can play from.
    #[error("no position to play from: {0}; check the FEN")]
    Start(String),
    /// A move of the history is illegal.
    #[error("move {number} of the history, `{mv}`, is illegal; check the moves before it")]
    Move {
        /// From 1.
        number: usize,
        /// As it was given.
        mv: UciMove,
    },
    /// None of the moves that may be searched is legal.
    #[error("none of the moves to search is legal here: {0}")]
    NothingToSearch(String),
    /// A count of leaves that would never end.
    #[error("leaves {0} plies deep can't be counted; count at most {deepest} plies", deepest = DEEPEST_PERFT)]
    TooDeep(u32),
    /// A count of leaves was called off.
    #[error("the count was stopped")]
    Stopped,
}
