//! What warnings count for in a run.

use std::collections::BTreeSet;

use super::{GameWarning, WarningRule};

/// What warnings count for in a run. The journal has all warnings in any case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WarningPolicy {
    /// Rules that count for nothing.
    pub ignored: BTreeSet<WarningRule>,
    /// Is any other warning a reason against the run?
    pub strict: bool,
}

impl WarningPolicy {
    /// Removes the warnings that count for nothing.
    pub fn apply(&self, warnings: &mut Vec<GameWarning>) {
        warnings.retain(|warning| !self.ignored.contains(&warning.rule));
    }
}
