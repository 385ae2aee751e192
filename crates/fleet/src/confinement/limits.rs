//! Limits of a Unix process: memory, number of processes, size of files, core dumps.

use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigSet, Signal};

use super::ConfinementError;

/// Forbids core dumps and the content of files. Like all limits here, these hold for this process and the
/// program that it becomes.
pub(super) fn set_sizes() -> Result<(), ConfinementError> {
    // A write above the limit then fails with an error, where the signal would end the engine.
    let mut file_size = SigSet::empty();
    file_size.add(Signal::SIGXFSZ);
    file_size.thread_block().map_err(|errno| failed("the signal for large files", errno))?;
    lower("the size of core dumps", Resource::RLIMIT_CORE, 0)?;
    lower("the size of written files", Resource::RLIMIT_FSIZE, 0)
}

/// Limits memory and the number of processes. macOS ignores or lacks these limits.
#[cfg(target_os = "linux")]
pub(super) fn set_amounts(confinement: &super::Confinement) -> Result<(), ConfinementError> {
    lower("the number of processes", Resource::RLIMIT_NPROC, confinement.processes.get().into())?;
    lower("the memory", Resource::RLIMIT_AS, u64::from(confinement.memory.get()) << 20)
}

/// Lowers a limit; a lower one of the system stays.
fn lower(what: &'static str, resource: Resource, most: u64) -> Result<(), ConfinementError> {
    let (_, hard) = getrlimit(resource).map_err(|errno| failed(what, errno))?;
    let most = most.min(hard);
    // The hard limit, too, so that the engine can't raise it again.
    setrlimit(resource, most, most).map_err(|errno| failed(what, errno))
}

fn failed(what: &'static str, errno: Errno) -> ConfinementError {
    ConfinementError::Limit { what, cause: errno.desc().to_owned() }
}
