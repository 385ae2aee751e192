//! Creates a journal file: written completely as a draft, then linked to its name without replacing a file.
//!
//! So a process killed at any moment leaves either no journal or a complete one. It may also leave a draft,
//! `NAME.PID.part`, which the next journal with that name removes. Drafts of live processes are locked.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;

use super::JournalError;

/// Files that `SQLite` may leave next to a database.
const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];
/// Another process can remove a draft only before it is locked, which does not happen repeatedly.
const ATTEMPTS: usize = 3;

/// Creates a new journal file.
pub(super) fn publish(file: &Path, bytes: &[u8]) -> Result<(), JournalError> {
    let mut published = Err(io::Error::from(ErrorKind::NotFound));
    for _ in 0..ATTEMPTS {
        // Not `exists`: a link without a target is a used name, too.
        if file.symlink_metadata().is_ok() {
            return Err(JournalError::Exists { file: file.to_owned() });
        }
        remove_drafts(file);
        published = try_publish(file, bytes);
        if published.as_ref().err().is_none_or(|error| error.kind() != ErrorKind::NotFound) {
            break;
        }
    }
    published.map_err(|error| {
        let (file, cause) = (file.to_owned(), error.to_string());
        match error.kind() {
            ErrorKind::AlreadyExists => JournalError::Exists { file },
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                JournalError::CannotCreate { file, cause }
            }
            _ => JournalError::CannotOpen { file, cause },
        }
    })
}

fn try_publish(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = with_ending(file, &format!(".{}.part", process::id()));
    let written = write_draft(&draft, bytes);
    // The lock is held until the draft has its name.
    let published = written.and_then(|_lock| {
        // A log left by an earlier journal with this name does not belong to this one.
        remove_side_files(file)?;
        link_draft(&draft, file)
    });
    // After linking, the draft is not needed any more; after an error, it is useless.
    let _ = fs::remove_file(&draft);
    published
}

/// Writes a draft and locks it while the handle exists.
fn write_draft(draft: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(draft)?;
    // Without file locks another process may remove the draft as a leftover; then this one tries again.
    let _ = file.try_lock();
    file.write_all(bytes)?;
    // On the disk before the name is, so that not even a power failure leaves an incomplete journal.
    file.sync_all()?;
    Ok(file)
}

/// Gives the draft its name unless a file with that name exists.
fn link_draft(draft: &Path, file: &Path) -> io::Result<()> {
    match fs::hard_link(draft, file) {
        Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::Unsupported) => {
            // The file system has no links. Only a file created at this very moment would be replaced.
            if file.symlink_metadata().is_ok() {
                return Err(ErrorKind::AlreadyExists.into());
            }
            fs::rename(draft, file)
        }
        linked => linked,
    }
}

/// Removes drafts of killed processes. One that cannot be removed is harmless.
pub(super) fn remove_drafts(file: &Path) {
    for path in drafts(file) {
        if File::open(&path).is_ok_and(|draft| draft.try_lock().is_ok()) {
            let _ = fs::remove_file(path);
        }
    }
}

/// The drafts of a journal. Until one is removed, it is another name of the file.
pub(super) fn drafts(file: &Path) -> impl Iterator<Item = PathBuf> {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
    // The parent of a bare file name is the empty path, which can't be read as a folder.
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_draft = move |entry: &str| !name.is_empty() && is_draft_of(&name, entry);
    entries.filter(move |entry| entry.file_name().to_str().is_some_and(&is_draft)).map(|entry| entry.path())
}

/// `NAME.PID.part`
fn is_draft_of(name: &str, entry: &str) -> bool {
    let process = entry
        .strip_prefix(name)
        .and_then(|rest| rest.strip_prefix('.'))
        .and_then(|rest| rest.strip_suffix(".part"));
    process.is_some_and(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Removes a journal with all its files.
pub(super) fn remove(file: &Path) -> io::Result<()> {
    remove_drafts(file);
    // The journal first: a log without a journal is meaningless, but a journal without its log may be
    // incomplete.
    remove_if_there(file)?;
    remove_side_files(file)
}

fn remove_side_files(file: &Path) -> io::Result<()> {
    SIDE_FILES.iter().try_for_each(|ending| remove_if_there(&with_ending(file, ending)))
}

fn remove_if_there(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

pub(super) fn with_ending(file: &Path, ending: &str) -> PathBuf {
    // Not `with_extension`, which would replace the ending of the name.
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
