//! The file of `stderr=`: a copy of what an engine writes to standard error.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::visible::visible;

/// The open file.
#[derive(Debug)]
pub(super) struct ErrorFile {
    path: PathBuf,
    /// `None` after a line that could not be written.
    file: Option<File>,
}

impl ErrorFile {
    /// Opens the file and keeps what is in it.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.map_err(|cause| io::Error::new(cause.kind(), described(path, &cause)))?;
        Ok(Self { path: path.to_owned(), file: Some(file) })
    }

    /// Appends a line in one write, so that lines of several processes do not mix. After a failure, which is
    /// reported once, nothing more is written.
    pub(super) fn append(&mut self, line: &str) {
        let Some(file) = &mut self.file else { return };
        if let Err(cause) = file.write_all(format!("{line}\n").as_bytes()) {
            tracing::warn!("{}; the run continues without this copy", described(&self.path, &cause));
            self.file = None;
        }
    }
}

fn described(path: &Path, cause: &io::Error) -> String {
    format!("stderr={}: {cause}", visible(&path.display().to_string()))
}
