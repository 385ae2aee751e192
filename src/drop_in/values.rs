//! Values of options: numbers, truth values, and words of a list.

use std::str::FromStr;

use super::words::{Given, UsageError};

/// A number.
pub(super) fn number<N: FromStr>(given: &Given<'_>, value: &str) -> Result<N, UsageError> {
    value.parse().map_err(|_| given.error(&format!("`{value}` is no number in its range")))
}

/// `true` or `false`.
pub(super) fn is_true(given: &Given<'_>, value: &str) -> Result<bool, UsageError> {
    Ok(one_of(given, value, &["true", "false"])? == "true")
}

/// One of these words.
pub(super) fn one_of<'k>(given: &Given<'_>, value: &str, known: &[&'k str]) -> Result<&'k str, UsageError> {
    let found = known.iter().copied().find(|known| *known == value);
    found.ok_or_else(|| {
        given.error(&format!("`{value}` is not known here; the values are {}", known.join(", ")))
    })
}
