//! The flag that calls a search, or a whole run, off.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag shared between whoever works and whoever may call the work off. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Calls the work off.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Makes the flag ready for the next piece of work.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Was the work called off?
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
