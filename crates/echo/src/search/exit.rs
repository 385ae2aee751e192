//! How a node is left before its moves are through.

use super::verdict::Verdict;
use crate::budget::Stopped;

/// Why a node is left before its moves are through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// It is settled.
    Settled(Verdict),
    /// The whole search is over.
    Stopped,
}

impl Exit {
    /// The verdict, however it was found.
    pub(super) fn or_settled(found: Result<Verdict, Self>) -> Result<Verdict, Stopped> {
        match found {
            Ok(verdict) | Err(Self::Settled(verdict)) => Ok(verdict),
            Err(Self::Stopped) => Err(Stopped),
        }
    }
}

impl From<Stopped> for Exit {
    fn from(Stopped: Stopped) -> Self {
        Self::Stopped
    }
}
