//! The required precision of a calibration.

use std::ops::RangeInclusive;

/// The required precision of the levels' ratings.
#[derive(Debug, Clone, PartialEq)]
pub struct PrecisionTarget {
    /// The half-width of a level's 95 % confidence interval, in Elo.
    pub precision: f64,
    /// The range in Elo for which that is required; elsewhere five times as much is enough.
    pub range: RangeInclusive<f64>,
}

/// The required half-width outside the range, as a multiple of the precision.
const FACTOR_OUTSIDE: f64 = 5.0;

impl PrecisionTarget {
    /// The required half-width of the confidence interval at a rating, in Elo.
    pub fn half_width(&self, elo: f64) -> f64 {
        if self.range.contains(&elo) { self.precision } else { FACTOR_OUTSIDE * self.precision }
    }
}
