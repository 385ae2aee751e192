//! How often a position occurred before, and where.

use super::PathDependence;

/// How often a position of the search occurred before, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Occurrences {
    /// In the search line below the root.
    pub in_tree: u32,
    /// In the game, the root's own position included.
    pub in_game: u32,
    /// Plies below the root of the last two occurrences in the tree, the last one first; 0 where there is none.
    plies: [u8; 2],
}

impl Occurrences {
    /// One occurrence more: at this index of the path, of which so many positions are the game's. Whoever
    /// counts goes through them in any order.
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
        PathDependence::at(self.plies[0] as usize)
    }

    /// The last occurrence in the tree but one.
    pub(super) const fn last_but_one(self) -> PathDependence {
        PathDependence::at(self.plies[1] as usize)
    }

    /// Did it never occur before?
    pub const fn is_new(self) -> bool {
        self.in_tree + self.in_game == 0
    }
}
