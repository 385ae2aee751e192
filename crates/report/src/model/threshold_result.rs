//! Whether a suite meets its thresholds.

/// A threshold of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThresholdResult {
    /// The class whose cases it counts; `None` for all cases.
    pub class: Option<String>,
    /// The threshold in words: `all: at least 95 %`.
    pub threshold: String,
    /// Whether it is met.
    pub state: ThresholdState,
}

/// Whether a threshold is met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ThresholdState {
    /// It is met.
    Met,
    /// It is missed, for this reason.
    Missed(String),
    /// The suite is not finished, so its pass rate is not known.
    Unknown,
}

impl ThresholdResult {
    /// Why it is missed; `None` if it is met or not known.
    pub fn missed_by(&self) -> Option<&str> {
        match &self.state {
            ThresholdState::Missed(why) => Some(why),
            ThresholdState::Met | ThresholdState::Unknown => None,
        }
    }
}
