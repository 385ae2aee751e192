//! How the fifty-move counter enters the transposition table.
//!
//! Its keys do not have the counter, so a stored value may come from a position that was far from the limit,
//! or near it. That is graph-history interaction by the fifty-move rule.

use crate::position::Key;
use crate::value::Value;
use threefold_named_enum::named_enum;

named_enum! {
    /// How the fifty-move counter enters the transposition table.
    pub enum HashFifty {
        /// Not at all.
        Ignore = "Ignore",
        /// Near the limit stored values give no cutoffs.
        Late = "Late",
        /// As `Late`, and the counter is part of the key from 14 on, in steps of 8 (as in Stockfish).
        Keyed = "Keyed",
        /// An entry has the counters for which its value holds, and gives cutoffs for these only. They
        /// replace the static evaluation.
        Bounds = "Bounds",
    }
}

/// The fifty-move counters, in plies, for which a value holds: from `low` to `high`.
///
/// A value found with one counter holds for another if the same search with it would meet the rule at the
/// same nodes, or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FiftyRange {
    low: u8,
    high: u8,
}

/// The upper end if there is none.
const UNLIMITED: u8 = 127;
/// The counter from which on a position is drawn.
const DRAWN: u8 = 100;

impl FiftyRange {
    /// All counters.
    pub(crate) const ALL: Self = Self { low: 0, high: UNLIMITED };
    /// The counters with which the game goes on.
    pub(crate) const BEFORE_LIMIT: Self = Self { low: 0, high: DRAWN - 1 };
    /// The counters with which it is drawn.
    pub(crate) const AT_LIMIT: Self = Self { low: DRAWN, high: UNLIMITED };
    /// The counter of a position after a capture or pawn move only.
    pub(crate) const ZERO: Self = Self::up_to(0);
    /// The counters of an entry that has no room for its own.
    const FIXED: Self = Self { low: 0, high: NEAR_THE_LIMIT - 1 };

    /// Up to this counter.
    pub(crate) const fn up_to(high: u8) -> Self {
        Self { low: 0, high }
    }

    /// All counters above this one.
    pub(crate) const fn above(counter: u8) -> Self {
        Self { low: counter + 1, high: UNLIMITED }
    }

    /// Whether a value holds for this counter.
    pub(crate) const fn contains(self, counter: u8) -> bool {
        self.low <= counter && counter <= self.high
    }

    /// The counters in both ranges. There must be one.
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        let both = Self { low: self.low.max(other.low), high: self.high.min(other.high) };
        debug_assert!(both.low <= both.high, "{self:?} {other:?}");
        both
    }

    /// The counters before the move that led to a position, whose own counter is `counter`; after a capture
    /// or pawn move, all.
    #[must_use]
    pub(crate) const fn before_move(self, counter: u8) -> Self {
        if counter == 0 {
            return Self::ALL;
        }
        // The range contains `counter`, which is above 0, so `high` is, too.
        let high = if self.high == UNLIMITED { UNLIMITED } else { self.high - 1 };
        Self { low: self.low.saturating_sub(1), high }
    }

    /// As the number that an entry has in place of the static evaluation.
    pub(crate) fn packed(self) -> Value {
        // `low` is at most 100, so the number is below the clamp of a value.
        Value::from_raw(i32::from(self.low) << 7 | i32::from(self.high))
    }

    /// Those of an entry with this number; of one without, a range below the limit.
    pub(crate) fn unpacked(number: Option<Value>) -> Self {
        number.map_or(Self::FIXED, |number| Self {
            low: (number.raw() >> 7 & 127) as u8,
            high: (number.raw() & 127) as u8,
        })
    }

    /// Whether an entry without room for its counters may have a value that holds for these.
    pub(crate) fn include_fixed(self) -> bool {
        self.low == 0 && self.high >= Self::FIXED.high
    }
}

/// From this counter on, stored values give no cutoffs.
const NEAR_THE_LIMIT: u8 = 90;
/// The counters below this one have the same key.
const FIRST_KEYED: u8 = 14;
/// The number of counters with the same key.
const STEP: u8 = 8;

impl HashFifty {
    /// Whether this counter is so near the limit that stored values give no cutoffs.
    pub(crate) const fn is_late(self, counter: u8) -> bool {
        matches!(self, Self::Late | Self::Keyed) && counter >= NEAR_THE_LIMIT
    }

    /// Whether entries have the counters for which their values hold.
    pub(crate) const fn keeps_fifty_range(self) -> bool {
        matches!(self, Self::Bounds)
    }

    /// Whether a mate beyond the limit is used.
    pub(crate) const fn trusts_late_mates(self) -> bool {
        matches!(self, Self::Ignore | Self::Bounds)
    }

    /// The table's key of a position with this counter.
    #[inline]
    pub(crate) const fn key(self, key: Key, counter: u8) -> Key {
        if matches!(self, Self::Keyed) && counter >= FIRST_KEYED {
            let step = ((counter - FIRST_KEYED) / STEP) as u64 + 1;
            // An odd multiplier spreads the step over all bits.
            Key(key.0 ^ step.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        } else {
            key
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_change_with_the_counter_only_if_it_is_part_of_them() {
        let key = Key(0x1234_5678_9ABC_DEF0);
        let keys = |fifty: HashFifty| {
            let mut keys: Vec<u64> = (0..=100).map(|counter| fifty.key(key, counter).0).collect();
            keys.dedup();
            let count = keys.len();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), count, "no key comes back");
            count
        };
        let all = [HashFifty::Ignore, HashFifty::Late, HashFifty::Keyed, HashFifty::Bounds];
        assert_eq!(all.map(keys), [1, 1, 12, 1]);
        assert_eq!(HashFifty::Keyed.key(key, 13), key);
        assert_eq!(HashFifty::Keyed.key(key, 14), HashFifty::Keyed.key(key, 21));
        assert!(HashFifty::Late.is_late(90) && HashFifty::Keyed.is_late(99));
        assert!(!HashFifty::Late.is_late(89) && !HashFifty::Ignore.is_late(99));
    }

    #[test]
    fn counters_survive_the_table_and_moves() {
        for low in 0..=DRAWN {
            for high in low..=UNLIMITED {
                let range = FiftyRange { low, high };
                assert_eq!(FiftyRange::unpacked(Some(range.packed())), range);
                assert!(range.packed().raw() < 1 << 14);
            }
        }
        // A leaf two reversible moves away is reached before the limit, another at it.
        let [leaf, drawn] = [FiftyRange::BEFORE_LIMIT, FiftyRange::AT_LIMIT]
            .map(|range| range.before_move(50).before_move(49));
        assert_eq!((leaf.low, leaf.high), (0, 97));
        assert_eq!((drawn.low, drawn.high), (98, UNLIMITED));
        assert_eq!(FiftyRange::BEFORE_LIMIT.before_move(0), FiftyRange::ALL);
        assert!(leaf.include_fixed() && !drawn.include_fixed() && FiftyRange::unpacked(None).contains(89));
    }
}
