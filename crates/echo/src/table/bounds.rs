//! What the hash table keeps of a value's bounds, and how it is written.

use crate::range::ScoreRange;
use crate::value::Value;
use threefold_chess::score::Bound;
use threefold_named_enum::named_enum;

named_enum! {
    /// What the hash table keeps of a value's bounds.
    pub enum HashBounds {
        /// One value and which bound it is.
        Single = "Single",
        /// A lower and an upper bound side by side, in place of the static evaluation (Plaat).
        Dual = "Dual",
        /// One number that is value and bound at once: 4n is n, 4n+1 at least n, 4n-1 at most n (Beal).
        Integrated = "Integrated",
    }
}

/// Bits of a value with its bound.
const BITS: u32 = 17;
const MASK: u64 = (1 << BITS) - 1;

/// A value with its bound, in 17 bits.
pub(super) fn pack_single(range: ScoreRange) -> u64 {
    let (value, tag) = match range.bound() {
        Some((value, Bound::Exact)) => (value, 3),
        Some((value, Bound::Lower)) => (value, 2),
        Some((value, Bound::Upper)) => (value, 1),
        None => (Value::DRAW, 0),
    };
    u64::from(value.to_bits()) << 2 | tag
}

/// From [`pack_single`]; other bits are ignored.
pub(super) fn unpack_single(bits: u64) -> ScoreRange {
    let value = Value::from_bits((bits >> 2) as u16);
    match bits & 3 {
        3 => ScoreRange::bounded(value, Bound::Exact),
        2 => ScoreRange::bounded(value, Bound::Lower),
        1 => ScoreRange::bounded(value, Bound::Upper),
        _ => ScoreRange::UNKNOWN,
    }
}

/// Is any bound written in these bits by [`pack_single`]?
pub(super) const fn has_single(bits: u64) -> bool {
    bits & 3 != 0
}

/// Is any bound written in these bits by [`pack_integrated`]?
pub(super) const fn has_integrated(bits: u64) -> bool {
    bits & 3 != 2
}

/// Value and bound as one number of 17 bits, two's complement. What is neither stands halfway to the next.
pub(super) fn pack_integrated(range: ScoreRange) -> u64 {
    let integrated = match range.bound() {
        Some((value, Bound::Exact)) => 4 * value.raw(),
        Some((value, Bound::Lower)) => 4 * value.raw() + 1,
        Some((value, Bound::Upper)) => 4 * value.raw() - 1,
        None => 2,
    };
    u64::from(integrated.cast_unsigned()) & MASK
}

/// From [`pack_integrated`]; other bits are ignored.
pub(super) fn unpack_integrated(bits: u64) -> ScoreRange {
    let unused = u32::BITS - BITS;
    let integrated = ((bits & MASK) as u32) << unused;
    let integrated = integrated.cast_signed() >> unused;
    // Beal's forceExact.
    let exact = (integrated + 1) & !3;
    let value = Value::from_raw(exact / 4);
    match integrated - exact {
        0 => ScoreRange::bounded(value, Bound::Exact),
        1 => ScoreRange::bounded(value, Bound::Lower),
        -1 => ScoreRange::bounded(value, Bound::Upper),
        _ => ScoreRange::UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_writings_say_the_same() {
        assert_eq!(unpack_single(pack_single(ScoreRange::UNKNOWN)), ScoreRange::UNKNOWN);
        assert_eq!(unpack_integrated(pack_integrated(ScoreRange::UNKNOWN)), ScoreRange::UNKNOWN);
        assert!(
            !has_single(pack_single(ScoreRange::UNKNOWN))
                && !has_integrated(pack_integrated(ScoreRange::UNKNOWN))
        );
        let mut before = i32::MIN;
        for raw in -16_000..=16_000 {
            for bound in [Bound::Upper, Bound::Exact, Bound::Lower] {
                let range = ScoreRange::bounded(Value::from_raw(raw), bound);
                assert_eq!(unpack_single(pack_single(range)), range);
                assert_eq!(unpack_integrated(pack_integrated(range)), range);
                assert!(has_single(pack_single(range)) && has_integrated(pack_integrated(range)));
                // Integrated, at most n lies below n and n below at least n.
                let unused = u32::BITS - BITS;
                let integrated = ((pack_integrated(range) as u32) << unused).cast_signed() >> unused;
                assert!(before < integrated, "{raw} {bound:?}");
                before = integrated;
            }
        }
    }
}
