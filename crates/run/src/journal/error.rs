//! What can be wrong with a journal.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::VERSION;
use crate::prepared::RunSpecError;

/// An error with a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A file with this name exists.
    #[error("{file}: exists already; `resume` it, remove it, or choose another name")]
    Exists {
        /// The path of the journal.
        file: PathBuf,
    },
    /// The file cannot be opened or created.
    #[error("{file}: can't be opened: {cause}; check the path and its permissions")]
    CannotOpen {
        /// The path of the journal.
        file: PathBuf,
        /// The error of the system.
        cause: String,
    },
    /// Not a journal.
    #[error("{file}: is no journal of a run; give the file that a run was begun with")]
    NotAJournal {
        /// The path of the journal.
        file: PathBuf,
    },
    /// From a version of this program with another format.
    #[error(
        "{file}: was written in format {found}, and this program reads format {VERSION}; use the version that wrote it"
    )]
    OtherFormat {
        /// The path of the journal.
        file: PathBuf,
        /// The format version of the journal.
        found: i32,
    },
    /// A damaged journal.
    #[error("{file}: is damaged: {what}; restore it from a copy, or begin the run anew")]
    Damaged {
        /// The path of the journal.
        file: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The file has several names.
    #[error(
        "{file}: has {links} names (hard links), and what the last run left next to the file belongs to one of them; remove all \
         names but the one that the run was begun with"
    )]
    SeveralNames {
        /// The path of the journal.
        file: PathBuf,
        /// The number of its names.
        links: u64,
    },
    /// The file is not in its place any more.
    #[error(
        "{file}: the journal was moved, replaced or deleted while the run went on, so the run has stopped; move it back and \
         `resume` it, or `resume` it where it is now; if it is deleted, begin the run anew"
    )]
    Gone {
        /// The path of the journal.
        file: PathBuf,
    },
    /// Another process has locked it.
    #[error("{file}: is in use by another process; wait until that run ends, or end it")]
    InUse {
        /// The path of the journal.
        file: PathBuf,
    },
    /// It can be read, but not written.
    #[error(
        "{file}: can't be written: {cause}; `report` reads it where it is; to go on, `resume` a copy elsewhere, or change \
         its permissions"
    )]
    ReadOnly {
        /// The path of the journal.
        file: PathBuf,
        /// The error of the system.
        cause: String,
    },
    /// There is no space for a new journal.
    #[error("{file}: can't be written: {cause}; free some space, then give the same command again")]
    CannotCreate {
        /// The path of the journal.
        file: PathBuf,
        /// The error of the system.
        cause: String,
    },
    /// It is read from a copy, and there is no space for the copy.
    #[error("{file}: can't be copied to be read: {cause}; free some space for temporary files")]
    CannotCopy {
        /// The path of the journal.
        file: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// It is not changed, since its new specification is wrong.
    #[error(transparent)]
    Spec(#[from] RunSpecError),
    /// It cannot be written any more.
    #[error("{file}: can't be written: {cause}; free some space, then `resume` it")]
    CannotWrite {
        /// The path of the journal.
        file: PathBuf,
        /// The error of `SQLite`.
        cause: rusqlite::Error,
    },
}

impl JournalError {
    /// The meaning of a `SQLite` error for the user.
    pub(super) fn of_sqlite(file: &Path, error: &rusqlite::Error) -> Self {
        let file = file.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotAJournal { file },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::InUse { file },
            // The file is writable at this point, but not the folder for its log.
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => {
                Self::ReadOnly { file, cause: error.to_string() }
            }
            Some(ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory) => {
                Self::CannotOpen { file, cause: error.to_string() }
            }
            Some(_) | None => Self::Damaged { file, what: error.to_string() },
        }
    }
}
