//! Limits of one search.
//!
//! The same value is passed from the match runner through the player and UCI's `go` to Echo, so that a limit
//! keeps its meaning.

use std::time::Duration;

use crate::score::Ply;

/// One side's clock at the start of its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remaining {
    /// Time left on the clock.
    pub time: Duration,
    /// The increment per move.
    pub increment: Duration,
}

/// Both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    /// White's.
    pub white: Remaining,
    /// Black's.
    pub black: Remaining,
    /// Moves to the next period; `None` in sudden death.
    pub moves_to_go: Option<u32>,
}

/// The limits of one search. The first one reached ends it; without any it runs until it is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The game's clocks: the engine decides how much of its time to use.
    pub clocks: Option<Clocks>,
    /// A fixed time.
    pub movetime: Option<Duration>,
    /// The largest number of nodes.
    pub nodes: Option<u64>,
    /// The largest depth.
    pub depth: Option<Ply>,
    /// Stop once a mate in this many full moves is found.
    pub mate: Option<u32>,
}

impl Limits {
    /// A limit by nodes alone.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A limit by depth alone.
    pub fn depth(depth: Ply) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A limit by clocks alone.
    pub fn clocks(clocks: Clocks) -> Self {
        Self { clocks: Some(clocks), ..Self::default() }
    }

    /// Whether it runs until it is stopped.
    pub fn is_infinite(&self) -> bool {
        *self == Self::default()
    }
}
