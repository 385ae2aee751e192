//! A node limit, enforced by the harness if the engine does not know it.
//!
//! Engines that do not know `go nodes` either search on (Toga, GNU Chess) or, without any known limit, answer
//! at once (Ethereal 12). The first are stopped when they report many more nodes than allowed, and from then
//! on when they report more than allowed; the second are asked again with an unreachable depth. The answer is
//! then the one at the limit, by the engine's own node count: later reports depend on the machine and are
//! dropped. An engine that never reports enough nodes, because nothing is left to search, is stopped after a
//! long time.
//!
//! An engine that looks at its limit rarely ends its search itself, always at the same node. A `stop` before
//! that would make its hash table depend on the machine.

use crate::{Answer, Bound, ScoredInfo, exceeds_node_limit};
use threefold_chess::clock::Limits;
use threefold_chess::score::{Ply, Score};

/// The nodes that a search may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeLimit {
    nodes: u64,
    /// More nodes than this end the search.
    stop_after: u64,
}

/// The longest interval, in nodes, at which an engine that knows the limit may look at it.
const LONGEST_CHECK_INTERVAL: u64 = 65_536;

/// A depth that no engine reaches before it is stopped, and that every engine accepts.
const UNREACHABLE_DEPTH: Ply = Ply(60);

/// With fewer nodes than this, a search of depth 1 is normal.
const TOO_FEW: u64 = 100;

impl NodeLimit {
    /// The node limit of a search, if it has one.
    pub(super) const fn from_limits(limits: &Limits) -> Option<Self> {
        match limits.nodes {
            Some(nodes) => {
                // Far above the limit, since an engine that checks it rarely must end its search itself.
                let stop_after = nodes.saturating_mul(2).saturating_add(LONGEST_CHECK_INTERVAL);
                Some(Self { nodes, stop_after })
            }
            None => None,
        }
    }

    /// The limit of an engine that does not end a search at it: one that ignores it, or was not given it.
    pub(super) const fn enforced_by_harness(self) -> Self {
        Self { stop_after: self.nodes, ..self }
    }

    /// Must the engine be stopped after this number of nodes?
    pub(super) const fn requires_stop(self, nodes: u64) -> bool {
        nodes > self.stop_after && self.is_broken_by(nodes)
    }

    /// Is this number of nodes over the limit?
    pub(super) const fn is_broken_by(self, nodes: u64) -> bool {
        exceeds_node_limit(nodes, self.nodes)
    }

    /// Does the answer look like that of an engine that did not know the limit, and so did not search?
    fn is_unused_by(self, answer: &Answer) -> bool {
        // A mate in one move is a reason to end at depth 1, so a mate score is no sign of an unknown limit.
        let shallow =
            answer.infos.iter().all(|info| info.depth <= Ply(1) && matches!(info.score, Score::Cp(_)));
        self.nodes >= TOO_FEW && answer.nodes < self.nodes / 10 && shallow && !answer.infos.is_empty()
    }

    /// Other limits to ask with, if the answer shows that the engine does not know the node limit.
    pub(super) fn alternative_limits(limits: &Limits, answer: &Answer) -> Option<Limits> {
        // With another limit in addition, an engine that does not support `nodes` searches by that one.
        let is_plain = limits.depth.is_none() && limits.clocks.is_none() && limits.movetime.is_none();
        let unused = Self::from_limits(limits)?.is_unused_by(answer);
        (is_plain && unused).then(|| Limits::depth(UNREACHABLE_DEPTH))
    }

