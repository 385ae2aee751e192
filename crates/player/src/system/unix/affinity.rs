//! The CPU that a thread runs on. Processes that the thread starts inherit it.

use std::io;

/// Lets the calling thread run on this CPU only, and reads back whether it does.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
pub fn pin(cpu: usize) -> io::Result<()> {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;

    let this_thread = Pid::from_raw(0);
    let mut wanted = CpuSet::new();
    wanted.set(cpu)?;
    sched_setaffinity(this_thread, &wanted)?;
    if sched_getaffinity(this_thread)? == wanted {
        Ok(())
    } else {
        Err(io::Error::other("the system did not accept it"))
    }
}

/// This system has no such call.
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
pub fn pin(_: usize) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
