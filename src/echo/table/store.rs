//! Where entries are kept: buckets of four, one cache line each.
//!
//! Within a bucket the entry that is worth least gives way: shallow before deep, of an earlier search before
//! of this one. Empty memory comes zeroed from the system, page by page as it is touched, so a fresh table
//! for every game costs no more than the game uses of it.

use super::Entry;
use crate::echo::position::Key;
use crate::echo::request::Bound;

/// Key and packed entry, four times.
type Bucket = [u64; 8];

const BUCKETS_A_MEBIBYTE: usize = (1 << 20) / size_of::<Bucket>();
/// What being one search older takes off an entry's worth, in plies of depth.
const COST_OF_AGE: i32 = 8;

/// The hash table.
pub(in crate::echo) struct Table {
    buckets: Vec<Bucket>,
    age: u8,
    touched: bool,
}

impl Table {
    /// An empty table of so many mebibytes.
    pub(in crate::echo) fn new(mebibytes: u32) -> Self {
        Self { buckets: vec![[0; 8]; mebibytes as usize * BUCKETS_A_MEBIBYTE], age: 0, touched: false }
    }

    /// Empties it.
    pub(in crate::echo) fn clear(&mut self) {
        if self.touched {
            *self = Self::new((self.buckets.len() / BUCKETS_A_MEBIBYTE) as u32);
        }
    }

    /// A new search begins; what is here grows older.
    pub(in crate::echo) fn grow_older(&mut self) {
        self.age = (self.age + 1) & 63;
    }

    /// What is known of a position.
    pub(in crate::echo) fn probe(&self, key: Key) -> Option<Entry> {
        let bucket = &self.buckets[self.index(key)];
        bucket.chunks_exact(2).find(|slot| slot[0] == key.0).and_then(|slot| Entry::unpack(slot[1]))
    }

    /// Remembers; the entry's age is set here. A move that is already known is kept where none is given.
    pub(in crate::echo) fn store(&mut self, key: Key, mut entry: Entry) {
        entry.age = self.age;
        self.touched = true;
        let age = self.age;
        let index = self.index(key);
        let bucket = &mut self.buckets[index];
        let slot = bucket
            .chunks_exact_mut(2)
            .min_by_key(|slot| if slot[0] == key.0 { i32::MIN } else { worth(slot[1], age) })
            .expect("a bucket has four slots");
        if slot[0] == key.0
            && let Some(old) = Entry::unpack(slot[1])
        {
            // A much shallower bound is no reason to forget what a deep search found.
            if entry.bound != Bound::Exact && old.age == age && entry.depth + 3 < old.depth {
                return;
            }
            entry.best = entry.best.or(old.best);
        }
        slot[0] = key.0;
        slot[1] = entry.pack();
    }

    /// Thousandths of the table that hold entries of the present search.
    pub(in crate::echo) fn fullness(&self) -> u16 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let fresh = sample
            .iter()
            .flat_map(|bucket| bucket.chunks_exact(2))
            .filter(|slot| Entry::unpack(slot[1]).is_some_and(|entry| entry.age == self.age))
            .count();
        (fresh * 1000 / (4 * sample.len())) as u16
    }

    fn index(&self, key: Key) -> usize {
        ((u128::from(key.0) * self.buckets.len() as u128) >> 64) as usize
    }
}

/// An empty slot is worth least.
fn worth(packed: u64, age: u8) -> i32 {
    Entry::unpack(packed).map_or(i32::MIN + 1, |entry| {
        i32::from(entry.depth) - COST_OF_AGE * i32::from(age.wrapping_sub(entry.age) & 63)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::echo::value::Value;

    fn entry(depth: u8) -> Entry {
        Entry {
            best: "e2e4".parse().ok(),
            value: Value::judged(12),
            evaluation: None,
            depth,
            bound: Bound::Exact,
            age: 0,
        }
    }

    #[test]
    fn the_shallowest_gives_way() {
        let mut table = Table::new(1);
        for low_bits in 1..=5 {
            table.store(Key(low_bits), entry(low_bits as u8 + 10));
        }
        assert_eq!(table.probe(Key(1)), None);
        assert!((2..=5).all(|key| table.probe(Key(key)).is_some()));
    }

    #[test]
    fn a_cleared_table_knows_nothing() {
        let mut table = Table::new(1);
        table.grow_older();
        table.store(Key(7), entry(3));
        assert!(table.probe(Key(7)).is_some());
        assert!(table.fullness() > 0);
        table.clear();
        assert_eq!((table.probe(Key(7)), table.fullness(), table.age), (None, 0, 0));
    }

    #[test]
    fn a_known_move_survives_a_store_without_one() {
        let mut table = Table::new(1);
        table.store(Key(7), entry(3));
        table.store(Key(7), Entry { best: None, ..entry(4) });
        assert_eq!(table.probe(Key(7)).and_then(|entry| entry.best), "e2e4".parse().ok());
    }
}