    /// Cuts the answer back to what was reported within the limit. An answer within the limit is unchanged.
    pub(super) fn truncate(self, answer: Answer) -> Answer {
        if !self.is_broken_by(answer.nodes) {
            return answer;
        }
        let within = |info: &ScoredInfo| info.nodes.is_none_or(|nodes| nodes <= self.nodes);
        // If even the first report is over the limit, it counts.
        let kept = answer.infos.iter().take_while(|info| within(info)).count().max(1);
        let mut infos = answer.infos;
        infos.truncate(kept);
        let others = answer.other_lines.into_iter().filter(within).collect();
        // An upper bound names a move that was worse than expected, so the line before it counts.
        let line = infos.iter().rev().find(|info| info.bound != Bound::Upper && !info.pv.is_empty());
        let line = line.map(|info| info.pv.clone()).unwrap_or_default();
        Answer {
            best: line.first().copied().or(answer.best),
            in_place_of_move: answer.in_place_of_move.filter(|_| line.is_empty()),
            ponder: line.get(1).copied(),
            nodes: infos.last().and_then(|info| info.nodes).unwrap_or(self.nodes),
            nodes_at_end: answer.nodes_at_end,
            infos,
            other_lines: others,
            elapsed: answer.elapsed,
            delays: answer.delays,
            asked: answer.asked,
            first_output: answer.first_output,
            cpu: answer.cpu,
            limit_enforced_by: answer.limit_enforced_by,
            nodes_over_limit: Some(answer.nodes),
            account: answer.account,
            reported: answer.reported,
            quotes: answer.quotes,
            counts: answer.counts,
            between: answer.between,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_chess::score::Centipawns;

    fn info(depth: u16, nodes: u64, bound: Bound, pv: &str) -> ScoredInfo {
        let pv = pv.split_whitespace().map(|mv| mv.parse().expect("a move")).collect();
        ScoredInfo {
            score: Score::Cp(Centipawns(9)),
            bound,
            multipv: 1,
            depth: Ply(depth),
            nodes: Some(nodes),
            pv,
            line: None,
        }
    }

    fn answer(infos: Vec<ScoredInfo>, nodes: u64) -> Answer {
        Answer { best: "h2h4".parse().ok(), infos, nodes, ..Answer::silent() }
    }

    #[test]
    fn answer_is_the_last_one_before_the_limit() {
        let exact = |depth, nodes, pv| info(depth, nodes, Bound::Exact, pv);
        let table = [
            // infos, nodes at the end, move, nodes that count, infos that count
            (vec![exact(1, 10, "e2e4"), exact(2, 900, "d2d4 d7d5")], 2100, "h2h4", 2100, 2),
            (vec![exact(1, 10, "e2e4"), exact(2, 900, "d2d4 d7d5")], 2200, "d2d4", 900, 2),
            (vec![exact(1, 10, "e2e4"), exact(2, 1001, "d2d4 d7d5")], 9000, "e2e4", 10, 1),
            (vec![exact(1, 10, "e2e4"), info(2, 90, Bound::Upper, "a2a3")], 9000, "e2e4", 90, 2),
            (vec![exact(1, 10, "e2e4"), info(2, 90, Bound::Lower, "a2a3")], 9000, "a2a3", 90, 2),
            (vec![exact(9, 5000, "e2e4")], 9000, "e2e4", 5000, 1),
            (vec![], 9000, "h2h4", 1000, 0),
        ];
        for (infos, nodes, best, counted, kept) in table {
            let limit = NodeLimit::from_limits(&Limits::nodes(1000)).expect("a limit");
            let settled = limit.truncate(answer(infos.clone(), nodes));
            assert_eq!(settled.best, best.parse().ok(), "{infos:?}");
            assert_eq!((settled.nodes, settled.infos.len()), (counted, kept), "{infos:?}");
            assert_eq!(settled.nodes_over_limit, (nodes > 2124).then_some(nodes), "{nodes}");
        }
    }

    #[test]
    fn engine_may_look_at_its_limit_rarely_until_it_has_ignored_one() {
        let known = NodeLimit::from_limits(&Limits::nodes(1000)).expect("a limit");
        let ignored = known.enforced_by_harness();
        for (nodes, is_stopped) in
            [(2_124, [false, false]), (2_125, [false, true]), (67_536, [false, true]), (67_537, [true, true])]
        {
            assert_eq!([known, ignored].map(|limit| limit.requires_stop(nodes)), is_stopped, "{nodes}");
        }
    }

    #[test]
    fn engine_without_a_search_gets_a_depth_limit() {
        let mating = ScoredInfo {
            score: Score::Mate(threefold_chess::score::MateDistance::from_plies(Ply(1))),
            ..info(1, 4, Bound::Exact, "e2e4")
        };
        let one_ply = || vec![info(1, 4, Bound::Exact, "e2e4")];
        let deeper = vec![info(1, 4, Bound::Exact, "e2e4"), info(2, 40, Bound::Exact, "e2e4")];
        let table = [
            (Limits::nodes(2000), answer(one_ply(), 4), true),
            (Limits::nodes(20), answer(one_ply(), 1), false),
            (Limits::nodes(2000), answer(one_ply(), 1999), false),
            (Limits::nodes(2000), answer(deeper, 40), false),
            (Limits::nodes(2000), answer(vec![mating], 4), false),
            (Limits::nodes(2000), answer(vec![], 0), false),
            (Limits::depth(Ply(1)), answer(one_ply(), 4), false),
            (Limits { depth: Some(Ply(1)), ..Limits::nodes(2000) }, answer(one_ply(), 4), false),
        ];
        for (limits, answer, again) in table {
            let instead = NodeLimit::alternative_limits(&limits, &answer);
            assert_eq!(instead.is_some(), again, "{limits:?}: {answer:?}");
        }
    }
}
