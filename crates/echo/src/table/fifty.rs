//! How the fifty-move counter enters the transposition table.
//!
//! Its keys do not have the counter, so a stored value may come from a position that was far from the limit, or near it. That is
//! graph-history interaction by the fifty-move rule.

use crate::position::Key;
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
        !matches!(self, Self::Ignore) && counter >= NEAR_THE_LIMIT
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
        assert_eq!([HashFifty::Ignore, HashFifty::Late, HashFifty::Keyed].map(keys), [1, 1, 12]);
        assert_eq!(HashFifty::Keyed.key(key, 13), key);
        assert_eq!(HashFifty::Keyed.key(key, 14), HashFifty::Keyed.key(key, 21));
        assert!(HashFifty::Late.is_late(90) && HashFifty::Keyed.is_late(99));
        assert!(!HashFifty::Late.is_late(89) && !HashFifty::Ignore.is_late(99));
    }
}
