//! What one search may spend.
//!
//! The same value travels from the arena through the player and UCI's `go` into Echo, so that a limit can't
//! change its meaning on the way.

use std::time::Duration;

use crate::score::Ply;

/// One side's clock at the moment it is asked to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remaining {
    /// Time left on the clock.
    pub time: Duration,
    /// What each move adds.
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

/// What one search may spend. Whatever is set holds at once; with nothing set it runs until it is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The game's clocks: the engine decides how much of its own to use.
    pub clocks: Option<Clocks>,
    /// Exactly this long.
    pub movetime: Option<Duration>,
    /// At most this many nodes.
    pub nodes: Option<u64>,
    /// At most this deep.
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

    /// Runs until it is stopped?
    pub fn is_infinite(&self) -> bool {
        *self == Self::default()
    }
}
