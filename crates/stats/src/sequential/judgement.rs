//! The decision of a test, and the bounds at which it falls.

/// The bounds of a test's statistic, such as the log-likelihood ratio: H0 is accepted at or below `lower`, H1
/// at or above `upper`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// At or below this value H0 is accepted; negative.
    pub lower: f64,
    /// At or above this value H1 is accepted; positive.
    pub upper: f64,
}

impl Bounds {
    /// The decision at a value of the statistic.
    pub fn judge(self, value: f64) -> Judgement {
        if value <= self.lower {
            Judgement::AcceptH0
        } else if self.upper <= value {
            Judgement::AcceptH1
        } else {
            Judgement::Continue
        }
    }
}

/// The decision of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Judgement {
    /// Accept H0: the difference is `elo0` rather than `elo1`.
    AcceptH0,
    /// Accept H1: the difference is `elo1` rather than `elo0`.
    AcceptH1,
    /// No decision yet.
    Continue,
}
