//! Entries that several threads decrease concurrently.
//!
//! Eight entries share a word, so that entries of one value are found eight at a time. Within a sweep the
//! order of writes does not matter, since entries only decrease; all accesses are relaxed. Threads are joined
//! between sweeps.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::entry::TableEntry;

/// Entries per word.
pub(super) const IN_WORD: usize = 8;

const ONES: u64 = 0x0101_0101_0101_0101;

/// One entry per address.
pub(super) struct AtomicEntries {
    words: Vec<AtomicU64>,
    /// The largest distance written so far.
    longest: AtomicU8,
}

impl AtomicEntries {
    /// A number of entries, a multiple of eight, all drawn.
    pub(super) fn new(entries: usize) -> Self {
        let drawn = ONES * u64::from(TableEntry::DRAW.byte());
        let words = (0..entries / IN_WORD).map(|_| AtomicU64::new(drawn)).collect();
        Self { words, longest: AtomicU8::new(0) }
    }

    #[inline]
    pub(super) fn get(&self, address: u32) -> TableEntry {
        let word = self.words[address as usize / IN_WORD].load(Ordering::Relaxed);
        TableEntry::from_byte((word >> shift(address)) as u8)
    }

    /// Decreases an entry to a mate at this distance, unless it is smaller already.
    #[inline]
    pub(super) fn lower(&self, address: u32, to: TableEntry) {
        let word = &self.words[address as usize / IN_WORD];
        let shift = shift(address);
        let lowered = |word: u64| {
            ((word >> shift) as u8 > to.byte())
                .then_some(word & !(0xff << shift) | u64::from(to.byte()) << shift)
        };
        if word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, lowered).is_ok() {
            self.note(to);
        }
    }

    /// Writes a whole word that no other thread writes.
    pub(super) fn write(&self, word: usize, entries: [TableEntry; IN_WORD]) {
        let bytes = entries.map(TableEntry::byte);
        self.words[word].store(u64::from_le_bytes(bytes), Ordering::Relaxed);
        for entry in entries {
            if entry.is_mate() {
                self.note(entry);
            }
        }
    }

    fn note(&self, entry: TableEntry) {
        // A load first: the maximum changes rarely, and each write would contend for its cache line.
        if self.longest.load(Ordering::Relaxed) < entry.byte() {
            self.longest.fetch_max(entry.byte(), Ordering::Relaxed);
        }
    }

    /// The largest distance written so far.
    pub(super) fn longest(&self) -> u8 {
        self.longest.load(Ordering::Relaxed)
    }

    pub(super) const fn words(&self) -> usize {
        self.words.len()
    }

    /// The entries of a word.
    pub(super) fn word(&self, word: usize) -> [TableEntry; IN_WORD] {
        self.words[word].load(Ordering::Relaxed).to_le_bytes().map(TableEntry::from_byte)
    }

    /// Visits the addresses with this value in a range of words.
    pub(super) fn each(&self, words: Range<usize>, value: TableEntry, mut visit: impl FnMut(u32)) {
        let pattern = ONES * u64::from(value.byte());
        for number in words {
            let differs = self.words[number].load(Ordering::Relaxed) ^ pattern;
            // A zero byte borrows from the next: the test may report one too many, never one too few.
            if differs.wrapping_sub(ONES) & !differs & (ONES << 7) == 0 {
                continue;
            }
            for (within, byte) in differs.to_le_bytes().into_iter().enumerate() {
                if byte == 0 {
                    visit((number * IN_WORD + within) as u32);
                }
            }
        }
    }
}

#[inline]
const fn shift(address: u32) -> u32 {
    address % IN_WORD as u32 * 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atomic_entries_decrease_and_are_found_by_value() {
        let cells = AtomicEntries::new(16);
        for (address, plies) in [(3, 9), (3, 4), (3, 6), (4, 5), (12, 4)] {
            cells.lower(address, TableEntry::mate_in(plies));
        }
        for (plies, expected) in [(4, &[3, 12][..]), (5, &[4]), (6, &[]), (9, &[])] {
            let mut found = Vec::new();
            cells.each(0..cells.words(), TableEntry::mate_in(plies), |address| found.push(address));
            assert_eq!(found, expected, "{plies}");
        }
        assert_eq!((cells.longest(), cells.get(0)), (9, TableEntry::DRAW));
    }
}
