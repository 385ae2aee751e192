//! Requests to the engine, reports during a search, and results.
//!
//! Time is a function in the request: Echo never reads a clock, so the same request with a clock made of
//! nodes gives the same result on any machine.

use std::time::Duration;

use shakmaty::uci::UciMove;

use threefold_chess::clock::{Limits, Stop, TimeReport};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Bound;
use threefold_chess::score::{Ply, Score};

/// The largest depth of a perft, in plies; beyond any machine's reach.
pub const DEEPEST_PERFT: u32 = 60;

/// A search request.
pub struct SearchRequest<'a> {
    /// The position, with its history.
    pub position: &'a GamePosition,
    /// What the search may spend.
    pub limits: &'a Limits,
    /// The root moves to search; all if empty.
    pub only: &'a [UciMove],
    /// Raised to stop the search.
    pub stop: &'a Stop,
    /// While raised the search ponders: time limits do not count. They start when it is lowered. The search
    /// may end earlier; the caller then delays the reply.
    pub pondering: &'a Stop,
    /// Time since the request. Not called if the option `nodestime` computes time from nodes.
    pub now: &'a (dyn Fn() -> Duration + Sync),
}

/// The result of one iteration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchReport {
    /// The number of the principal variation (`multipv`), from 1.
    pub line_of_play: u32,
    /// Depth of the iteration.
    pub depth: Ply,
    /// The selective depth.
    pub seldepth: Ply,
    /// The score from the side to move's view.
    pub score: Score,
    /// Exact or a bound.
    pub bound: Bound,
    /// Nodes since the request.
    pub nodes: u64,
    /// The occupancy of the hash table by this search's entries, in thousandths.
    pub hashfull: u16,
    /// Tablebase hits; `None` without tables.
    pub table_hits: Option<u64>,
    /// The principal variation.
    pub pv: Vec<UciMove>,
    /// Time since the request.
    pub elapsed: Duration,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult {
    /// The move to play; `None` if there is no legal move.
    pub best: Option<UciMove>,
    /// The expected reply.
    pub ponder: Option<UciMove>,
    /// Nodes spent.
    pub nodes: u64,
    /// Time spent.
    pub elapsed: Duration,
    /// The time report, if a game clock limited the search.
    pub time_report: Option<TimeReport>,
}

/// Why a request is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The start position is invalid.
    #[error("invalid position: {0}; check the FEN")]
    Start(String),
    /// A move of the history is illegal.
    #[error("move {number} of the history, `{mv}`, is illegal; check the moves before it")]
    Move {
        /// The number of the move in the list, from 1.
        number: usize,
        /// The move as given.
        mv: UciMove,
    },
    /// None of the moves to search is legal.
    #[error("none of the moves to search is legal: {0}")]
    NothingToSearch(String),
    /// A perft of too large a depth.
    #[error("perft of depth {0} is too deep; use at most {deepest}", deepest = DEEPEST_PERFT)]
    TooDeep(u32),
    /// A perft was cancelled.
    #[error("the count was stopped")]
    Stopped,
}
