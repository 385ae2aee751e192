//! The signals that suspend the harness (`SIGTSTP`, Ctrl-Z) and resume it (`SIGCONT`).

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use signal_hook::consts::{SIGCONT, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// From now on, for the rest of the process's life: calls `suspend` before Ctrl-Z stops this process, and
/// `resume` when it continues. The flag that is returned is set by each `SIGCONT`, also after a `SIGSTOP`,
/// which cannot be caught. To be called once.
pub(crate) fn watch(
    suspend: impl Fn() + Send + 'static,
    resume: impl Fn() + Send + 'static,
) -> io::Result<Option<Arc<AtomicBool>>> {
    let was_continued = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(SIGCONT, Arc::clone(&was_continued))?;
    let mut signals = Signals::new([SIGTSTP])?;
    thread::Builder::new().name("suspension".to_owned()).spawn(move || {
        for signal in &mut signals {
            suspend();
            // The process stops in this call, and returns from it when it continues.
            let _ = emulate_default_handler(signal);
            resume();
        }
    })?;
    Ok(Some(was_continued))
}
