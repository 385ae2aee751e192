//! The file of a journal by its identity: whether it has one name, and whether it is still in its place.
//!
//! `SQLite` keeps its log next to the name by which a file was opened. By another name of the same file the
//! log is missed, and later played over newer contents. And a file that is moved or deleted while it is open
//! is written without an error: a run would go on for hours, and its results would be gone.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use super::{JournalError, publish};

/// A file and its path.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    identity: Option<[u64; 2]>,
}

impl Place {
    /// The place of an existing file; `None` if the system does not say.
    pub(super) fn of_file(file: &Path) -> Option<Self> {
        let path = std::path::absolute(file).ok()?;
        let identity = identity(&fs::metadata(&path).ok()?);
        Some(Self { path, identity })
    }

    /// Is the file still there, and the same?
    pub(super) fn is_kept(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|found| identity(&found) == self.identity)
    }
}

/// Fails if a file has several names. The draft that a killed creation left does not count: no journal is
/// opened under its name.
pub(super) fn check_names(file: &Path) -> Result<(), JournalError> {
    // Errors of the file are reported where it is opened.
    let Some(found) = fs::metadata(file).ok().filter(Metadata::is_file) else { return Ok(()) };
    let links = names(&found);
    if links < 2 {
        return Ok(());
    }
    let is_same =
        |draft: &PathBuf| fs::metadata(draft).is_ok_and(|draft| identity(&draft) == identity(&found));
    let drafts = publish::drafts(file).filter(is_same).count() as u64;
    if links.saturating_sub(drafts) < 2 {
        return Ok(());
    }
    Err(JournalError::SeveralNames { file: file.to_owned(), links })
}

/// Device and number of a file.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no such numbers")]
fn identity(found: &Metadata) -> Option<[u64; 2]> {
    use std::os::unix::fs::MetadataExt;
    Some([found.dev(), found.ino()])
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<[u64; 2]> {
    None
}

#[cfg(unix)]
fn names(found: &Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    found.nlink()
}

#[cfg(not(unix))]
fn names(_: &Metadata) -> u64 {
    1
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::job::{JobKey, WorkerId};
    use crate::journal::spec_fixture::spec;
    use crate::journal::tests::results;
    use crate::journal::{Journal, JournalContents};

    const NOW: SystemTime = SystemTime::UNIX_EPOCH;

    #[test]
    fn journal_with_two_names_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, other] = ["run.sqlite", "other.sqlite"].map(|name| folder.path().join(name));
        drop(Journal::create(&file, &spec(), NOW).expect("a new file"));
        fs::hard_link(&file, &other).expect("a file system with links");
        for name in [&file, &other] {
            let errors = [
                Journal::open(name).map(|_| ()).expect_err("two names"),
                JournalContents::copy_of(name).map(|_| ()).expect_err("two names"),
            ];
            for error in errors {
                assert!(matches!(error, JournalError::SeveralNames { links: 2, .. }), "{error}");
            }
        }
        fs::remove_file(&other).expect("its own file");
        Journal::open(&file).expect("one name");
    }

    #[test]
    fn symbolic_link_is_read_with_the_log_of_its_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, other] = ["run.sqlite", "other.sqlite"].map(|name| folder.path().join(name));
        let mut journal = Journal::create(&file, &spec(), NOW).expect("a new file");
        journal.record(JobKey { part: 0, job: 0 }, &results()[0], WorkerId(0), NOW).expect("space");
        std::os::unix::fs::symlink(&file, &other).expect("a file system with links");
        let mut held = 0;
        let read = JournalContents::copy_of(&other).expect("a journal").replay(&mut |_, _| {
            held += 1;
            Ok(())
        });
        read.expect("sound");
        assert_eq!(held, 1, "it is in the log");
    }

    #[test]
    fn moved_deleted_or_replaced_journal_takes_no_result() {
        for what in ["moved", "deleted", "replaced"] {
            let folder = tempfile::tempdir().expect("a folder");
            let [file, other] = ["run.sqlite", "other.sqlite"].map(|name| folder.path().join(name));
            let mut journal = Journal::create(&file, &spec(), NOW).expect("a new file");
            let mut record = |job| journal.record(JobKey { part: 0, job }, &results()[0], WorkerId(0), NOW);
            record(0).expect("it is in its place");
            match what {
                "moved" => fs::rename(&file, &other).expect("its own file"),
                "deleted" => fs::remove_file(&file).expect("its own file"),
                _ => {
                    fs::copy(&file, &other).expect("space");
                    fs::rename(&other, &file).expect("its own file");
                }
            }
            let error = record(1).expect_err(what);
            assert!(matches!(error, JournalError::Gone { .. }), "{what}: {error}");
        }
    }
}
