//! The time, which decides when something is sent again or shown; no result depends on it.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The present moment.
#[expect(clippy::disallowed_methods, reason = "intervals between messages")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Seconds since 1970.
#[expect(clippy::disallowed_methods, reason = "the age of a message is shown")]
pub(crate) fn unix_seconds() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}
