//! The CPU that a thread runs on: the standard library has no call for it.

use std::io;

/// Fails.
pub fn pin(_: usize) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
