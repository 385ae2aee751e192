//! Ctrl-C. What else ends a process is not distinguished from it.

use std::io;

use crate::system::EndSignal;

/// From now on, for the rest of the process's life: calls `handler` for each Ctrl-C, in a thread of its own.
/// To be called once.
///
/// # Errors
/// If the system refuses the handler or the thread.
pub fn watch(mut handler: impl FnMut(EndSignal) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || handler(EndSignal::Interrupt)).map_err(io::Error::other)
}
