//! There are no signals that suspend a process.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Watches nothing, and returns no flag.
#[expect(clippy::unnecessary_wraps, reason = "on Unix the system can refuse to watch signals")]
pub(crate) fn watch(
    _suspend: impl Fn() + Send + 'static,
    _resume: impl Fn() + Send + 'static,
) -> io::Result<Option<Arc<AtomicBool>>> {
    Ok(None)
}
