//! Why the server of a run is treated as away.

use std::sync::{Arc, Mutex, PoisonError};

use crate::broker::BrokerError;

/// Why the server is treated as away; `None` while it is not.
pub(super) type Failure = Arc<Mutex<Option<String>>>;

/// Keeps the first cause for which the server is treated as away.
pub(super) fn fail(failure: &Mutex<Option<String>>, error: &BrokerError) {
    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| error.to_string());
}
