//! By how much a search may exceed its limits before that counts.

/// By how many nodes engines that know the limit may exceed it: they check it at intervals.
pub const NODE_CHECK_INTERVAL: u64 = 1024;

/// Does a search of this number of nodes exceed the limit by more than a tenth and [`NODE_CHECK_INTERVAL`]?
///
/// ```
/// # use threefold_player::exceeds_node_limit;
/// assert!(!exceeds_node_limit(2_124, 1_000) && exceeds_node_limit(2_125, 1_000));
/// ```
pub const fn exceeds_node_limit(nodes: u64, limit: u64) -> bool {
    nodes > limit.saturating_add(limit / 10).saturating_add(NODE_CHECK_INTERVAL)
}
