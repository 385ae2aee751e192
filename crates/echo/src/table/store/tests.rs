//! The table stores, finds and clears.

use super::*;
use crate::value::Value;
use threefold_chess::score::Bound;

fn entry(depth: u8) -> TtEntry {
    TtEntry {
        best: "e2e4".parse().ok(),
        range: ScoreRange::exactly(Value::evaluation(12)),
        evaluation: None,
        depth,
        age: 0,
        open: 0,
    }
}

fn small(bounds: HashBounds) -> TranspositionTable {
    TranspositionTable::new(1, bounds)
}

#[test]
fn store_replaces_the_shallowest_entry() {
    let table = small(HashBounds::Single);
    for low_bits in 1..=5 {
        table.store(Key(low_bits), entry(low_bits as u8 + 10));
    }
    assert_eq!(table.probe(Key(1)), None);
    assert!((2..=5).all(|key| table.probe(Key(key)).is_some()));
}

#[test]
fn cleared_table_is_empty() {
    let mut table = small(HashBounds::Single);
    table.begin_search(true);
    table.store(Key(7), entry(3));
    assert!(table.probe(Key(7)).is_some());
    assert!(table.hashfull() > 0);
    table.clear();
    assert_eq!((table.probe(Key(7)), table.hashfull(), table.age), (None, 0, 0));
}

#[test]
fn large_cleared_table_is_empty_and_as_large_as_before() {
    for mebibytes in [MOST_WIPED as u32, MOST_WIPED as u32 + 1] {
        let mut table = TranspositionTable::new(mebibytes, HashBounds::Dual);
        let capacity = table.capacity();
        table.begin_search(true);
        table.store(Key(7), entry(3));
        table.clear();
        assert_eq!((table.probe(Key(7)), table.capacity()), (None, capacity), "{mebibytes} MiB");
        assert!(table.keeps_both_bounds());
    }
}

#[test]
fn hashfull_counts_the_entries_of_this_search() {
    for mebibytes in [1, 3, 16] {
        let mut table = TranspositionTable::new(mebibytes, HashBounds::Single);
        let mut key: u64 = 1;
        for entries in [300, 40_000_u32] {
            table.begin_search(true);
            for _ in 0..entries {
                key = key.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                table.store(Key(key), entry(3));
            }
            let sample = &table.words[table.start..table.start + 250 * WORDS];
            let data = sample.iter().skip(1).step_by(2).map(|word| word.load(Relaxed));
            let fresh = data.filter(|&bits| bits != 0 && age_of(bits) == table.age).count();
            assert_eq!(usize::from(table.hashfull()), fresh, "{mebibytes} MiB, {entries} entries");
            assert!(fresh > 0 || entries == 300, "{mebibytes} MiB");
        }
    }
}

#[test]
fn every_word_of_a_cleared_table_is_zero() {
    for mebibytes in [1, 3, 16] {
        let mut table = TranspositionTable::new(mebibytes, HashBounds::Single);
        for _ in 0..2 {
            table.begin_search(true);
            let mut key: u64 = 1;
            for number in 0..20_000 {
                key = key.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                if number % 2 == 0 {
                    table.store(Key(key), entry(3));
                } else {
                    table.open(Key(key), 1);
                }
            }
            for key in [0, u64::MAX] {
                table.store(Key(key), entry(9));
            }
            assert!(table.words.iter().any(|word| word.load(Relaxed) != 0));
            table.clear();
            assert!(table.words.iter().all(|word| word.load(Relaxed) == 0), "{mebibytes} MiB");
        }
    }
}

#[test]
fn store_without_a_move_keeps_the_known_one() {
    let table = small(HashBounds::Single);
    table.store(Key(7), entry(3));
    table.store(Key(7), TtEntry { best: None, ..entry(4) });
    assert_eq!(table.probe(Key(7)).and_then(|entry| entry.best), "e2e4".parse().ok());
}

#[test]
fn torn_slot_is_ignored() {
    let table = small(HashBounds::Single);
    table.store(Key(7), entry(3));
    table.bucket(Key(7))[1].store(entry(9).pack(HashBounds::Single), Relaxed);
    assert_eq!(table.probe(Key(7)), None);
}

#[test]
fn store_of_a_move_keeps_the_known_value() {
    let table = small(HashBounds::Single);
    table.store(Key(7), entry(9));
    let other = TtEntry { best: "d2d4".parse().ok(), range: ScoreRange::UNKNOWN, ..entry(12) };
    table.store(Key(7), other);
    let known = table.probe(Key(7)).expect("stored");
    assert_eq!((known.best, known.range, known.depth), (other.best, entry(9).range, 9));
    table.store(Key(8), other);
    table.store(Key(8), entry(2));
    assert_eq!(table.probe(Key(8)).map(|known| known.range), Some(entry(2).range), "nothing was known");
}

#[test]
fn dual_bounds_are_both_stored() {
    let bounded =
        |value, bound| TtEntry { range: ScoreRange::bounded(Value::evaluation(value), bound), ..entry(5) };
    for (bounds, low, high) in [(HashBounds::Dual, 3, Some(8)), (HashBounds::Single, 3, None)] {
        let table = small(bounds);
        table.store(Key(7), bounded(8, Bound::Upper));
        table.store(Key(7), bounded(3, Bound::Lower));
        let range = table.probe(Key(7)).expect("stored").range;
        let high = high.map_or(ScoreRange::UNKNOWN.high, Value::evaluation);
        assert_eq!((range.low, range.high), (Value::evaluation(low), high), "{bounds}");
    }
}

#[test]
fn values_of_incomparable_searches_are_invalidated() {
    let mut table = small(HashBounds::Single);
    table.begin_search(true);
    table.store(Key(7), entry(3));
    table.begin_search(true);
    assert_eq!(table.probe(Key(7)).map(|known| known.range), Some(entry(3).range));
    table.begin_search(false);
    // Longer than the ages' cycle.
    for search in 0..200 {
        let known = table.probe(Key(7)).expect("the move stays");
        assert_eq!((known.best, known.range), (entry(3).best, ScoreRange::UNKNOWN), "{search}");
        table.store(Key(8), entry(4));
        table.begin_search(true);
        assert_eq!(table.probe(Key(8)).map(|known| known.range), Some(entry(4).range), "{search}");
    }
    table.store(Key(7), TtEntry { best: None, ..entry(5) });
    let known = table.probe(Key(7)).expect("stored anew");
    assert_eq!((known.best, known.range, known.depth), (entry(3).best, entry(5).range, 5));
    table.begin_search(false);
    table.begin_search(false);
    assert_eq!(table.probe(Key(7)), None, "too long ago");
}

#[test]
fn marks_are_kept_with_their_entry() {
    let table = small(HashBounds::Single);
    assert_eq!((table.open(Key(7), 2), table.open(Key(7), 3)), (0, 2));
    table.store(Key(7), entry(5));
    assert_eq!(table.probe(Key(7)), Some(TtEntry { open: 3, ..entry(5) }));
    assert_eq!((table.open(Key(7), 0), table.open(Key(7), 0)), (3, 0));
    assert_eq!(table.probe(Key(7)), Some(entry(5)));
    // Four more valuable entries replace the marked one.
    table.open(Key(9), 1);
    (10..14).for_each(|key| table.store(Key(key), entry(9)));
    assert_eq!(table.open(Key(9), 1), 0);
}
