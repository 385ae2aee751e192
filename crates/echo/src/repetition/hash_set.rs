//! A small hash set of the path's keys, which answers most look-ups with one probe (Moreland, after Gerbil).
//!
//! Keys are added and removed in stack order. The table therefore needs no tombstones: whatever is behind a
//! slot in its chain came later and is removed earlier.

use super::{Occurrences, Path};
use crate::position::Key;

/// More than twice the largest number of positions since the last capture or pawn move.
const SLOTS: usize = 1024;

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: u64,
    /// The index in the path, from 1; 0 for an empty slot.
    number: u32,
}

/// The keys of a path.
pub(super) struct HashSet {
    slots: Box<[Slot; SLOTS]>,
}

impl HashSet {
    /// The set with the positions of the game that can recur.
    pub(super) fn from_path(path: &Path) -> Self {
        let mut set = Self { slots: Box::new([Slot::default(); SLOTS]) };
        let root = path.len() - 1;
        for index in root - path.reach()..=root {
            set.insert_at(path.entry(index).key, index);
        }
        set
    }

    /// Adds the top position of the path.
    pub(super) fn insert(&mut self, path: &Path) {
        let index = path.len() - 1;
        self.insert_at(path.entry(index).key, index);
    }

    fn insert_at(&mut self, key: Key, index: usize) {
        let slot = chain(key).find(|&slot| self.slots[slot].number == 0);
        let slot = slot.expect("a path is shorter than the table");
        self.slots[slot] = Slot { key: key.0, number: index as u32 + 1 };
    }

    /// Removes the top position of the path.
    pub(super) fn erase(&mut self, path: &Path) {
        let number = path.len() as u32;
        let key = path.entry(path.len() - 1).key;
        let own = chain(key).find(|&slot| self.slots[slot].number == number);
        self.slots[own.expect("it was inserted when it was entered")] = Slot::default();
    }

    /// The earlier occurrences of the top position.
    pub(super) fn seen(&self, path: &Path) -> Occurrences {
        let top = path.len() - 1;
        let key = path.entry(top).key;
        let first = top - path.reach();
        let mut seen = Occurrences::default();
        for slot in chain(key).map(|slot| self.slots[slot]).take_while(|slot| slot.number > 0) {
            let index = slot.number as usize - 1;
            // Positions before a null move do not count.
            if slot.key == key.0 && index != top && first <= index {
                seen.count(index, path.game());
            }
        }
        seen
    }
}

/// The probe sequence of a key.
fn chain(key: Key) -> impl Iterator<Item = usize> {
    let home = (key.0 >> 32) as usize;
    (0..SLOTS).map(move |step| (home + step) % SLOTS)
}
