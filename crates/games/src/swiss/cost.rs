//! What a pairing costs: the criteria of a Swiss pairing in the order of their importance.
//!
//! A criterion matters only if all before it are equal. Costs are vectors that are added by component and
//! compared from the first component on. So they are an ordered group, which is all that the matching
//! algorithm needs: no criterion must be multiplied by a number that exceeds all sums of the next ones.
//!
//! The algorithm halves only numbers that are even in every component: it starts with equal numbers at all
//! players, and changes those of players that it connects by the same amounts.

use std::ops::{Add, AddAssign, Sub, SubAssign};

use integer_blossom::Weight;

/// The number of criteria.
const CRITERIA: usize = 8;

/// The criteria of an encounter or of a bye, the most important first. Each is at least 0, and better if it is
/// smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Criteria {
    /// The byes that the player had before this one.
    pub(super) earlier_byes: i64,
    /// The square of the number of earlier encounters of the two players.
    pub(super) earlier_encounters: i64,
    /// The points in halves of the player with the bye.
    pub(super) bye_points: i64,
    /// By how many encounters more than two the players will have had one colour more often than the other.
    pub(super) colour_excess: i64,
    /// The square of the difference of points, in halves.
    pub(super) points: i64,
    /// The sum of the squares of the players' surpluses of one colour.
    pub(super) colours: i64,
    /// 1 if both players are in the upper or in the lower half of the players with their points.
    pub(super) same_half: i64,
    /// The square of the distance from the rank that the Dutch system prefers.
    pub(super) distance: i64,
}

/// The cost of an encounter, of a bye, or of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost([i64; CRITERIA]);

impl From<Criteria> for Cost {
    fn from(criteria: Criteria) -> Self {
        let Criteria {
            earlier_byes,
            earlier_encounters,
            bye_points,
            colour_excess,
            points,
            colours,
            same_half,
            distance,
        } = criteria;
        Self([
            earlier_byes,
            earlier_encounters,
            bye_points,
            colour_excess,
            points,
            colours,
            same_half,
            distance,
        ])
    }
}

impl Cost {
    fn map2(self, other: Self, component: impl Fn(i64, i64) -> i64) -> Self {
        Self(std::array::from_fn(|index| component(self.0[index], other.0[index])))
    }
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.map2(other, |one, other| one + other)
    }
}

impl Sub for Cost {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.map2(other, |one, other| one - other)
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Cost {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Weight for Cost {
    const ZERO: Self = Self([0; CRITERIA]);
    /// The smallest positive cost.
    const ONE: Self = {
        let mut one = [0; CRITERIA];
        one[CRITERIA - 1] = 1;
        Self(one)
    };

    fn inf() -> Self {
        // Larger than any cost, and small enough to be doubled, as `Weight` requires.
        Self([i64::MAX / 4; CRITERIA])
    }

    fn double(self) -> Self {
        self + self
    }

    fn half(self) -> Self {
        debug_assert!(self.0.iter().all(|component| component % 2 == 0), "{self:?} has no half");
        Self(self.0.map(|component| component / 2))
    }
}
