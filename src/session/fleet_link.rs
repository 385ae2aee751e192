//! The fleet that does the jobs of this process, if there is one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use threefold_run::pool::RemoteWorkers;

/// The fleet, and the command line without it.
static FLEET: OnceLock<(Box<dyn RemoteWorkers>, Vec<OsString>)> = OnceLock::new();

/// Has the jobs of all later runs of this process done by a fleet. `words` is the command line without the
/// fleet, whose options may have secrets.
pub(crate) fn connect(workers: Box<dyn RemoteWorkers>, words: &[OsString]) {
    // A process submits one command.
    _ = FLEET.set((workers, words.to_vec()));
}

/// The fleet.
pub(crate) fn workers() -> Option<&'static dyn RemoteWorkers> {
    FLEET.get().map(|(workers, _)| &**workers)
}

/// The command line without the fleet.
pub(crate) fn words() -> Option<Vec<OsString>> {
    FLEET.get().map(|(_, words)| words.clone())
}

/// The journal of the present run.
static JOURNAL: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Sets the journal of the present run.
pub(crate) fn set_journal(file: &Path) {
    *JOURNAL.lock().unwrap_or_else(PoisonError::into_inner) = Some(file.to_owned());
}

/// The journal of the present run; `None` before it has begun.
pub(crate) fn journal() -> Option<PathBuf> {
    JOURNAL.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The command that continues a run, without the name of the journal.
pub(crate) fn resume_command() -> &'static str {
    if workers().is_some() { "threefold fleet submit --nats URL resume" } else { "threefold resume" }
}
