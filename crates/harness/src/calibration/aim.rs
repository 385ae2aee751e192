//! How well a calibration is to know its levels.

use std::ops::RangeInclusive;

/// How well levels are to be known.
#[derive(Debug, Clone, PartialEq)]
pub struct Aim {
    /// How far a level's 95 % interval may reach to either side, in Elo.
    pub precision: f64,
    /// Where that is asked for, in Elo; elsewhere five times as much is enough.
    pub within: RangeInclusive<f64>,
}

/// What is enough elsewhere, as so many times the precision.
const ELSEWHERE: f64 = 5.0;

impl Aim {
    /// How far the interval of a level may reach that is worth so much, in Elo.
    pub fn at(&self, elo: f64) -> f64 {
        if self.within.contains(&elo) { self.precision } else { ELSEWHERE * self.precision }
    }
}
