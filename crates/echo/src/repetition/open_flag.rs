//! Marks every position of the path in the hash table (Thompson; Muller's Fairy-Max has such a bit).
//!
//! Nothing is compared: a marked entry means a repetition. The method fails if an entry is overwritten while
//! its position is on the path, which loses the mark; after a null move, which marks ignore; and with several
//! threads, which share the marks. A mark records one occurrence in the search line, and then none in the
//! game, so under [`super::RepetitionPolicy::Threefold`] a third one is not detected. It does not record
//! where the position occurred: its draws are assumed to depend on the root's first move.

use super::{Occurrences, Path};
use crate::position::Key;
use crate::table::TranspositionTable;

/// Occurred once in the game.
const ONCE: u8 = 1;
/// Occurred more than once in the game.
const OFTEN: u8 = 2;
/// Occurred in the search line.
const IN_TREE: u8 = 3;

/// The marks of a search.
pub(super) struct OpenFlags<'a> {
    table: &'a TranspositionTable,
    /// The earlier mark of each position: the game's positions, then the line's.
    before: Vec<(u64, u8)>,
    game: usize,
}

impl<'a> OpenFlags<'a> {
    /// Marks the positions of the game that can recur.
    pub(super) fn from_path(path: &Path, table: &'a TranspositionTable) -> Self {
        let root = path.len() - 1;
        let mut flags = Self { table, before: Vec::with_capacity(512), game: 0 };
        for index in root - path.reach()..=root {
            let key = path.entry(index).key;
            let before = table.open(key, ONCE);
            if before != 0 {
                table.open(key, OFTEN);
            }
            flags.before.push((key.0, before));
        }
        flags.game = flags.before.len();
        flags
    }

    /// Marks the top position of the path.
    pub(super) fn open(&mut self, path: &Path) {
        let key = path.entry(path.len() - 1).key;
        self.before.push((key.0, self.table.open(key, IN_TREE)));
    }

    /// Restores the mark of the top position.
    pub(super) fn close(&mut self, path: &Path) {
        let (_, before) = self.before.pop().expect("it was opened when it was entered");
        self.table.open(path.entry(path.len() - 1).key, before);
    }

    /// The occurrences of the top position, by its mark.
    pub(super) fn occurrences(&self) -> Occurrences {
        let mut seen = Occurrences::default();
        match self.before.last() {
            // A mark has no place in the path. These indices only mean "in the game", and "at ply 1 of the
            // tree".
            Some(&(_, ONCE)) => seen.count(0, 1),
            Some(&(_, OFTEN)) => (0..2).for_each(|index| seen.count(index, 2)),
            Some(&(_, IN_TREE)) => seen.count(1, 1),
            Some(_) | None => {}
        }
        seen
    }
}

/// Removes the marks at the end of a search.
impl Drop for OpenFlags<'_> {
    fn drop(&mut self) {
        // The newest mark first, so that the earliest one of a repeated position is restored last.
        for &(key, before) in self.before.iter().rev() {
            self.table.open(Key(key), before);
        }
    }
}
