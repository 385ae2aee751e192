//! How far a test's last step carries it past a bound, and what to do about it.
//!
//! Wald's bounds are for a ratio that stops exactly on them. Real ones step over, the further the more pairs lie
//! between two looks, so a test at these bounds errs less often than it may and plays longer than it must. The mean
//! overshoot is half the ratio of the mean square to the mean of the steps by which new extremes are reached (ladder
//! heights), and the test itself shows those. Sources: Siegmund, "Sequential Analysis", corollary 8.33; fishtest's
//! `update_SPRT`. Looks here are never lost or repeated, so its rules for those have no counterpart.

use super::sprt::Bounds;
use threefold_named_enum::named_enum;

named_enum! {
    /// What is done about steps over a bound.
    pub enum Overshoot {
        /// Nothing: the bounds are Wald's.
        Ignore = "ignore",
        /// Both bounds move inwards by the mean overshoot, as the test has shown it so far.
        Correct = "correct",
    }
}

/// The new extremes on one side.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Ladder {
    /// The furthest extreme, and so the sum of all steps that led there; 0 before the first.
    pub height: f64,
    /// The sum of their squares.
    pub squares: f64,
}

/// The extremes that a log-likelihood ratio has reached on either side of 0.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Ladders {
    /// Downwards: a height below 0.
    pub lower: Ladder,
    /// Upwards.
    pub upper: Ladder,
}

impl Ladder {
    fn climb(&mut self, llr: f64) {
        self.squares += (llr - self.height).powi(2);
        self.height = llr;
    }

    /// The mean overshoot that these steps let expect, at least 0.
    pub fn overshoot(&self) -> f64 {
        if self.height.abs() > 0.0 { self.squares / (2.0 * self.height.abs()) } else { 0.0 }
    }
}

impl Ladders {
    /// Takes in the ratio at another look.
    pub fn observe(&mut self, llr: f64) {
        if llr < self.lower.height {
            self.lower.climb(llr);
        } else if llr > self.upper.height {
            self.upper.climb(llr);
        }
    }

    /// The bounds, moved inwards.
    pub fn narrow(&self, Bounds { lower, upper }: Bounds) -> Bounds {
        Bounds { lower: lower + self.lower.overshoot(), upper: upper - self.upper.overshoot() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_new_extremes_are_steps() {
        let mut ladders = Ladders::default();
        for llr in [0.5, 0.25, -1.0, 2.0, 1.0, -1.5] {
            ladders.observe(llr);
        }
        assert_eq!(ladders.lower, Ladder { height: -1.5, squares: 1.25 });
        assert_eq!(ladders.upper, Ladder { height: 2.0, squares: 2.5 });
        let narrow = ladders.narrow(Bounds { lower: -3.0, upper: 3.0 });
        assert!((narrow.upper - 3.0 + 2.5 / 4.0).abs() < 1e-15);
        assert!((narrow.lower + 3.0 - 1.25 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn before_the_first_look_the_bounds_are_walds() {
        let bounds = Bounds { lower: -3.0, upper: 2.0 };
        assert_eq!(Ladders::default().narrow(bounds), bounds);
    }
}
