//! Game phase, and tapered scores.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use cozy_chess::{Board, Piece};

/// A score for the middlegame and one for the endgame, in centipawns.
///
/// ```
/// use threefold_echo::eval::phase::{FULL, Phase, Tapered};
///
/// let score = Tapered::new(10, 30) + Tapered::new(0, -10);
/// assert_eq!((score.middle(), score.end()), (10, 20));
/// assert_eq!(score.interpolate(Phase(FULL / 2)), 15);
/// ```
///
/// Both are in one word, the endgame's in the upper half, so that they are added together. Each must fit 15
/// bits; one side's total is at most half of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered(i32);

impl Tapered {
    /// Zero.
    pub const ZERO: Self = Self(0);

    /// From middlegame and endgame score.
    pub const fn new(middle: i32, end: i32) -> Self {
        Self((end << 16) + middle)
    }

    /// The middlegame score.
    pub const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame score.
    pub const fn end(self) -> i32 {
        // A negative lower half has borrowed one from the upper half.
        (self.0 + 0x8000) >> 16
    }

    /// The interpolated score at a phase.
    pub const fn interpolate(self, phase: Phase) -> i32 {
        (self.middle() * phase.0 + self.end() * (FULL - phase.0)) / FULL
    }
}

/// From [`FULL`] with all pieces to 0 without any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phase(pub i32);

/// The phase of all pieces: four knights, four bishops, four rooks of two, two queens of four.
pub const FULL: i32 = 24;

impl Phase {
    /// The phase of a position.
    pub fn from_board(board: &Board) -> Self {
        let count = |piece| board.pieces(piece).len().cast_signed();
        let minors = count(Piece::Knight) + count(Piece::Bishop);
        // Promoted pieces may add up to more than the pieces of the start position.
        Self((minors + 2 * count(Piece::Rook) + 4 * count(Piece::Queen)).min(FULL))
    }
}

impl Add for Tapered {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Tapered {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    fn mul(self, times: i32) -> Self {
        Self(self.0 * times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tapered_halves_are_independent() {
        for (middle, end) in [(0, 0), (5, -7), (-5, 7), (-1, -1), (12_000, -12_000), (-12_000, 12_000)] {
            let score = Tapered::new(middle, end);
            assert_eq!((score.middle(), score.end()), (middle, end));
            assert_eq!(-score, Tapered::new(-middle, -end));
            let sum = score + Tapered::new(-3, 4) * 2 - Tapered::new(1, -1);
            assert_eq!((sum.middle(), sum.end()), (middle - 7, end + 9));
        }
    }
}
