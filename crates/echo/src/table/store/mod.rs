//! The storage: buckets of four entries, one cache line each, shared by all threads.
//!
//! Within a bucket the least valuable entry is replaced: shallow before deep, older searches before this one.
//! Fresh memory is zeroed lazily by the system, so a new large table costs no more than the pages used; a
//! small one is wiped in place, where something was stored: a game of a few nodes does not pay for the whole
//! table.
//!
//! The table is lock-free. A slot has two words: the data, and the key XORed with the data (Hyatt and Mann,
//! "A lock-less transposition table implementation", 2002). After a torn write the words do not match, and
//! the slot is treated as another position's.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::bounds::HashBounds;
use super::entry::age_of;
use super::{TtEntry, entry, hints};
use crate::position::Key;
use crate::range::ScoreRange;

/// Words per bucket: XORed key and packed entry, four times.
const WORDS: usize = 8;
/// Words per large page on most systems; memory before its beginning is never touched.
const LARGE_PAGE: usize = (2 << 20) / size_of::<u64>();
const BUCKETS_A_MEBIBYTE: usize = (1 << 20) / (WORDS * size_of::<u64>());
/// Tables of up to this number of mebibytes are wiped in place, which is faster than new pages.
const MOST_WIPED: usize = 64;
/// Parts of the table that are wiped separately; a power of two.
const BLOCKS: usize = 1 << 14;
/// The loss of an entry's value per search of age, in plies of depth. The position has changed since, so a
/// deep old entry is soon worth less than a shallow new one.
const COST_OF_AGE: i32 = 8;
/// The largest age; ages wrap around.
const OLDEST: u8 = 63;

/// The hash table.
pub(crate) struct TranspositionTable {
    words: Vec<AtomicU64>,
    /// The first word at the beginning of a large page, which is also aligned to a cache line.
    start: usize,
    buckets: usize,
    bounds: HashBounds,
    age: u8,
    /// XORed into the keys of entries; changed when earlier values become invalid.
    salt: u64,
    /// The previous salt, if any.
    former: Option<u64>,
    /// Whether anything was stored in each block since the table was cleared.
    used_blocks: Vec<AtomicBool>,
    touched: bool,
}

impl TranspositionTable {
    /// An empty table of this size in mebibytes.
    pub(crate) fn new(mebibytes: u32, bounds: HashBounds) -> Self {
        let buckets = mebibytes as usize * BUCKETS_A_MEBIBYTE;
        // Pages that the system has zeroed are not touched.
        let room = buckets * WORDS + LARGE_PAGE;
        let mut words: Vec<AtomicU64> = bytemuck::zeroed_vec(room);
        let word = words.as_ptr() as usize / size_of::<u64>();
        let start = word.next_multiple_of(LARGE_PAGE) - word;
        hints::advise_huge_pages(&mut words[start..start + buckets * WORDS]);
        let used_blocks = (0..BLOCKS).map(|_| AtomicBool::new(false)).collect();
        Self { start, words, buckets, bounds, salt: 0, former: None, age: 0, used_blocks, touched: false }
    }

    /// The capacity in entries.
    pub(crate) const fn capacity(&self) -> u64 {
        self.buckets as u64 * (WORDS / 2) as u64
    }

    /// Clears the table.
    pub(crate) fn clear(&mut self) {
        if !self.touched {
            return;
        }
        if self.buckets > MOST_WIPED * BUCKETS_A_MEBIBYTE {
            *self = Self::new((self.buckets / BUCKETS_A_MEBIBYTE) as u32, self.bounds);
            return;
        }
        // A mebibyte has as many buckets as there are blocks, so the division is exact.
        let buckets = self.words[self.start..].chunks_mut(self.buckets / BLOCKS * WORDS);
        for (words, used) in buckets.zip(&mut self.used_blocks) {
            if std::mem::take(used.get_mut()) {
                for word in words {
                    *word.get_mut() = 0;
                }
            }
        }
        (self.salt, self.former, self.age, self.touched) = (0, None, 0, false);
    }

    /// Starts a new search; entries age. If the search is not comparable with the one before, stored values
    /// are invalidated by a new salt; moves are still used.
    pub(crate) fn begin_search(&mut self, comparable: bool) {
        self.age = (self.age + 1) & OLDEST;
        // Not by each store, which would be a shared write for each node.
        self.touched = true;
        if !comparable {
            self.former = Some(self.salt);
            // A full-period linear congruential generator (Knuth's MMIX).
            self.salt = self.salt.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        }
    }

    /// Prefetches the bucket of a position.
    pub(crate) fn prefetch(&self, key: Key) {
        hints::prefetch(self.bucket(key));
    }

    /// The entry of a position, if any.
    pub(crate) fn probe(&self, key: Key) -> Option<TtEntry> {
        let bucket = self.bucket(key);
        match find(bucket, key.0 ^ self.salt) {
            Some((_, bits)) => TtEntry::unpack(bits, self.bounds),
            None => self.of_before(bucket, key).map(|(_, bits)| entry::bare(bits)),
        }
    }

    /// Stores an entry; its age is set here. Known data of the position is kept where the entry has none.
    pub(crate) fn store(&self, key: Key, entry: TtEntry) {
        let bits = TtEntry { age: self.age, ..entry }.pack(self.bounds);
        let bucket = self.bucket(key);
        let (slot, bits) = if let Some((slot, old)) = find(bucket, key.0 ^ self.salt) {
            let Some(merged) = self.merge(old, bits, entry) else { return };
            (slot, merged)
        } else if let Some((slot, old)) = self.of_before(bucket, key) {
            (slot, entry::with_move_of(bits, old))
        } else {
            (replacement_slot(bucket, self.age), bits)
        };
        self.mark_used(key);
        write(bucket, slot, key.0 ^ self.salt, bits);
    }

