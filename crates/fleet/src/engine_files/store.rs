//! The engine files that a worker has, by their hashes.
//!
//! A file is `HEX/NAME` in the store's folder: HEX is its SHA-256, and NAME its own name, which some engines
//! look at.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::engine_file::{EngineFile, MOST_BYTES};
use super::file_hash::FileHash;

/// A folder of engine files. Only its owner can enter it, and its files are never written again: programs can
/// be read and started, other files can be read.
#[derive(Debug, Clone)]
pub struct EngineStore {
    folder: PathBuf,
}

/// Why a file is not in the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store can't be read or written.
    #[error("{path:?}: {cause}; check the permissions and the free space of the folder for engines")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// What was received is not the file.
    #[error(
        "`{name}`: {size} bytes with the SHA-256 {sha256} were received in place of {expected_size} bytes with {expected}; they were thrown away"
    )]
    Received {
        /// The file's name.
        name: String,
        /// Its size, in bytes.
        expected_size: u64,
        /// The SHA-256 that the coordinator announced.
        expected: FileHash,
        /// The size of what was received, in bytes; one more than expected if there was more.
        size: u64,
        /// The hash of what was received.
        sha256: FileHash,
    },
    /// A file of the store was changed.
    #[error(
        "{path:?} is not the file that was stored: it was changed afterwards, and is now removed; find out who can write to this folder, then start again"
    )]
    Changed {
        /// The path of the file.
        path: PathBuf,
    },
    /// A file is larger than the fleet sends.
    #[error("`{name}` has {size} bytes, more than the {MOST_BYTES} that the fleet sends; use a smaller file")]
    TooLarge {
        /// The file's name.
        name: String,
        /// Its size, in bytes.
        size: u64,
    },
}

impl EngineStore {
    /// The store in a folder, which is created if it is missing. On Unix only its owner can enter it
    /// afterwards.
    ///
    /// # Errors
    ///
    /// If the folder can't be created, or belongs to someone else.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let folder = std::path::absolute(folder).map_err(|cause| failed(folder, cause))?;
        create_private_folder(&folder).map_err(|cause| failed(&folder, cause))?;
        Ok(Self { folder })
    }

    /// The place of a file, whether it is there or not.
    pub fn place(&self, file: &EngineFile) -> PathBuf {
        self.folder.join(file.sha256.as_str()).join(&file.name)
    }

    /// Stores a file, of which `source` gives the bytes. Size and hash are checked while they are copied to a
    /// temporary file, which then gets its place. If anything is wrong, nothing is left of it.
    ///
    /// # Errors
    ///
    /// If the bytes are not those of the file, or can't be written.
    pub fn insert(&self, file: &EngineFile, source: impl Read) -> Result<PathBuf, StoreError> {
        if file.size > MOST_BYTES {
            return Err(StoreError::TooLarge { name: file.name.clone(), size: file.size });
        }
        // In the store's folder, so that the rename stays in one file system.
        let mut temporary =
            tempfile::NamedTempFile::new_in(&self.folder).map_err(|cause| failed(&self.folder, cause))?;
        let copied = FileHash::copying(source, temporary.as_file_mut(), file.size);
        let (sha256, size) = copied.map_err(|cause| failed(temporary.path(), cause))?;
        if (&sha256, size) != (&file.sha256, file.size) {
            return Err(StoreError::Received {
                name: file.name.clone(),
                expected_size: file.size,
                expected: file.sha256.clone(),
                size,
                sha256,
            });
        }
        let place = self.place(file);
        let folder = place.parent().unwrap_or(&self.folder);
        create_private_folder(folder).map_err(|cause| failed(folder, cause))?;
        // Elsewhere the folder's own rights decide.
        #[cfg(unix)]
        protect(temporary.as_file(), file).map_err(|cause| failed(&place, cause))?;
        // Linux starts no program that is open for writing, so the file is closed first.
        let path = temporary.into_temp_path();
        path.persist(&place).map_err(|error| failed(&place, error.error))?;
        Ok(place)
    }

    /// The path of a stored file, or `None` if it is not there. Reads it in full, so call it once for a run.
    ///
    /// # Errors
    ///
    /// If the file was changed since it was stored; it is removed. If it can't be read or removed.
    pub fn get(&self, file: &EngineFile) -> Result<Option<PathBuf>, StoreError> {
        let path = self.place(file);
        match self.is_intact(&path, file) {
            Ok(true) => Ok(Some(path)),
            Ok(false) => {
                remove(&path).map_err(|cause| failed(&path, cause))?;
                Err(StoreError::Changed { path })
            }
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(failed(&path, cause)),
        }
    }

    fn is_intact(&self, path: &Path, file: &EngineFile) -> io::Result<bool> {
        let folder = path.parent().unwrap_or(&self.folder);
        // Links are not followed: they may lead to a file that others can change.
        if !fs::symlink_metadata(folder)?.is_dir() {
            return Ok(false);
        }
        let metadata = fs::symlink_metadata(path)?;
        if !metadata.is_file() || metadata.len() != file.size {
            return Ok(false);
        }
        let (sha256, size) = FileHash::hash_of(File::open(path)?, file.size)?;
        Ok(sha256 == file.sha256 && size == file.size)
    }
}

fn failed(path: &Path, cause: io::Error) -> StoreError {
    StoreError::Io { path: path.to_owned(), cause }
}

/// Removes what is at the place of a file. If its folder is a link, only the link is removed.
fn remove(path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    if fs::symlink_metadata(folder)?.is_dir() {
        return if fs::symlink_metadata(path)?.is_dir() {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        };
    }
    fs::remove_file(folder)
}

#[cfg(unix)]
fn create_private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(folder)?;
    // Also for a folder that exists. The system refuses it if the folder has another owner.
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn create_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(unix)]
fn protect(open: &File, file: &EngineFile) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = if file.is_program() { 0o500 } else { 0o400 };
    open.set_permissions(fs::Permissions::from_mode(mode))
}
