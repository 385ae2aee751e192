//! Early returns from a node.

use super::node_result::NodeResult;
use crate::budget::SearchStopped;

/// Why a node returns before its moves have been searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cutoff {
    /// A cutoff with this result.
    Settled(NodeResult),
    /// The search was stopped.
    Stopped,
}

impl Cutoff {
    /// The result, with or without a cutoff.
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
