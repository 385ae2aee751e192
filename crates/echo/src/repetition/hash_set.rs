//! The path's keys in a small table of their own, where one look tells most positions from all others
//! (Moreland, after Gerbil).
//!
//! Keys come and go like the plies of a stack, last in, first out. So the table needs no marks for what was
//! erased: whatever lies behind a slot in its chain came later, and is gone before it.

use super::{Occurrences, Path};
use crate::position::Key;

/// More than twice the positions that a path can hold since the last capture or pawn move.
const SLOTS: usize = 1024;

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: u64,
    /// The index in the path, from 1; 0 where nothing lies here.
    number: u32,
}

/// The keys of a path.
pub(super) struct HashSet {
    slots: Box<[Slot; SLOTS]>,
}

impl HashSet {
    /// With the positions of the game that can come again.
    pub(super) fn of(path: &Path) -> Self {
        let mut set = Self { slots: Box::new([Slot::default(); SLOTS]) };
        let root = path.len() - 1;
        for index in root - path.reach()..=root {
            set.insert_at(path.at(index).key, index);
        }
        set
    }

    /// The position on top of the path is entered.
    pub(super) fn insert(&mut self, path: &Path) {
        let index = path.len() - 1;
        self.insert_at(path.at(index).key, index);
    }

    fn insert_at(&mut self, key: Key, index: usize) {
        let slot = chain(key).find(|&slot| self.slots[slot].number == 0);
        let slot = slot.expect("a path is shorter than the table");
        self.slots[slot] = Slot { key: key.0, number: index as u32 + 1 };
    }

    /// The position on top of the path is left.
    pub(super) fn erase(&mut self, path: &Path) {
        let number = path.len() as u32;
        let key = path.at(path.len() - 1).key;
        let own = chain(key).find(|&slot| self.slots[slot].number == number);
        self.slots[own.expect("it was inserted when it was entered")] = Slot::default();
    }

    /// How often the position on top occurred before.
    pub(super) fn seen(&self, path: &Path) -> Occurrences {
        let top = path.len() - 1;
        let key = path.at(top).key;
        let first = top - path.reach();
        let mut seen = Occurrences::default();
        for slot in chain(key).map(|slot| self.slots[slot]).take_while(|slot| slot.number > 0) {
            let index = slot.number as usize - 1;
            // What lies before a null move doesn't count.
            if slot.key == key.0 && index != top && first <= index {
                seen.count(index, path.game());
            }
        }
        seen
    }
}

/// The slots in which a key may lie, in the order in which they are tried.
fn chain(key: Key) -> impl Iterator<Item = usize> {
    let home = (key.0 >> 32) as usize;
    (0..SLOTS).map(move |step| (home + step) % SLOTS)
}
