//! Node counts below each root move and reply. After both are played, the time manager estimates from them
//! how much of the previous search is still in the transposition table.

use cozy_chess::Move;
use rustc_hash::FxHashMap;

/// Node counts by root move and reply, summed over all iterations.
#[derive(Debug, Clone, Default)]
pub(super) struct RootNodeCounts {
    nodes: FxHashMap<(Move, Move), u64>,
    /// The current root move and reply.
    root: Option<Move>,
    reply: Option<Move>,
    /// The node count of the search when the current root move or reply began.
    since: u64,
}

impl RootNodeCounts {
    /// Records a move at the root (ply 0) or a reply (ply 1) after this number of nodes; `None` for a null
    /// move.
    pub(super) fn turn(&mut self, ply: usize, mv: Option<Move>, nodes: u64) {
        self.close(nodes);
        if ply == 0 {
            self.root = mv;
        } else {
            self.reply = mv;
        }
        self.since = nodes;
    }

    /// Ends the current reply, and adds its nodes.
    pub(super) fn close(&mut self, nodes: u64) {
        if let (Some(root), Some(reply)) = (self.root, self.reply.take()) {
            *self.nodes.entry((root, reply)).or_default() += nodes - self.since;
        }
    }

    /// The nodes below a move and a reply.
    pub(super) fn below(&self, mv: Move, reply: Move) -> u64 {
        self.nodes.get(&(mv, reply)).copied().unwrap_or_default()
    }

    /// Adds the counts of another thread.
    pub(super) fn add(&mut self, other: &Self) {
        for (&pair, &nodes) in &other.nodes {
            *self.nodes.entry(pair).or_default() += nodes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().expect(text)
    }

    #[test]
    fn root_node_counts_belong_to_the_reply() {
        let mut tally = RootNodeCounts::default();
        for (ply, made, nodes) in [
            (0, Some("e2e4"), 0),
            (1, None, 1),
            (1, Some("e7e5"), 6),
            (1, Some("c7c5"), 16),
            (0, Some("d2d4"), 36),
            (1, Some("e7e5"), 37),
            (0, Some("e2e4"), 40),
            (1, Some("e7e5"), 41),
        ] {
            tally.turn(ply, made.map(mv), nodes);
        }
        tally.close(50);
        let table = [("e2e4", "e7e5", 19), ("e2e4", "c7c5", 20), ("d2d4", "e7e5", 3), ("d2d4", "c7c5", 0)];
        for (made, reply, nodes) in table {
            assert_eq!(tally.below(mv(made), mv(reply)), nodes, "{made} {reply}");
        }
        let mut both = tally.clone();
        both.add(&tally);
        assert_eq!(both.below(mv("e2e4"), mv("e7e5")), 38);
    }
}
