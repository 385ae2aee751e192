//! What reused nodes save.
//!
//! Lc0's tree keeps every node, so a reused node is a node less to search. A transposition table keeps
//! results, and a search that finds them searches part of the tree again. Saved are the inherited nodes minus
//! those that the new search needs until it is as deep in the position as the previous one had been: what it
//! gets again is no progress.

use super::{FinishedSearch, TreeReuse};

/// The learnt saving.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Saving {
    /// The share of a tree that the next search is saved, from 0 to 1.
    share: f64,
    /// The share that it inherits, learnt from the same searches.
    credited: f64,
    /// The nodes that the current search has inherited, and their share of the previous tree.
    inherited: TreeReuse,
}

impl Saving {
    /// With this first estimate of the share.
    pub(super) const fn new(share: f64) -> Self {
        Self { share, credited: share, inherited: TreeReuse { nodes: 0, share: None } }
    }

    /// The share of a tree that the next search is saved.
    pub(super) const fn share(&self) -> f64 {
        self.share
    }

    /// Starts a search with these inherited nodes. Returns the share to plan with, and the nodes that the
    /// inherited ones are expected to save.
    pub(super) fn begin(&mut self, inherited: TreeReuse) -> (f64, f64) {
        self.inherited = inherited;
        let worth = if self.credited > 0.0 { (self.share / self.credited).min(1.0) } else { 1.0 };
        (self.share, worth * inherited.nodes as f64)
    }

    /// Learns from the search; `towards` moves an estimate towards a sample. If a search ends before it is as
    /// deep again, only one thing is known: with more nodes than it inherited, they saved none.
    pub(super) fn learn(&mut self, outcome: &FinishedSearch, towards: impl Fn(f64, f64) -> f64) {
        let TreeReuse { nodes: credit, share: Some(share) } = self.inherited else { return };
        let saved = match outcome.regained {
            Some(regained) => credit.saturating_sub(regained),
            None if credit <= outcome.nodes => 0,
            None => return,
        };
        let part = if credit > 0 { saved as f64 / credit as f64 } else { 0.0 };
        self.share = towards(self.share, part * share);
        self.credited = towards(self.credited, share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn saving_is_what_is_not_searched_again() {
        let table = [
            // inherited nodes, their share, nodes of the search, nodes until as deep again, the share learnt
            (1000, Some(0.4), 5000, Some(250), 0.3),
            (1000, Some(0.4), 5000, Some(0), 0.4),
            (1000, Some(0.4), 5000, Some(1000), 0.0),
            (1000, Some(0.4), 5000, Some(4000), 0.0),
            // Not as deep again.
            (1000, Some(0.4), 1000, None, 0.0),
            (1000, Some(0.4), 999, None, 0.5),
            // The reply was not searched; no continuation.
            (0, Some(0.0), 10, None, 0.0),
            (0, None, 10, None, 0.5),
        ];
        for (nodes, share, searched, regained, learnt) in table {
            let mut saving = Saving::new(0.5);
            let (planned, expected) = saving.begin(TreeReuse { nodes, share });
            assert_eq!((planned, expected), (0.5, nodes as f64));
            let outcome = FinishedSearch { used: Duration::ZERO, nodes: searched, regained };
            saving.learn(&outcome, |_, to| to);
            assert!((saving.share() - learnt).abs() < 1e-9, "{nodes} {share:?} {regained:?}: {saving:?}");
        }
    }

    #[test]
    fn inherited_nodes_count_as_far_as_they_save() {
        let inherited = TreeReuse { nodes: 1000, share: Some(0.4) };
        for (regained, share, expected) in [(0, 0.4, 1000.0), (750, 0.1, 250.0), (2000, 0.0, 0.0)] {
            let mut saving = Saving::new(0.5);
            saving.begin(inherited);
            let outcome = FinishedSearch { used: Duration::ZERO, nodes: 5000, regained: Some(regained) };
            saving.learn(&outcome, |_, to| to);
            let (planned, nodes) = saving.begin(inherited);
            assert!((planned - share).abs() < 1e-9 && (nodes - expected).abs() < 1e-6, "{regained}: {nodes}");
        }
    }
}
