//! Marks in the hash table on every position of the path (Thompson; Muller's Fairy-Max has such a bit).
//!
//! Nothing is compared: whoever meets a marked entry has been there. What can go wrong is that an entry gives
//! way to another while its position is on the path, and the mark is lost with it; that a null move lies between,
//! of which a mark knows nothing; and that threads share the marks. A mark tells one occurrence in the line, and then
//! none of the game, so that under [`super::RepetitionPolicy::Threefold`] a third one is not seen. Nor does it say
//! where the position stood: its draws are taken to hang on the root's first move.

use super::{Occurrences, Path};
use crate::position::Key;
use crate::table::TranspositionTable;

/// Stood once in the game.
const ONCE: u8 = 1;
/// Stood in the game more often.
const OFTEN: u8 = 2;
/// Stands in the search line.
const IN_TREE: u8 = 3;

/// The marks that a search has made.
pub(super) struct OpenFlags<'a> {
    table: &'a TranspositionTable,
    /// How each position was marked before this search came by: the game's, then the line's.
    before: Vec<(u64, u8)>,
    game: usize,
}

impl<'a> OpenFlags<'a> {
    /// Marks the positions of the game that can come again.
    pub(super) fn of(path: &Path, table: &'a TranspositionTable) -> Self {
        let root = path.len() - 1;
        let mut flags = Self { table, before: Vec::with_capacity(512), game: 0 };
        for index in root - path.reach()..=root {
            let key = path.at(index).key;
            let before = table.open(key, ONCE);
            if before != 0 {
                table.open(key, OFTEN);
            }
            flags.before.push((key.0, before));
        }
        flags.game = flags.before.len();
        flags
    }

    /// The position on top of the path is entered.
    pub(super) fn open(&mut self, path: &Path) {
        let key = path.at(path.len() - 1).key;
        self.before.push((key.0, self.table.open(key, IN_TREE)));
    }

    /// The position on top of the path is left.
    pub(super) fn close(&mut self, path: &Path) {
        let (_, before) = self.before.pop().expect("it was opened when it was entered");
        self.table.open(path.at(path.len() - 1).key, before);
    }

    /// How often the position on top occurred before, by its mark.
    pub(super) fn occurrences(&self) -> Occurrences {
        let mut seen = Occurrences::default();
        match self.before.last() {
            Some(&(_, ONCE)) => seen.count(0, 1),
            Some(&(_, OFTEN)) => (0..2).for_each(|index| seen.count(index, 2)),
            Some(&(_, IN_TREE)) => seen.count(1, 1),
            Some(_) | None => {}
        }
        seen
    }
}

/// Whoever searches next finds no marks.
impl Drop for OpenFlags<'_> {
    fn drop(&mut self) {
        for &(key, before) in self.before.iter().rev() {
            self.table.open(Key(key), before);
        }
    }
}
