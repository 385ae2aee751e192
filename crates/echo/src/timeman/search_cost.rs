//! The cost of a search.

use std::time::Duration;

use crate::root_node_counts::RootNodeCounts;
use threefold_chess::clock::SearchEnd;

/// The cost of a search.
#[derive(Debug, Clone)]
pub(crate) struct SearchCost {
    /// Nodes, of all threads.
    pub(crate) nodes: u64,
    /// Time since the request.
    pub(crate) elapsed: Duration,
    /// Time since the clock started.
    pub(crate) used: Duration,
    /// The part of it that a clock made of nodes does not show, because of the speed limit.
    pub(crate) unseen: Duration,
    /// Why the search ended.
    pub(crate) end: SearchEnd,
    /// Nodes, of all threads, at the end of each completed iteration, from depth 1 on.
    pub(crate) iterations: Vec<u64>,
    /// Nodes below root moves and replies.
    pub(crate) root_node_counts: RootNodeCounts,
}
