//! The encodings of bounds in the hash table.

use crate::range::ScoreRange;
use crate::value::Value;
use threefold_chess::score::Bound;
use threefold_named_enum::named_enum;

named_enum! {
    /// How the hash table stores bounds.
    pub enum HashBounds {
        /// One value with its bound type.
        Single = "Single",
        /// A lower and an upper bound, in place of the static evaluation (Plaat).
        Dual = "Dual",
        /// One number for value and bound type: 4n is exactly n, 4n+1 at least n, 4n-1 at most n (Beal).
        Integrated = "Integrated",
    }
}

/// Bits of a value with its bound type.
const BITS: u32 = 17;
const MASK: u64 = (1 << BITS) - 1;

/// Packs a value with its bound type into 17 bits.
pub(super) fn pack_single(range: ScoreRange) -> u64 {
    let (value, tag) = match range.bound() {
        Some((value, Bound::Exact)) => (value, 3),
        Some((value, Bound::Lower)) => (value, 2),
        Some((value, Bound::Upper)) => (value, 1),
        None => (Value::DRAW, 0),
    };
    u64::from(value.to_bits()) << 2 | tag
}

/// Unpacks [`pack_single`]; other bits are ignored.
pub(super) fn unpack_single(bits: u64) -> ScoreRange {
    let value = Value::from_bits((bits >> 2) as u16);
    match bits & 3 {
        3 => ScoreRange::bounded(value, Bound::Exact),
        2 => ScoreRange::bounded(value, Bound::Lower),
        1 => ScoreRange::bounded(value, Bound::Upper),
        _ => ScoreRange::UNKNOWN,
    }
}

/// Whether these bits have a bound from [`pack_single`].
pub(super) const fn has_single(bits: u64) -> bool {
    bits & 3 != 0
}

/// Whether these bits have a bound from [`pack_integrated`].
pub(super) const fn has_integrated(bits: u64) -> bool {
    bits & 3 != 2
}

/// Packs value and bound type into one 17-bit two's complement number. An unknown value is encoded between
/// the others.
pub(super) fn pack_integrated(range: ScoreRange) -> u64 {
    let integrated = match range.bound() {
        Some((value, Bound::Exact)) => 4 * value.raw(),
        Some((value, Bound::Lower)) => 4 * value.raw() + 1,
        Some((value, Bound::Upper)) => 4 * value.raw() - 1,
        None => 2,
    };
    u64::from(integrated.cast_unsigned()) & MASK
}

/// Unpacks [`pack_integrated`]; other bits are ignored.
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
    fn single_and_integrated_bounds_agree() {
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
                // In the integrated form "at most n" < n < "at least n".
                let unused = u32::BITS - BITS;
                let integrated = ((pack_integrated(range) as u32) << unused).cast_signed() >> unused;
                assert!(before < integrated, "{raw} {bound:?}");
                before = integrated;
            }
        }
    }
}
