//! Where entries are kept: buckets of four, one cache line each, shared by all threads of a search.
//!
//! Within a bucket the entry that is worth least gives way: shallow before deep, of an earlier search before
//! of this one. Empty memory comes zeroed from the system, page by page as it is touched, so a fresh
//! large table for every game costs no more than the game uses of it; a small one is wiped.
//!
//! Nothing is locked. A slot is two words, the entry and its key crossed with the entry (Hyatt and Mann, "A
//! lock-less transposition table implementation", 2002): if two threads write at once, the words no longer
//! fit together and the slot is taken for another position's.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{Entry, hints};
use crate::echo::position::Key;
use crate::echo::request::Bound;

/// Words a bucket: crossed key and packed entry, four times.
const WORDS: usize = 8;
/// Words a large page, as most systems have them; what lies before its beginning is never touched.
const LARGE_PAGE: usize = (2 << 20) / size_of::<u64>();
const BUCKETS_A_MEBIBYTE: usize = (1 << 20) / (WORDS * size_of::<u64>());
/// Up to so many mebibytes are wiped in place, which costs less than it does to get every page anew.
const MOST_WIPED: usize = 64;
/// What being one search older takes off an entry's worth, in plies of depth.
const COST_OF_AGE: i32 = 8;

/// The hash table.
pub(in crate::echo) struct Table {
    words: Vec<AtomicU64>,
    /// The first word that begins a large page, and with it a cache line.
    start: usize,
    buckets: usize,
    age: u8,
    touched: bool,
}

impl Table {
    /// An empty table of so many mebibytes.
    pub(in crate::echo) fn new(mebibytes: u32) -> Self {
        let buckets = mebibytes as usize * BUCKETS_A_MEBIBYTE;
        // Collected in place: the zeroed pages become atomic words without being touched.
        let room = buckets * WORDS + LARGE_PAGE;
        let mut words: Vec<_> = vec![0; room].into_iter().map(AtomicU64::new).collect();
        let word = words.as_ptr() as usize / size_of::<u64>();
        let start = word.next_multiple_of(LARGE_PAGE) - word;
        hints::wants_large_pages(&mut words[start..start + buckets * WORDS]);
        Self { start, words, buckets, age: 0, touched: false }
    }

    /// Empties it.
    pub(in crate::echo) fn clear(&mut self) {
        if !self.touched {
            return;
        }
        if self.buckets > MOST_WIPED * BUCKETS_A_MEBIBYTE {
            *self = Self::new((self.buckets / BUCKETS_A_MEBIBYTE) as u32);
            return;
        }
        for word in &mut self.words[self.start..self.start + self.buckets * WORDS] {
            *word.get_mut() = 0;
        }
        (self.age, self.touched) = (0, false);
    }

    /// A new search begins; what is here grows older.
    pub(in crate::echo) fn grow_older(&mut self) {
        self.age = (self.age + 1) & 63;
        self.touched = true;
    }

    /// Has what may be known of a position brought near, while there is still something else to do.
    pub(in crate::echo) fn prefetch(&self, key: Key) {
        hints::bring_near(self.bucket(key));
    }

    /// What is known of a position.
    pub(in crate::echo) fn probe(&self, key: Key) -> Option<Entry> {
        self.bucket(key)
            .chunks_exact(2)
            .map(|slot| (slot[0].load(Relaxed), slot[1].load(Relaxed)))
            .find(|&(crossed, bits)| crossed ^ bits == key.0)
            .and_then(|(_, bits)| Entry::unpack(bits))
    }

    /// Remembers; the entry's age is set here. A move that is already known is kept where none is given.
    pub(in crate::echo) fn store(&self, key: Key, mut entry: Entry) {
        entry.age = self.age;
        let bucket = self.bucket(key);
        let (mut at, mut least, mut known) = (0, i32::MAX, None);
        for (index, slot) in bucket.chunks_exact(2).enumerate() {
            let bits = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ bits == key.0 {
                (at, known) = (index, Entry::unpack(bits));
                break;
            }
            let worth = worth(bits, self.age);
            if worth < least {
                (at, least) = (index, worth);
            }
        }
        if let Some(old) = known {
            // A much shallower bound is no reason to forget what a deep search found.
            if entry.bound != Bound::Exact && old.age == self.age && entry.depth + 3 < old.depth {
                return;
            }
            entry.best = entry.best.or(old.best);
        }
        let bits = entry.pack();
        bucket[2 * at].store(key.0 ^ bits, Relaxed);
        bucket[2 * at + 1].store(bits, Relaxed);
    }

    /// Thousandths of the table that hold entries of the present search.
    pub(in crate::echo) fn fullness(&self) -> u16 {
        let sample = self.buckets.min(250);
        let fresh = self.words[self.start..self.start + sample * WORDS]
            .chunks_exact(2)
            .filter(|slot| Entry::unpack(slot[1].load(Relaxed)).is_some_and(|entry| entry.age == self.age))
            .count();
        (fresh * 1000 / (4 * sample)) as u16
    }

    fn bucket(&self, key: Key) -> &[AtomicU64; WORDS] {
        let index = ((u128::from(key.0) * self.buckets as u128) >> 64) as usize;
        self.words[self.start + index * WORDS..].first_chunk().expect("the last bucket is whole")
    }
}

/// An empty slot is worth least.
fn worth(packed: u64, age: u8) -> i32 {
    if packed == 0 {
        return i32::MIN;
    }
    let older = age.wrapping_sub((packed >> 58) as u8) & 63;
    i32::from((packed >> 48) as u8) - COST_OF_AGE * i32::from(older)
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
        let table = Table::new(1);
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
        let table = Table::new(1);
        table.store(Key(7), entry(3));
        table.store(Key(7), Entry { best: None, ..entry(4) });
        assert_eq!(table.probe(Key(7)).and_then(|entry| entry.best), "e2e4".parse().ok());
    }

    #[test]
    fn a_slot_torn_between_two_writers_is_nobodys() {
        let table = Table::new(1);
        table.store(Key(7), entry(3));
        table.bucket(Key(7))[1].store(entry(9).pack(), Relaxed);
        assert_eq!(table.probe(Key(7)), None);
    }
}
