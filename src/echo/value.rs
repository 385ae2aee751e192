//! What a position is worth inside the search, packed into an `i16`.
//!
//! The number line is cut into bands that can't overlap, so that a judgement, however high, is never taken
//! for a proof:
//!
//! | band | magnitude |
//! |---|---|
//! | mates | from 31 000 (32 000 less the plies to mate) |
//! | proven wins | 20 000 to 30 000 (30 000 less the plies to where they are proven) |
//! | evaluations | up to 10 000, where they saturate |
//! | draws | 0 |

use std::ops::Neg;

use super::mutants::{Mutant, Seed};
use crate::score::{Centipawns, MateDistance, Score};

/// The deepest a line of the search can go, in plies.
pub const MAX_PLY: usize = 128;

const MATE: i16 = 32_000;
const MATE_BAND: i16 = 31_000;
const PROVEN: i16 = 30_000;
const PROVEN_BAND: i16 = 20_000;
const EVALUATION_LIMIT: i16 = 10_000;

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

    /// Plies from the root to the mate, where there is one.
    pub const fn plies_to_mate(self) -> Option<usize> {
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

    /// As the hash table keeps it: a proven win is so many plies from the node, whatever path led there.
    #[must_use]
    pub fn to_table(self, ply: usize, seed: Seed) -> Self {
        let ply = if seed.is(Mutant::MateNotPlyAdjusted) { 0 } else { (ply as u16).cast_signed() };
        match self {
            win if win.0 >= PROVEN_BAND => Self(win.0 + ply),
            loss if loss.0 <= -PROVEN_BAND => Self(loss.0 - ply),
            judged => judged,
        }
    }

    /// The inverse of [`Self::to_table`] at a node `ply` half-moves below the root.
    #[must_use]
    pub fn from_table(self, ply: usize, seed: Seed) -> Self {
        let ply = if seed.is(Mutant::MateNotPlyAdjusted) { 0 } else { (ply as u16).cast_signed() };
        match self {
            win if win.0 >= PROVEN_BAND => Self(win.0 - ply),
            loss if loss.0 <= -PROVEN_BAND => Self(loss.0 + ply),
            judged => judged,
        }
    }

    /// As the rest of the house speaks of it. The value is one of the root's.
    pub fn score(self) -> Score {
        let Some(plies) = self.plies_to_mate() else { return Score::Cp(Centipawns(self.raw())) };
        let moves = i32::from(plies.div_ceil(2) as u16);
        let moves = if self.is_win() { moves } else { -moves };
        Score::Mate(MateDistance::from_moves(moves).expect("a search is a few hundred plies deep at most"))
    }

    /// The bits, for the hash table.
    pub(super) const fn to_bits(self) -> u16 {
        self.0.cast_unsigned()
    }

    /// From [`Self::to_bits`].
    pub(super) const fn from_bits(bits: u16) -> Self {
        Self(bits.cast_signed())
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
        assert!(Value::judged(i32::MAX) < Value(20_000) && Value(20_000) < Value(MATE_BAND));
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
    fn a_mate_keeps_its_distance_through_the_table() {
        for ply in 0..MAX_PLY {
            for value in [
                Value::mating_at(ply + 3),
                Value::mated_at(ply + 4),
                Value::won_at(ply + 2),
                -Value::won_at(ply),
                Value::judged(-77),
            ] {
                assert_eq!(value.to_table(ply, Seed::NONE).from_table(ply, Seed::NONE), value);
            }
            // Stored three plies before the mate, met again deeper in the tree.
            let stored = Value::mating_at(ply + 3).to_table(ply, Seed::NONE);
            assert_eq!(stored.from_table(ply + 2, Seed::NONE), Value::mating_at(ply + 5));
        }
    }

    #[test]
    fn mates_leave_as_moves() {
        // value, full moves as UCI counts them
        for (value, moves) in [
            (Value::mating_at(1), 1),
            (Value::mating_at(15), 8),
            (Value::mated_at(0), 0),
            (Value::mated_at(2), -1),
            (Value::mated_at(8), -4),
        ] {
            assert_eq!(value.score(), Score::Mate(MateDistance::from_moves(moves).expect("small")));
        }
        assert_eq!(Value::judged(31).score(), Score::Cp(Centipawns(31)));
    }
}
