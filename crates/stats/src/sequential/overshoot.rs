//! Overshoot of a test's bounds, and its correction.
//!
//! Wald's bounds assume a ratio that stops exactly at a bound. Real tests overshoot, more so the more pairs
//! are played between two evaluations; they then err less often than allowed and take longer than necessary.
//! The expected overshoot is half the ratio of the mean square to the mean of the ladder heights: the steps
//! to new extremes, which the test itself observes. Sources: Siegmund, "Sequential Analysis", corollary 8.33;
//! fishtest's `update_SPRT`. Evaluations are never lost or repeated here, so fishtest's rules for that case
//! are not needed.

use super::judgement::Bounds;
use threefold_named_enum::named_enum;

named_enum! {
    /// Treatment of overshoot.
    pub enum Overshoot {
        /// None: Wald's bounds.
        Ignore = "ignore",
        /// Both bounds move inwards by the expected overshoot, as observed so far.
        Correct = "correct",
    }
}

/// The ladder heights on one side.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LadderHeights {
    /// The extreme value so far, which is the sum of the ladder heights; 0 initially.
    pub height: f64,
    /// The sum of the squared ladder heights.
    pub squares: f64,
}

/// The ladder heights of a log-likelihood ratio on both sides of 0.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct OvershootLadders {
    /// Downwards: a height below 0.
    pub lower: LadderHeights,
    /// Upwards.
    pub upper: LadderHeights,
}

impl LadderHeights {
    fn climb(&mut self, llr: f64) {
        self.squares += (llr - self.height).powi(2);
        self.height = llr;
    }

    /// The expected overshoot, at least 0.
    pub fn overshoot(&self) -> f64 {
        if self.height.abs() > 0.0 { self.squares / (2.0 * self.height.abs()) } else { 0.0 }
    }
}

impl OvershootLadders {
    /// Records the ratio at the next evaluation.
    pub fn observe(&mut self, llr: f64) {
        if llr < self.lower.height {
            self.lower.climb(llr);
        } else if llr > self.upper.height {
            self.upper.climb(llr);
        }
    }

    /// The bounds, moved inwards by the expected overshoot.
    pub fn narrow(&self, Bounds { lower, upper }: Bounds) -> Bounds {
        Bounds { lower: lower + self.lower.overshoot(), upper: upper - self.upper.overshoot() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overshoot_counts_new_extremes_only() {
        let mut ladders = OvershootLadders::default();
        for llr in [0.5, 0.25, -1.0, 2.0, 1.0, -1.5] {
            ladders.observe(llr);
        }
        assert_eq!(ladders.lower, LadderHeights { height: -1.5, squares: 1.25 });
        assert_eq!(ladders.upper, LadderHeights { height: 2.0, squares: 2.5 });
        let narrow = ladders.narrow(Bounds { lower: -3.0, upper: 3.0 });
        assert!((narrow.upper - 3.0 + 2.5 / 4.0).abs() < 1e-15);
        assert!((narrow.lower + 3.0 - 1.25 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn bounds_are_walds_before_the_first_evaluation() {
        let bounds = Bounds { lower: -3.0, upper: 2.0 };
        assert_eq!(OvershootLadders::default().narrow(bounds), bounds);
    }
}
