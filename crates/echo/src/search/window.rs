//! The alpha-beta window.

use crate::value::Value;

/// A larger advantage, in centipawns, counts as decided.
pub(super) const DECIDED: i32 = 1500;

/// The alpha-beta window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub alpha: Value,
    pub beta: Value,
}

impl Window {
    /// The full window.
    pub(super) const fn open() -> Self {
        Self { alpha: Value::MINUS_INFINITE, beta: Value::INFINITE }
    }

    /// The zero window above this value.
    pub(super) fn above(alpha: Value) -> Self {
        Self { alpha, beta: alpha.next_above() }
    }

    /// The window of `margin` centipawns around a value.
    pub(super) fn around(value: Value, margin: i32) -> Self {
        Self { alpha: Value::from_raw(value.raw() - margin), beta: Value::from_raw(value.raw() + margin) }
    }

    /// The window from the opponent's view.
    pub(super) fn negated(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether it is not a zero window (a PV node).
    pub(super) fn is_wide(self) -> bool {
        self.beta.raw() - self.alpha.raw() > 1
    }

    /// Whether the window is in the range of mates or decided games, where evaluations must not prune: only
    /// mates matter there.
    pub(super) fn is_about_mate(self) -> bool {
        self.alpha.raw() >= DECIDED || self.beta.raw() <= -DECIDED
    }
}
