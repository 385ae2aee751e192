//! Named pipes, permissions, and the descriptors of standard output and standard error.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::ops::Range;
use std::os::fd::AsFd as _;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc;

/// What a new file gets, before the user's mask. A temporary file would be its owner's alone.
#[expect(clippy::unnecessary_wraps, reason = "other systems have no such permissions")]
pub(crate) fn permissions_of_new_files() -> Option<Permissions> {
    Some(Permissions::from_mode(0o666))
}

/// May the file be executed?
pub(crate) fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Standard output as a file.
pub(crate) fn standard_output() -> io::Result<File> {
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Standard error as a file.
pub(crate) fn standard_error() -> io::Result<File> {
    Ok(io::stderr().as_fd().try_clone_to_owned()?.into())
}

/// Does another process have a lock for writing on any of these bytes of a file? Closing the file ends the
/// locks of this process on it, so it must have none.
pub fn is_locked(file: &Path, bytes: Range<i64>) -> bool {
    let mut lock = libc::flock {
        // The system reports a lock that conflicts with this one, and only a lock for writing does.
        l_type: libc::F_RDLCK as _,
        l_whence: libc::SEEK_SET as _,
        l_start: bytes.start,
        l_len: bytes.end - bytes.start,
        l_pid: 0,
    };
    let asked = File::open(file).is_ok_and(|file| fcntl(&file, FcntlArg::F_GETLK(&mut lock)).is_ok());
    asked && i64::from(lock.l_type) != i64::from(libc::F_UNLCK)
}

/// Opens a named pipe to write to it, if anybody reads it.
///
/// # Errors
/// If the system refuses.
pub fn open_pipe(pipe: &Path) -> io::Result<Option<File>> {
    // An open that blocks would wait for a reader. This one fails with `ENXIO` if there is none.
    match OpenOptions::new().write(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(pipe) {
        Ok(file) => {
            // Writing waits for a reader that is slow.
            fcntl(&file, FcntlArg::F_SETFL(OFlag::empty()))?;
            Ok(Some(file))
        }
        Err(error) if error.raw_os_error() == Some(Errno::ENXIO as i32) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Is it a named pipe, which waits for its reader when it is opened?
pub fn is_fifo(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo())
}