    /// Something is stored in the block of this position, which is given by the first bits of its key, as its
    /// bucket is.
    fn mark_used(&self, key: Key) {
        let used = &self.used_blocks[(key.0 >> (u64::BITS - BLOCKS.ilog2())) as usize];
        // Read first: writing at every store would take the cache line from the other threads.
        if !used.load(Relaxed) {
            used.store(true, Relaxed);
        }
    }

    /// The entry with the previous salt; only its move is used.
    fn of_before(&self, bucket: &Bucket, key: Key) -> Option<(usize, u64)> {
        self.former.and_then(|salt| find(bucket, key.0 ^ salt))
    }

    /// Merges with an existing entry; `None` if the existing one is kept.
    fn merge(&self, old: u64, bits: u64, entry: TtEntry) -> Option<u64> {
        let knew = entry::has_value(old, self.bounds);
        if knew && entry.range == ScoreRange::UNKNOWN {
            return Some(entry::with_move_of(old & !entry::MOVE | bits & entry::MOVE, old));
        }
        let of_this_search = age_of(old) == self.age;
        // A much shallower bound does not replace a deep one. By up to three plies it does: it fits the
        // present window.
        if knew && of_this_search && !entry.range.is_exact() && entry.depth + 3 < entry::depth_of(old) {
            return None;
        }
        // At equal depth two searches with different windows may each have shown one bound.
        if self.bounds == HashBounds::Dual
            && of_this_search
            && entry.depth == entry::depth_of(old)
            && let Some(TtEntry { range, .. }) = TtEntry::unpack(old, self.bounds)
        {
            let narrowed = TtEntry { range: range.and(entry.range), age: self.age, ..entry };
            return Some(entry::with_marks_of(narrowed.pack(self.bounds), old));
        }
        Some(entry::with_marks_of(bits, old))
    }

    /// Whether entries have both a lower and an upper bound.
    pub(crate) fn keeps_both_bounds(&self) -> bool {
        self.bounds == HashBounds::Dual
    }

    /// Marks a position as open (detector `OpenFlag`), and returns its previous mark; 0 means none. A mark is
    /// lost when its entry is replaced.
    pub(crate) fn open(&self, key: Key, mark: u8) -> u8 {
        let bucket = self.bucket(key);
        let known = find(bucket, key.0 ^ self.salt);
        if known.is_none() && mark == 0 {
            return 0;
        }
        let (slot, bits) = known.unwrap_or_else(|| {
            let before = self.of_before(bucket, key).map(|(slot, bits)| (slot, bits & entry::MOVE));
            let (slot, mv) = before.unwrap_or_else(|| (replacement_slot(bucket, self.age), 0));
            (slot, entry::aged(mv, self.age))
        });
        self.mark_used(key);
        write(bucket, slot, key.0 ^ self.salt, entry::opened(bits, mark));
        entry::mark_of(bits)
    }

    /// The occupancy by entries of the current search, in thousandths.
    pub(crate) fn hashfull(&self) -> u16 {
        // A thousand entries, which any part of the table represents, since keys are random.
        let sample = self.buckets.min(250);
        let per_block = self.buckets / BLOCKS;
        let fresh = self.words[self.start..self.start + sample * WORDS]
            .chunks(per_block * WORDS)
            .zip(&self.used_blocks)
            .filter(|(_, used)| used.load(Relaxed))
            .flat_map(|(words, _)| words.chunks_exact(2))
            .map(|slot| slot[1].load(Relaxed))
            .filter(|&bits| bits != 0 && age_of(bits) == self.age)
            .count();
        (fresh * 1000 / (4 * sample)) as u16
    }

    fn bucket(&self, key: Key) -> &Bucket {
        // Multiply and shift (Lemire 2016): any number of buckets, without a division.
        let index = ((u128::from(key.0) * self.buckets as u128) >> 64) as usize;
        self.words[self.start + index * WORDS..].first_chunk().expect("the last bucket is whole")
    }
}

type Bucket = [AtomicU64; WORDS];

/// The slot with this signature and its data.
fn find(bucket: &Bucket, signature: u64) -> Option<(usize, u64)> {
    bucket
        .chunks_exact(2)
        .map(|slot| (slot[0].load(Relaxed), slot[1].load(Relaxed)))
        .enumerate()
        .find(|&(_, (key_and_data, bits))| key_and_data ^ bits == signature)
        .map(|(slot, (_, bits))| (slot, bits))
}

/// Writes a slot. Another thread may write it at the same time: then signature and data do not match, and the
/// slot is as good as empty.
fn write(bucket: &Bucket, slot: usize, signature: u64, bits: u64) {
    bucket[2 * slot].store(signature ^ bits, Relaxed);
    bucket[2 * slot + 1].store(bits, Relaxed);
}

/// The slot to replace.
fn replacement_slot(bucket: &Bucket, age: u8) -> usize {
    let worth_of = |slot: &usize| worth(bucket[2 * slot + 1].load(Relaxed), age);
    (0..WORDS / 2).min_by_key(worth_of).expect("a bucket has slots")
}

/// The value of an entry; an empty slot has the least.
fn worth(bits: u64, age: u8) -> i32 {
    if bits == 0 {
        return i32::MIN;
    }
    i32::from(entry::depth_of(bits)) - COST_OF_AGE * i32::from(searches_ago(age_of(bits), age))
}

const fn searches_ago(then: u8, now: u8) -> u8 {
    now.wrapping_sub(then) & OLDEST
}

#[cfg(test)]
mod tests;
