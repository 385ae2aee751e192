//! A copy of a journal to read from, taken without a lock and without a change beside the journal.
//!
//! So a journal is readable on a read-only medium, as another user, and while a run writes to it. The copy is of the
//! file and of its write-ahead log. It is consistent if the log was not begun anew meanwhile: whatever a checkpoint
//! changed in the file during the copying is in the log as well, and what the log says counts.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::JournalError;
use super::birth::with_ending;

/// How a file of `SQLite` begins.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// The header of a write-ahead log, which is another one whenever the log is begun anew.
const LOG_HEADER: usize = 32;
/// How often, and after which pause, copying is tried while a run writes.
const ATTEMPTS: usize = 100;
const PAUSE: Duration = Duration::from_millis(20);

/// What tells whether the log was begun anew: its header, or the file's size and time while there is no log.
#[derive(PartialEq, Eq)]
enum LogStamp {
    Log([u8; LOG_HEADER]),
    NoLog { size: u64, modified: Option<SystemTime> },
}

/// Copies a journal and its log to a temporary folder; the folder and the copy in it.
pub(super) fn take(file: &Path) -> Result<(TempDir, PathBuf), JournalError> {
    let unopened = |cause: io::Error| match cause.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            JournalError::CannotCopy { file: file.to_owned(), cause }
        }
        _ => JournalError::CannotOpen { file: file.to_owned(), cause: cause.to_string() },
    };
    if is_foreign(file).map_err(unopened)? {
        return Err(JournalError::NotAJournal { file: file.to_owned() });
    }
    let folder = TempDir::with_prefix("threefold-")
        .map_err(|cause| JournalError::CannotCopy { file: file.to_owned(), cause })?;
    let (copy, log) = (folder.path().join("journal.sqlite"), with_ending(file, "-wal"));
    for _ in 0..ATTEMPTS {
        let before = LogStamp::of(file, &log).map_err(unopened)?;
        copy_to(file, &copy).map_err(unopened)?;
        match copy_to(&log, &with_ending(&copy, "-wal")) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(unopened(error)),
            Ok(()) | Err(_) => {}
        }
        if LogStamp::of(file, &log).map_err(unopened)? == before {
            return Ok((folder, copy));
        }
        thread::sleep(PAUSE);
    }
    Err(JournalError::InUse { file: file.to_owned() })
}

impl LogStamp {
    fn of(file: &Path, log: &Path) -> io::Result<Self> {
        let mut header = [0; LOG_HEADER];
        match File::open(log).and_then(|mut log| log.read_exact(&mut header)) {
            Ok(()) => Ok(Self::Log(header)),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::UnexpectedEof) => {
                let found = fs::metadata(file)?;
                Ok(Self::NoLog { size: found.len(), modified: found.modified().ok() })
            }
            Err(error) => Err(error),
        }
    }
}

/// Does the file begin as no database does? What is too short to say so is left to `SQLite`.
fn is_foreign(file: &Path) -> io::Result<bool> {
    let mut first = [0; MAGIC.len()];
    match File::open(file)?.read_exact(&mut first) {
        Ok(()) => Ok(first != *MAGIC),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// The bytes alone: a copy that is as read-only as the journal couldn't be opened with its log.
fn copy_to(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = File::open(from)?;
    io::copy(&mut from, &mut File::create(to)?).map(|_| ())
}

/// Fails where a journal can be read but not written to.
pub(super) fn check_writable(file: &Path) -> Result<(), JournalError> {
    match File::options().read(true).write(true).open(file) {
        Ok(_) => Ok(()),
        Err(error) => {
            let (named, cause) = (file.to_owned(), error.to_string());
            Err(match error.kind() {
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem if File::open(file).is_ok() => {
                    JournalError::ReadOnly { file: named, cause }
                }
                _ => JournalError::CannotOpen { file: named, cause },
            })
        }
    }
}
