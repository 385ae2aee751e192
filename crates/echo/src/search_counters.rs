//! Counters of a search, for experiments (option `Census`).

#[cfg(any(test, feature = "lab"))]
use super::repetition::Occurrences;

/// The name of the counter of nodes at which the detector found too few occurrences.
pub const OVERLOOKED: &str = "repetitions overlooked";
/// The name of the counter of nodes at which it found too many.
pub const IMAGINED: &str = "repetitions imagined";
/// The name of the counter of nodes at which it found the right number at wrong places.
pub const MISPLACED: &str = "repetitions misplaced";

/// Counters of one search, summed over its threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchCounters {
    /// Zero-window searches of the root by MTD(f).
    pub passes: u64,
    /// Nodes entered.
    pub nodes: u64,
    /// Nodes whose value depended on a repetition above them.
    pub anchored: u64,
    /// Stores into the hash table.
    pub stored: u64,
    /// Stores without a value.
    pub stored_bare: u64,
    /// Nodes at which the detector found fewer occurrences than there were.
    pub overlooked: u64,
    /// Nodes at which the detector found more occurrences than there were.
    pub imagined: u64,
    /// Nodes at which it found the right number at wrong places.
    pub misplaced: u64,
}

impl SearchCounters {
    /// Adds the counters of another thread.
    pub(super) const fn add(&mut self, other: &Self) {
        let Self { passes, nodes, anchored, stored, stored_bare, overlooked, imagined, misplaced } = other;
        self.passes += *passes;
        self.nodes += *nodes;
        self.anchored += *anchored;
        self.stored += *stored;
        self.stored_bare += *stored_bare;
        self.overlooked += *overlooked;
        self.imagined += *imagined;
        self.misplaced += *misplaced;
    }

    /// Every counter by its name.
    pub(super) fn named(&self) -> Vec<(String, u64)> {
        let Self { passes, nodes, anchored, stored, stored_bare, overlooked, imagined, misplaced } = *self;
        let counts = [
            ("passes", passes),
            ("nodes met", nodes),
            ("nodes that hang", anchored),
            ("stores", stored),
            ("stores without a value", stored_bare),
            (OVERLOOKED, overlooked),
            (IMAGINED, imagined),
            (MISPLACED, misplaced),
        ];
        counts.map(|(name, count)| (name.to_owned(), count)).to_vec()
    }

    /// Compares the detector's result with the true occurrences.
    #[cfg(any(test, feature = "lab"))]
    pub(super) fn compare(&mut self, seen: Occurrences, truly: Occurrences) {
        let of = |seen: Occurrences| seen.in_tree + seen.in_game;
        self.overlooked += u64::from(of(seen) < of(truly));
        self.imagined += u64::from(of(seen) > of(truly));
        self.misplaced += u64::from(of(seen) == of(truly) && seen != truly);
    }
}
