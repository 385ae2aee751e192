//! When does the search call a repeated position a draw?
//!
//! The rules say: on the third occurrence, if someone claims it. Waiting for the third is slow and takes the
//! search deep into nothing; calling the first return a draw is fast but wrong about positions of the game,
//! which the opponent can't be forced to enter again. Each policy is one answer (Moreland).

use crate::closed_set;

closed_set! {
    /// When does the search call a repeated position a draw?
    pub enum RepetitionPolicy {
        /// Any second occurrence, in the tree or in the game.
        HistoryDraw = "HistoryDraw",
        /// A second occurrence inside the tree, a third one otherwise.
        HistoryIgnored = "HistoryIgnored",
        /// Only what an arbiter would accept: a true third occurrence.
        Threefold = "Threefold",
    }
}

/// How often a position of the search occurred before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Seen {
    /// In the search line below the root.
    pub in_tree: u32,
    /// In the game, the root's own position included.
    pub in_game: u32,
}

impl RepetitionPolicy {
    /// Is a position that was seen so often scored as a draw?
    pub const fn is_draw(self, seen: Seen) -> bool {
        match self {
            Self::HistoryDraw => 1 <= seen.in_tree + seen.in_game,
            Self::HistoryIgnored => 1 <= seen.in_tree || 2 <= seen.in_game,
            Self::Threefold => 2 <= seen.in_tree + seen.in_game,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RepetitionPolicy::{HistoryDraw, HistoryIgnored, Threefold};
    use super::*;

    #[test]
    fn each_policy_draws_what_it_says() {
        let table = [
            // in the tree, in the game, drawn under
            (0, 0, &[][..]),
            (0, 1, &[HistoryDraw]),
            (1, 0, &[HistoryDraw, HistoryIgnored]),
            (0, 2, &[HistoryDraw, HistoryIgnored, Threefold]),
            (1, 1, &[HistoryDraw, HistoryIgnored, Threefold]),
            (2, 0, &[HistoryDraw, HistoryIgnored, Threefold]),
        ];
        for (in_tree, in_game, drawn) in table {
            for &policy in RepetitionPolicy::ALL {
                let seen = Seen { in_tree, in_game };
                assert_eq!(policy.is_draw(seen), drawn.contains(&policy), "{policy}: {seen:?}");
            }
        }
    }
}
