//! The flag that stops a search or a whole run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The longest time after which a sleeper looks at its flag.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A stop flag shared between threads. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Requests a stop.
    pub fn raise(&self) {
        // The flag carries no data, so it needs no ordering.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Clears the request.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Sleeps until the time is over, or a stop is requested; then it is false.
    #[must_use]
    pub fn sleep(&self, mut time: Duration) -> bool {
        while !time.is_zero() && !self.is_raised() {
            let slice = time.min(POLL_INTERVAL);
            thread::sleep(slice);
            time -= slice;
        }
        !self.is_raised()
    }

    /// Whether a stop was requested.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
