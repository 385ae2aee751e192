//! All tables of a folder.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::material::Material;
use super::tables::{ENDING, TableError, Tables};

/// Why the tables of a folder can't be used.
#[derive(Debug, thiserror::Error)]
pub enum TableFolderError {
    /// The folder can't be read.
    #[error("{}: can't be read as a folder of tables: {cause}; check the path", folder.display())]
    Folder {
        /// The path of the folder.
        folder: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// It holds no tables.
    #[error(
        "{}: holds no tables (.{ENDING}); build some with `threefold tablebase build KQK --dir {}`",
        .0.display(),
        .0.display()
    )]
    Empty(PathBuf),
    /// A table is invalid.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl Tables {
    /// Maps every table of a folder, without building any. Files with other names are ignored.
    pub fn map_folder(threads: NonZeroUsize, folder: &Path) -> Result<Self, TableFolderError> {
        let unreadable = |cause| TableFolderError::Folder { folder: folder.to_owned(), cause };
        let mut wanted = Vec::new();
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            let is_table = file.extension().is_some_and(|ending| ending == ENDING);
            let name = file.file_stem().and_then(|stem| stem.to_str()).filter(|_| is_table);
            wanted.extend(name.and_then(|name| name.parse::<Material>().ok()));
        }
        if wanted.is_empty() {
            return Err(TableFolderError::Empty(folder.to_owned()));
        }
        // `read_dir` has no fixed order, but of several invalid tables the same one is to be reported.
        wanted.sort();
        let mut tables = Self::with_folder(threads, folder);
        tables.map(&wanted)?;
        Ok(tables)
    }
}
