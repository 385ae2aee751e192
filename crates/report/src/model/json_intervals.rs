//! Estimates and intervals as JSON values.

use serde_json::{Value, json};

use threefold_stats::{Estimate, Logistic};

/// A difference in logistic Elo with its interval.
pub(crate) fn logistic(elo: Estimate<Logistic>) -> Value {
    estimate(elo.low.0, elo.value.0, elo.high.0)
}

/// An estimate with its interval.
pub(crate) fn estimate(low: f64, value: f64, high: f64) -> Value {
    json!({ "low": low, "value": value, "high": high })
}

/// An interval; `null` for an end without a bound.
pub(crate) fn ends([low, high]: [Logistic; 2]) -> Value {
    json!({ "low": low.0, "high": high.0 })
}
