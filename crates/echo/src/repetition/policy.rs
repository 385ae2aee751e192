//! The repetition policy: when the search scores a repeated position as a draw.
//!
//! By the rules a third occurrence is a draw if claimed. Waiting for the third wastes search depth. Scoring
//! the first repetition as a draw is fast but wrong for positions of the game, which the opponent cannot be
//! forced to enter again. Each policy is one answer (Moreland).

use super::{Occurrences, PathDependence};
use threefold_named_enum::named_enum;

named_enum! {
    /// The repetition policy: when the search scores a repeated position as a draw.
    pub enum RepetitionPolicy {
        /// A second occurrence, in the tree or in the game.
        HistoryDraw = "HistoryDraw",
        /// A second occurrence within the tree, or a third one including the game.
        HistoryIgnored = "HistoryIgnored",
        /// A true third occurrence only, as an arbiter would accept.
        Threefold = "Threefold",
    }
}

impl RepetitionPolicy {
    /// Whether a position with these occurrences is scored as a draw, and on which ancestor that draw
    /// depends.
    ///
    /// A position that is a draw by its occurrences in the game alone is independent of the path.
    pub const fn draw(self, seen: Occurrences) -> Option<PathDependence> {
        match (self, seen.in_game, seen.in_tree) {
            (Self::HistoryDraw, 1.., _) | (_, 2.., _) => Some(PathDependence::NONE),
            // An occurrence in the game is part of every line, so only the last one in the tree counts.
            (Self::HistoryDraw | Self::HistoryIgnored, _, 1..) | (Self::Threefold, 1, 1..) => {
                Some(seen.last())
            }
            // Both occurrences are needed, and the last but one is the higher ancestor.
            (Self::Threefold, 0, 2..) => Some(seen.last_but_one()),
            _ => None,
        }
    }

    /// The number of occurrences in the game from which on a position's value changes.
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

    /// Occurrences at these plies of the tree and this number in the game.
    fn seen(plies: &[usize], in_game: usize) -> Occurrences {
        let mut seen = Occurrences::default();
        for index in (0..in_game).chain(plies.iter().map(|ply| 9 + ply)) {
            seen.count(index, 10);
        }
        seen
    }

    #[test]
    fn policies_score_the_documented_draws() {
        let table = [
            // plies in the tree, occurrences in the game, the dependence of the draw under each policy
            (&[][..], 0, [None, None, None]),
            (&[], 1, [Some(PathDependence::NONE), None, None]),
            (&[3], 0, [Some(PathDependence::on_ply(3)), Some(PathDependence::on_ply(3)), None]),
            (&[], 2, [Some(PathDependence::NONE); 3]),
            (
                &[3],
                1,
                [
                    Some(PathDependence::NONE),
                    Some(PathDependence::on_ply(3)),
                    Some(PathDependence::on_ply(3)),
                ],
            ),
            (
                &[3, 7],
                0,
                [
                    Some(PathDependence::on_ply(7)),
                    Some(PathDependence::on_ply(7)),
                    Some(PathDependence::on_ply(3)),
                ],
            ),
            (
                &[7, 3, 5],
                0,
                [
                    Some(PathDependence::on_ply(7)),
                    Some(PathDependence::on_ply(7)),
                    Some(PathDependence::on_ply(5)),
                ],
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
