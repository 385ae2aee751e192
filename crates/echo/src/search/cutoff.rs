//! How a node is left before its moves are through.

use super::node_result::NodeResult;
use crate::budget::SearchStopped;

/// Why a node is left before its moves are through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cutoff {
    /// It is settled.
    Settled(NodeResult),
    /// The whole search is over.
    Stopped,
}

impl Cutoff {
    /// The verdict, however it was found.
    pub(super) fn or_result(found: Result<NodeResult, Self>) -> Result<NodeResult, SearchStopped> {
        match found {
            Ok(result) | Err(Self::Settled(result)) => Ok(result),
            Err(Self::Stopped) => Err(SearchStopped),
        }
    }
}

impl From<SearchStopped> for Cutoff {
    fn from(SearchStopped: SearchStopped) -> Self {
        Self::Stopped
    }
}
