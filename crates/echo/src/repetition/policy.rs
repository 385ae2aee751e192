//! When does the search call a repeated position a draw?
//!
//! The rules say: on the third occurrence, if someone claims it. Waiting for the third is slow and takes the
//! search deep into nothing; calling the first return a draw is fast but wrong about positions of the game,
//! which the opponent can't be forced to enter again. Each policy is one answer (Moreland).

use super::{Occurrences, PathDependence};
use threefold_named_enum::named_enum;

named_enum! {
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

impl RepetitionPolicy {
    /// Is a position that was seen so often scored as a draw, and on which ancestor does that hang?
    ///
    /// What the game alone has repeated is drawn wherever the search meets it.
    pub const fn draw(self, seen: Occurrences) -> Option<PathDependence> {
        match (self, seen.in_game, seen.in_tree) {
            (Self::HistoryDraw, 1.., _) | (_, 2.., _) => Some(PathDependence::NONE),
            (Self::HistoryDraw | Self::HistoryIgnored, _, 1..) | (Self::Threefold, 1, 1..) => {
                Some(seen.last())
            }
            (Self::Threefold, 0, 2..) => Some(seen.last_but_one()),
            _ => None,
        }
    }

    /// Of how many occurrences in the game does the search take notice? Positions that stood on the board as
    /// often are worth something else than they were before.
    pub const fn notices(self) -> u32 {
        match self {
            Self::HistoryDraw | Self::Threefold => 1,
            Self::HistoryIgnored => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RepetitionPolicy::{HistoryDraw, HistoryIgnored, Threefold};
    use super::*;

    /// Positions that stood at these plies of the tree and so often in the game.
    fn seen(plies: &[usize], in_game: usize) -> Occurrences {
        let mut seen = Occurrences::default();
        for index in (0..in_game).chain(plies.iter().map(|ply| 9 + ply)) {
            seen.count(index, 10);
        }
        seen
    }

    #[test]
    fn each_policy_draws_what_it_says() {
        let table = [
            // plies in the tree, times in the game, the anchor of the draw under each policy
            (&[][..], 0, [None, None, None]),
            (&[], 1, [Some(PathDependence::NONE), None, None]),
            (&[3], 0, [Some(PathDependence::at(3)), Some(PathDependence::at(3)), None]),
            (&[], 2, [Some(PathDependence::NONE); 3]),
            (&[3], 1, [Some(PathDependence::NONE), Some(PathDependence::at(3)), Some(PathDependence::at(3))]),
            (
                &[3, 7],
                0,
                [Some(PathDependence::at(7)), Some(PathDependence::at(7)), Some(PathDependence::at(3))],
            ),
            (
                &[7, 3, 5],
                0,
                [Some(PathDependence::at(7)), Some(PathDependence::at(7)), Some(PathDependence::at(5))],
            ),
            (&[3], 2, [Some(PathDependence::NONE); 3]),
        ];
        for (plies, in_game, drawn) in table {
            for (policy, anchor) in [HistoryDraw, HistoryIgnored, Threefold].into_iter().zip(drawn) {
                assert_eq!(policy.draw(seen(plies, in_game)), anchor, "{policy}: {plies:?} {in_game}");
            }
        }
    }
}
