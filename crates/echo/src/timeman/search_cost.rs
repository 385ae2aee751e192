//! What a search took, as the manager learns it afterwards.

use std::time::Duration;

use crate::root_node_counts::RootNodeCounts;
use threefold_chess::clock::SearchEnd;

/// What a search took.
#[derive(Debug, Clone)]
pub(crate) struct SearchCost {
    /// Nodes, of all threads.
    pub(crate) nodes: u64,
    /// Time since the question came.
    pub(crate) elapsed: Duration,
    /// Time since it began to count.
    pub(crate) used: Duration,
    /// The part of it that a clock made of nodes doesn't see, because the speed was held back.
    pub(crate) unseen: Duration,
    /// Why the search ended.
    pub(crate) end: SearchEnd,
    /// Where the nodes lie.
    pub(crate) root_node_counts: RootNodeCounts,
}
