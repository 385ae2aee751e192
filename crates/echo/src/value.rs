//! What a position is worth inside the search: a number of 15 bits, of which the hash table keeps two.
//!
//! The number line is cut into bands that can't overlap, so that a judgement, however high, is never taken
//! for a proof:
//!
//! | band | magnitude |
//! |---|---|
//! | mates | from 15 000 (16 000 less the plies to mate) |
//! | proven wins | 13 000 to 14 000 (14 000 less the plies to where they are proven) |
//! | recognised wins | 10 500 to 12 000 (10 500 and what progress is worth) |
//! | evaluations | up to 10 000, where they saturate |
//! | draws | 0 |

use std::ops::Neg;

use threefold_chess::score::{Centipawns, Score};

/// The deepest a line of the search can go, in plies.
pub const MAX_PLY: usize = 128;

const MATE: i16 = 16_000;
const MATE_BAND: i16 = 15_000;
const PROVEN: i16 = 14_000;
const PROVEN_BAND: i16 = 13_000;
const RECOGNISED: i16 = 10_500;
const RECOGNISED_LIMIT: i16 = 12_000;
const EVALUATION_LIMIT: i16 = 10_000;

/// The bits that a packed value has.
const LOW_BITS: u16 = 0x7FFF;
/// The highest of them, and the magnitude of the least number they can write.
const SIGN_BIT: u16 = 0x4000;

/// A value from the side to move's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value(i16);

impl Value {
    /// Above every value.
    pub const INFINITE: Self = Self(MATE + 1);
    /// Below every value.
    pub const MINUS_INFINITE: Self = Self(-MATE - 1);
    /// A drawn game.
    pub const DRAW: Self = Self(0);

    /// A judgement in centipawns, saturated inside its band.
    pub fn judged(centipawns: i32) -> Self {
        let limit = i32::from(EVALUATION_LIMIT);
        Self(centipawns.clamp(-limit, limit) as i16)
    }

    /// Checkmate on the board, `ply` half-moves below the root.
    pub const fn mated_at(ply: usize) -> Self {
        Self(-MATE + (ply as u16).cast_signed())
    }

    /// The side to move has mated at `ply`: the best that can still happen to the one who moves before.
    pub const fn mating_at(ply: usize) -> Self {
        Self(MATE - (ply as u16).cast_signed())
    }

    /// The side to move wins by the tables, which know the position `ply` half-moves below the root.
    pub const fn won_at(ply: usize) -> Self {
        Self(PROVEN - (ply as u16).cast_signed())
    }

    /// The side to move wins an ending that is known by heart, and has come so far, in centipawns.
    pub fn recognised(progress: i32) -> Self {
        let most = i32::from(RECOGNISED_LIMIT - RECOGNISED);
        Self(RECOGNISED + progress.clamp(0, most) as i16)
    }

    /// Is it an ending known by heart that one side wins?
    pub const fn is_recognised(self) -> bool {
        let magnitude = self.0.unsigned_abs();
        RECOGNISED.unsigned_abs() <= magnitude && magnitude <= RECOGNISED_LIMIT.unsigned_abs()
    }

    /// Is it a judgement, or a draw?
    pub const fn is_judged(self) -> bool {
        self.0.unsigned_abs() <= EVALUATION_LIMIT.unsigned_abs()
    }

    /// Is it none that a position can have?
    pub(super) const fn is_infinite(self) -> bool {
        self.0.unsigned_abs() == Self::INFINITE.0.unsigned_abs()
    }

    /// Is it proven that one side wins, by a mate or by tables?
    pub const fn is_proven(self) -> bool {
        self.0.unsigned_abs() >= PROVEN_BAND as u16
    }

    /// Is this a forced mate, either way?
    pub const fn is_mate(self) -> bool {
        self.0.unsigned_abs() >= MATE_BAND as u16
    }

    /// Does the side to move mate?
    pub const fn is_win(self) -> bool {
        self.0 >= MATE_BAND
    }

