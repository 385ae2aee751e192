//! How much of a middlegame a position still is, and scores that have two ends.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use cozy_chess::{Board, Piece};

/// A score for the middlegame and one for the endgame, in centipawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered {
    /// With all pieces on the board.
    pub middle: i32,
    /// With none left but kings and pawns.
    pub end: i32,
}

impl Tapered {
    /// Nothing.
    pub const ZERO: Self = Self::new(0, 0);

    /// From both ends.
    pub const fn new(middle: i32, end: i32) -> Self {
        Self { middle, end }
    }

    /// The one number at a phase.
    pub const fn at(self, phase: Phase) -> i32 {
        (self.middle * phase.0 + self.end * (FULL - phase.0)) / FULL
    }
}

/// From [`FULL`] with all pieces on the board to 0 without any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phase(pub i32);

/// Both sides' pieces: four knights, four bishops, four rooks of two, two queens of four.
pub const FULL: i32 = 24;

impl Phase {
    /// Of a position.
    pub fn of(board: &Board) -> Self {
        let count = |piece| board.pieces(piece).len().cast_signed();
        let minors = count(Piece::Knight) + count(Piece::Bishop);
        Self((minors + 2 * count(Piece::Rook) + 4 * count(Piece::Queen)).min(FULL))
    }
}

impl Add for Tapered {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.middle + other.middle, self.end + other.end)
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
        self + -other
    }
}

impl Neg for Tapered {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.middle, -self.end)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    fn mul(self, times: i32) -> Self {
        Self::new(self.middle * times, self.end * times)
    }
}
