//! Values inside the search: 15-bit numbers, of which the hash table stores two.
//!
//! The number line is divided into disjoint bands, so that an evaluation, however high, is never taken for a
//! proof. A recognised win is an evaluation: large material is worth more, so that no queen is given for a
//! known win of bishop and knight.
//!
//! | band | magnitude |
//! |---|---|
//! | mates | from 15 000 (16 000 minus the plies to mate) |
//! | proven wins | 13 000 to 14 000 (14 000 minus the plies to the tablebase position) |
//! | evaluations | up to 10 000, where they saturate; recognised wins from 750 |
//! | draws | 0 |

use std::ops::Neg;

use threefold_chess::score::{Centipawns, Score};

/// The largest ply of the search.
pub const MAX_PLY: usize = 128;

const MATE: i16 = 16_000;
const MATE_BAND: i16 = 15_000;
const PROVEN: i16 = 14_000;
const PROVEN_BAND: i16 = 13_000;
/// The least value of a recognised win: more than any advantage that may not be enough.
const RECOGNISED: i32 = 750;
/// The share of the evaluation that is added to it, so that progress counts.
const PROGRESS_SHARE: i32 = 8;
const EVALUATION_LIMIT: i16 = 10_000;

/// The bits of a packed value.
const LOW_BITS: u16 = 0x7FFF;
/// The highest of them, and the magnitude of the least packed number.
const SIGN_BIT: u16 = 0x4000;

/// A value from the side to move's view.
///
/// ```
/// use threefold_echo::value::Value;
///
/// assert_eq!(-Value::mated_at(4), Value::mating_at(4));
/// assert!(Value::mating_at(4) > Value::mating_at(6), "a shorter mate is better");
/// assert!(Value::mating_at(100) > Value::won_at(2), "a mate is more than a win by the tables");
/// assert!(Value::won_at(100) > Value::evaluation(99_999), "and that is more than any evaluation");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value(i16);

impl Value {
    /// Where evaluations saturate, in centipawns.
    pub const EVALUATION_LIMIT: i32 = EVALUATION_LIMIT as i32;
    /// Above every value.
    pub const INFINITE: Self = Self(MATE + 1);
    /// Below every value.
    pub const MINUS_INFINITE: Self = Self(-MATE - 1);
    /// A drawn game.
    pub const DRAW: Self = Self(0);

    /// An evaluation in centipawns, saturated inside its band.
    pub fn evaluation(centipawns: i32) -> Self {
        let limit = i32::from(EVALUATION_LIMIT);
        Self(centipawns.clamp(-limit, limit) as i16)
    }

    /// Checkmate at `ply`, for the side to move.
    pub const fn mated_at(ply: usize) -> Self {
        Self(-MATE + (ply as u16).cast_signed())
    }

    /// The side to move has mated at `ply`.
    pub const fn mating_at(ply: usize) -> Self {
        Self(MATE - (ply as u16).cast_signed())
    }

    /// A win by the tables, probed at `ply`.
    pub const fn won_at(ply: usize) -> Self {
        Self(PROVEN - (ply as u16).cast_signed())
    }

    /// A win of a recognised ending that is evaluated like this, in centipawns for the winner: the
    /// evaluation, but at least 750 and an eighth of it.
    pub fn recognised(evaluation: i32) -> Self {
        Self::evaluation(evaluation.max(RECOGNISED + evaluation / PROGRESS_SHARE))
    }

    /// Whether it may come from a recognised win or loss.
    pub const fn may_be_recognised(self) -> bool {
        self.is_evaluation() && self.0.unsigned_abs() as i32 >= RECOGNISED
    }

    /// Whether it is an evaluation or a draw.
    pub const fn is_evaluation(self) -> bool {
        self.0.unsigned_abs() <= EVALUATION_LIMIT.unsigned_abs()
    }

    /// Whether it is infinite.
    pub(super) const fn is_infinite(self) -> bool {
        self.0.unsigned_abs() == Self::INFINITE.0.unsigned_abs()
    }

    /// Whether it is proven by a mate or by tables.
    pub const fn is_proven(self) -> bool {
        self.0.unsigned_abs() >= PROVEN_BAND as u16
    }

    /// Whether it is a forced mate of either side.
    pub const fn is_mate(self) -> bool {
        self.0.unsigned_abs() >= MATE_BAND as u16
    }

    /// Whether the side to move mates.
    pub const fn is_win(self) -> bool {
        self.0 >= MATE_BAND
    }

    /// Whether the side to move is mated.
    pub const fn is_loss(self) -> bool {
        self.0 <= -MATE_BAND
    }

