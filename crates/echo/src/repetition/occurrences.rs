//! Earlier occurrences of a position.

use super::PathDependence;

/// Earlier occurrences of a position, in the search line and in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Occurrences {
    /// In the search line below the root.
    pub in_tree: u32,
    /// In the game, including the root.
    pub in_game: u32,
    /// The plies of the last two occurrences in the tree, the last one first; 0 for none.
    plies: [u8; 2],
}

impl Occurrences {
    /// Adds an occurrence at this index of the path, whose first `game` positions belong to the game. The
    /// order of calls does not matter.
    pub(super) fn count(&mut self, index: usize, game: usize) {
        if index < game {
            self.in_game += 1;
            return;
        }
        self.in_tree += 1;
        let ply = (index + 1 - game) as u8;
        let [last, before] = self.plies;
        self.plies = if ply > last { [ply, last] } else { [last, before.max(ply)] };
    }

    /// The last occurrence in the tree.
    pub(super) const fn last(self) -> PathDependence {
        PathDependence::on_ply(self.plies[0] as usize)
    }

    /// The second-last occurrence in the tree.
    pub(super) const fn last_but_one(self) -> PathDependence {
        PathDependence::on_ply(self.plies[1] as usize)
    }

    /// Whether it never occurred before.
    pub const fn is_new(self) -> bool {
        self.in_tree + self.in_game == 0
    }
}