    /// Is the side to move mated?
    pub const fn is_loss(self) -> bool {
        self.0 <= -MATE_BAND
    }

    /// What a forced mate, either way, is short of one that stands on the board at the root.
    pub(super) const fn short_of_mate(self) -> Option<usize> {
        if self.is_mate() { Some((MATE - self.0.abs()) as usize) } else { None }
    }

    /// The number itself, for margins.
    pub const fn raw(self) -> i32 {
        self.0 as i32
    }

    /// From [`Self::raw`] moved by a margin; kept between the infinities.
    pub fn from_raw(raw: i32) -> Self {
        let limit = i32::from(Self::INFINITE.0);
        Self(raw.clamp(-limit, limit) as i16)
    }

    /// The least value above this one.
    #[must_use]
    pub fn next_above(self) -> Self {
        Self::from_raw(self.raw() + 1)
    }

    /// The greatest value below this one.
    #[must_use]
    pub fn next_below(self) -> Self {
        Self::from_raw(self.raw() - 1)
    }

    /// A proven win or loss so many plies further off; anything else as it is.
    pub(super) const fn shifted(self, plies: i16) -> Self {
        if !self.is_proven() || self.is_infinite() {
            self
        } else if self.0 > 0 {
            Self(self.0 + plies)
        } else {
            Self(self.0 - plies)
        }
    }

    /// As the rest of the house speaks of a judgement.
    pub const fn centipawns(self) -> Score {
        Score::Cp(Centipawns(self.raw()))
    }

    /// Fifteen bits, cut off from the sixteen.
    pub(super) const fn to_bits(self) -> u16 {
        self.0.cast_unsigned() & LOW_BITS
    }

    /// From [`Self::to_bits`]: the sign is extended by crossing its bit out and taking it off again.
    pub(super) const fn from_bits(bits: u16) -> Self {
        Self(((bits & LOW_BITS) ^ SIGN_BIT).cast_signed() - SIGN_BIT.cast_signed())
    }

    /// Fifteen bits counted from the least number there is, which is kept for [`None`] and comes out as zero.
    pub(super) const fn to_offset(value: Option<Self>) -> u16 {
        match value {
            Some(Self(value)) => (value + SIGN_BIT.cast_signed()).cast_unsigned(),
            None => 0,
        }
    }

    /// From [`Self::to_offset`].
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
    fn bands_do_not_overlap() {
        assert!(Value::judged(i32::MAX) < Value::recognised(0) && Value::judged(i32::MAX).is_judged());
        assert!(Value::recognised(i32::MAX) < Value(PROVEN_BAND) && !Value::recognised(0).is_judged());
        assert!(Value(PROVEN) < Value(MATE_BAND));
        assert_eq!(Value::judged(i32::MIN), -Value::judged(i32::MAX));
        for ply in 0..=2 * MAX_PLY {
            assert!(Value::mating_at(ply).is_win() && Value::mated_at(ply).is_loss());
            assert!(Value::mating_at(ply) < Value::INFINITE);
            assert!(Value::won_at(ply).is_proven() && !Value::won_at(ply).is_mate());
            assert!(
                Value::judged(i32::MAX) < Value::won_at(ply) && Value::won_at(ply) < Value::mating_at(ply)
            );
        }
    }

    #[test]
    fn fifteen_bits_are_enough_in_both_forms() {
        for number in -16_384..16_384_i16 {
            let value = Value(number);
            assert_eq!(Value::from_bits(value.to_bits()), value);
            if number > -16_384 {
                assert_eq!(Value::from_offset(Value::to_offset(Some(value))), Some(value));
            }
        }
        assert_eq!(Value::to_offset(None), 0);
        // What lies in the bits beyond is another's.
        assert_eq!(Value::from_bits(0x8000 | Value::DRAW.to_bits()), Value::DRAW);
        const { assert!(Value::INFINITE.0 < 16_384 && Value::MINUS_INFINITE.0 > -16_384) };
    }
}