    /// The distance of a forced mate from a mate at the root, in plies.
    pub(super) const fn short_of_mate(self) -> Option<usize> {
        if self.is_mate() { Some((MATE - self.0.abs()) as usize) } else { None }
    }

    /// The raw number, for margins.
    pub const fn raw(self) -> i32 {
        self.0 as i32
    }

    /// From a raw number, clamped between the infinities.
    pub fn from_raw(raw: i32) -> Self {
        let limit = i32::from(Self::INFINITE.0);
        Self(raw.clamp(-limit, limit) as i16)
    }

    /// The next larger value.
    #[must_use]
    pub fn next_above(self) -> Self {
        Self::from_raw(self.raw() + 1)
    }

    /// The next smaller value.
    #[must_use]
    pub fn next_below(self) -> Self {
        Self::from_raw(self.raw() - 1)
    }

    /// Moves a proven win or loss `plies` further away; other values are unchanged.
    pub(super) const fn shifted(self, plies: i16) -> Self {
        if !self.is_proven() || self.is_infinite() {
            self
        } else if self.0 > 0 {
            Self(self.0 + plies)
        } else {
            Self(self.0 - plies)
        }
    }

    /// Converts an evaluation to a public score.
    pub const fn centipawns(self) -> Score {
        Score::Cp(Centipawns(self.raw()))
    }

    /// Packs the value into 15 bits.
    pub(super) const fn to_bits(self) -> u16 {
        self.0.cast_unsigned() & LOW_BITS
    }

    /// Unpacks [`Self::to_bits`]; the sign is extended by XOR and subtraction of its bit.
    pub(super) const fn from_bits(bits: u16) -> Self {
        Self(((bits & LOW_BITS) ^ SIGN_BIT).cast_signed() - SIGN_BIT.cast_signed())
    }

    /// Packs an optional value into 15 bits as an offset from the least number; `None` is 0.
    pub(super) const fn to_offset(value: Option<Self>) -> u16 {
        match value {
            // No value is as low as the negated bit, so the offset is never 0.
            Some(Self(value)) => (value + SIGN_BIT.cast_signed()).cast_unsigned(),
            None => 0,
        }
    }

    /// Unpacks [`Self::to_offset`].
    pub(super) const fn from_offset(bits: u16) -> Option<Self> {
        match bits & LOW_BITS {
            0 => None,
            bits => Some(Self(bits.cast_signed() - SIGN_BIT.cast_signed())),
        }
    }
}

impl Neg for Value {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_bands_do_not_overlap() {
        assert!(
            Value::evaluation(i32::MAX) < Value(PROVEN_BAND) && Value::evaluation(i32::MAX).is_evaluation()
        );
        assert!(Value(PROVEN) < Value(MATE_BAND));
        assert_eq!(Value::evaluation(i32::MIN), -Value::evaluation(i32::MAX));
        for ply in 0..=2 * MAX_PLY {
            assert!(Value::mating_at(ply).is_win() && Value::mated_at(ply).is_loss());
            assert!(Value::mating_at(ply) < Value::INFINITE);
            assert!(Value::won_at(ply).is_proven() && !Value::won_at(ply).is_mate());
            assert!(
                Value::evaluation(i32::MAX) < Value::won_at(ply)
                    && Value::won_at(ply) < Value::mating_at(ply)
            );
        }
    }

    #[test]
    fn recognised_wins_grow_with_their_evaluation_and_give_way_to_large_ones() {
        for evaluation in 0..3000 {
            let value = Value::recognised(evaluation);
            assert!(
                value >= Value::evaluation(evaluation)
                    && value.may_be_recognised()
                    && (-value).may_be_recognised()
            );
            assert!(value >= Value::recognised(evaluation - 1));
            assert!(evaluation < 900 || value == Value::evaluation(evaluation));
        }
        assert!(
            Value::recognised(0) > Value::evaluation(700) && Value::recognised(800) > Value::recognised(0)
        );
        assert!(!Value::evaluation(700).may_be_recognised() && !Value::mating_at(3).may_be_recognised());
    }

    #[test]
    fn values_fit_fifteen_bits_in_both_forms() {
        for number in -16_384..16_384_i16 {
            let value = Value(number);
            assert_eq!(Value::from_bits(value.to_bits()), value);
            if number > -16_384 {
                assert_eq!(Value::from_offset(Value::to_offset(Some(value))), Some(value));
            }
        }
        assert_eq!(Value::to_offset(None), 0);
        // The other bits belong to other data.
        assert_eq!(Value::from_bits(0x8000 | Value::DRAW.to_bits()), Value::DRAW);
        const { assert!(Value::INFINITE.0 < 16_384 && Value::MINUS_INFINITE.0 > -16_384) };
    }
}
