//! The signals that end a run: Ctrl-C (`SIGINT`) and `SIGTERM`.

use std::io;
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::system::EndSignal;

/// From now on, for the rest of the process's life: calls `handler` for each of these signals, in a thread of
/// its own. To be called once.
///
/// `SIGHUP` keeps its default, so that `nohup` works: a handler would replace its "ignored".
///
/// # Errors
/// If the system refuses the handler or the thread.
pub fn watch(mut handler: impl FnMut(EndSignal) + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in &mut signals {
            handler(if signal == SIGINT { EndSignal::Interrupt } else { EndSignal::Terminate });
        }
    })?;
    Ok(())
}
