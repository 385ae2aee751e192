//! Copies a journal for reading, without a lock and without changing its folder.
//!
//! So a journal can be read on a read-only medium, as another user, and during a run. The file and its
//! write-ahead log are copied. The copy is consistent if the log was not restarted meanwhile: everything that
//! a checkpoint changed in the file during the copying is also in the log, which takes precedence.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::publish::with_ending;
use super::{JournalError, place};

/// The first bytes of a `SQLite` file.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// The length of a write-ahead log's header, which changes whenever the log is restarted.
const LOG_HEADER: usize = 32;
/// The number of attempts during a run, and the pause between them.
const ATTEMPTS: usize = 100;
const PAUSE: Duration = Duration::from_millis(20);

/// Detects a restarted log: the log's header, or the file's size and time while there is no log.
#[derive(PartialEq, Eq)]
enum LogStamp {
    Log([u8; LOG_HEADER]),
    NoLog { size: u64, modified: Option<SystemTime> },
}

/// Copies a journal and its log to a temporary folder; returns the folder and the path of the copy.
pub(super) fn take(file: &Path) -> Result<(TempDir, PathBuf), JournalError> {
    let unopened = |cause: io::Error| match cause.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            JournalError::CannotCopy { file: file.to_owned(), cause }
        }
        _ => JournalError::CannotOpen { file: file.to_owned(), cause: cause.to_string() },
    };
    place::check_names(file)?;
    // The log is next to the file itself, not to a link to it.
    let (named, resolved) = (file, file.canonicalize().map_err(unopened)?);
    let file = resolved.as_path();
    if is_foreign(file).map_err(unopened)? {
        return Err(JournalError::NotAJournal { file: named.to_owned() });
    }
    let folder = TempDir::with_prefix("threefold-")
        .map_err(|cause| JournalError::CannotCopy { file: named.to_owned(), cause })?;
    let (copy, log) = (folder.path().join("journal.sqlite"), with_ending(file, "-wal"));
    for _ in 0..ATTEMPTS {
        let before = LogStamp::of_file(file, &log).map_err(unopened)?;
        copy_with_log(file, &log, &copy).map_err(unopened)?;
        if LogStamp::of_file(file, &log).map_err(unopened)? == before {
            return Ok((folder, copy));
        }
        thread::sleep(PAUSE);
    }
    Err(JournalError::InUse { file: named.to_owned() })
}

impl LogStamp {
    fn of_file(file: &Path, log: &Path) -> io::Result<Self> {
        let mut header = [0; LOG_HEADER];
        match File::open(log).and_then(|mut log| log.read_exact(&mut header)) {
            Ok(()) => Ok(Self::Log(header)),
            // A closed journal has no log, and a new log is empty until the first write.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::UnexpectedEof) => {
                let found = fs::metadata(file)?;
                Ok(Self::NoLog { size: found.len(), modified: found.modified().ok() })
            }
            Err(error) => Err(error),
        }
    }
}

/// Is the file certainly not a database? Files that are too short are left to `SQLite`.
fn is_foreign(file: &Path) -> io::Result<bool> {
    let mut first = [0; MAGIC.len()];
    match File::open(file)?.read_exact(&mut first) {
        Ok(()) => Ok(first != *MAGIC),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Copies a file and its log, if it has one, over the files of an earlier attempt.
fn copy_with_log(file: &Path, log: &Path, copy: &Path) -> io::Result<()> {
    // The file before its log: what a checkpoint writes to the file meanwhile is in the log.
    copy_to(file, copy)?;
    let log_copy = with_ending(copy, "-wal");
    match copy_to(log, &log_copy) {
        // The journal was closed. The log of an earlier attempt is older than this copy of the file.
        Err(error) if error.kind() == ErrorKind::NotFound => match fs::remove_file(log_copy) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        },
        copied => copied,
    }
}

/// Copies the bytes only, not the permissions: a read-only copy could not be opened with its log.
fn copy_to(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = File::open(from)?;
    io::copy(&mut from, &mut File::create(to)?).map(|_| ())
}

/// Fails if the journal is not writable.
pub(super) fn check_writable(file: &Path) -> Result<(), JournalError> {
    // Permissions alone do not show a read-only medium, so the file is opened.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test makes the files of a journal")]
    fn copy_of_a_closed_journal_has_no_earlier_log() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, log, copy] = ["run", "run-wal", "copy"].map(|name| folder.path().join(name));
        fs::write(&file, "old").expect("writable");
        fs::write(&log, "log").expect("writable");
        let log_copy = with_ending(&copy, "-wal");
        copy_with_log(&file, &log, &copy).expect("copied");
        assert_eq!(fs::read(&log_copy).expect("a copy"), b"log");
        fs::write(&file, "new").expect("writable");
        fs::remove_file(&log).expect("removed");
        for _ in 0..2 {
            copy_with_log(&file, &log, &copy).expect("copied");
            assert!(!log_copy.exists(), "the log is older than the file");
        }
        assert_eq!(fs::read(&copy).expect("a copy"), b"new");
    }
}
