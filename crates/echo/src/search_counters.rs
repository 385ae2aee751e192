//! What a search met on its way, counted where the laboratory asks for it.

#[cfg(any(test, feature = "lab"))]
use super::repetition::Occurrences;

/// The name of the count of nodes at which the detector counted too few occurrences.
pub const OVERLOOKED: &str = "repetitions overlooked";
/// The same, too many.
pub const IMAGINED: &str = "repetitions imagined";
/// The same, as many as there were, but elsewhere.
pub const MISPLACED: &str = "repetitions misplaced";

/// Counts of one search, of the thread that answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchCounters {
    /// Nodes entered.
    pub nodes: u64,
    /// Nodes whose value hung on a repetition above them.
    pub anchored: u64,
    /// Times that something was stored in the hash table.
    pub stored: u64,
    /// Of these, times that it was a move without a value, or nothing.
    pub stored_bare: u64,
    /// Nodes at which the detector counted fewer occurrences than there were.
    pub overlooked: u64,
    /// Nodes at which the detector counted more occurrences than there were.
    pub imagined: u64,
    /// Nodes at which it counted as many, and took them to have stood elsewhere.
    pub misplaced: u64,
}

impl SearchCounters {
    /// Every count by its name.
    pub(super) fn named(&self) -> Vec<(String, u64)> {
        let Self { nodes, anchored, stored, stored_bare, overlooked, imagined, misplaced } = *self;
        let counts = [
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

    /// What the detector saw, and what there was to see.
    #[cfg(any(test, feature = "lab"))]
    pub(super) fn compare(&mut self, seen: Occurrences, truly: Occurrences) {
        let of = |seen: Occurrences| seen.in_tree + seen.in_game;
        self.overlooked += u64::from(of(seen) < of(truly));
        self.imagined += u64::from(of(seen) > of(truly));
        self.misplaced += u64::from(of(seen) == of(truly) && seen != truly);
    }
}
