//! Searches that exceed their limits. Their moves count, since a match measures the engines as they are, but
//! a limit that only one engine keeps decides a match.

use std::time::Duration;

use super::WarningRule;
use threefold_chess::clock::{Delays, Limits, duration};
use threefold_player::{Answer, ScoredInfo, exceeds_node_limit};

/// By how much a search may exceed `movetime`, in addition to a tenth of it and to what delayed the engine.
const TOLERANCE: Duration = Duration::from_millis(50);

/// The limits that an answer exceeds, each with what the engine did.
pub(super) fn exceeded(limits: &Limits, answer: &Answer) -> Vec<(WarningRule, String)> {
    let nodes = limits.nodes.and_then(|limit| {
        // If the limit was exceeded, `nodes` may be the number at the limit.
        let nodes = answer.nodes_over_limit.unwrap_or(answer.nodes);
        exceeds_node_limit(nodes, limit)
            .then(|| (WarningRule::NodesOverLimit, format!("{nodes} nodes of {limit}")))
    });
    let depth = limits.depth.and_then(|limit| {
        let depth = answer.infos.iter().map(|&ScoredInfo { depth, .. }| depth).max()?;
        (depth > limit).then(|| (WarningRule::DepthOverLimit, format!("depth {} of {}", depth.0, limit.0)))
    });
    // Only wall time has a moment at which the question was asked.
    let movetime = limits.movetime.filter(|_| answer.asked.is_some()).and_then(|limit| {
        let used = answer.elapsed.saturating_sub(answer.delays.map_or(Duration::ZERO, Delays::total));
        let text = || format!("{} of {}", duration::format_duration(used), duration::format_duration(limit));
        (used > limit + limit / 10 + TOLERANCE).then(|| (WarningRule::MovetimeOverLimit, text()))
    });
    nodes.into_iter().chain(depth).chain(movetime).collect()
}
