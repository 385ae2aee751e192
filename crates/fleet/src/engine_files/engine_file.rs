//! One file of an engine.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::EngineFilesError;
use super::file_hash::FileHash;
use super::program_format::{HEADER_SIZE, NoProgram, ProgramKind};

/// The most bytes of a file: 512 MiB.
pub const MOST_BYTES: u64 = 512 << 20;
/// The most bytes of a file's name: what most file systems allow.
pub(super) const LONGEST_NAME: usize = 255;
/// The most bytes of the text that names a file: Linux's longest path.
pub(super) const LONGEST_TEXT: usize = 4_096;

/// A file of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineFile {
    /// The text in the spec that names it: the program, an argument, the value of an option, or the book. Of
    /// an argument `KEY=FILE`, only FILE.
    pub text: String,
    /// Its name without folders. The worker's copy has the same.
    pub name: String,
    /// In bytes, at most [`MOST_BYTES`].
    pub size: u64,
    /// Its SHA-256.
    pub sha256: FileHash,
    /// What it is for the engine.
    pub role: FileRole,
}

/// What a file is for its engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileRole {
    /// The program that is started, with the systems that it runs on.
    Program(ProgramKind),
    /// A file that the engine, or threefold for it, reads.
    Data,
}

impl EngineFile {
    /// The program at `path`, which the spec of `engine` names by `text`.
    pub(super) fn program(engine: &str, text: &str, path: &Path) -> Result<Self, EngineFilesError> {
        let mut file = Self::open(engine, path)?;
        let unreadable = |cause| unreadable(engine, path, cause);
        let mut header = Vec::new();
        io::copy(&mut Read::by_ref(&mut file).take(HEADER_SIZE as u64), &mut header).map_err(unreadable)?;
        // The header and the hash are read from one open file, even if the path is replaced meanwhile.
        file.rewind().map_err(unreadable)?;
        let kind = ProgramKind::from_header(&header).map_err(|reason| match reason {
            NoProgram::Script => {
                EngineFilesError::Script { engine: engine.to_owned(), file: path.to_owned() }
            }
            NoProgram::Unknown => {
                EngineFilesError::UnknownFormat { engine: engine.to_owned(), file: path.to_owned() }
            }
        })?;
        Self::read_file(engine, text, path, file, FileRole::Program(kind))
    }

    /// Reads a data file of an engine, such as a network or a book.
    pub(super) fn data(engine: &str, text: &str, path: &Path) -> Result<Self, EngineFilesError> {
        Self::read_file(engine, text, path, Self::open(engine, path)?, FileRole::Data)
    }

    fn open(engine: &str, path: &Path) -> Result<File, EngineFilesError> {
        File::open(path).map_err(|cause| unreadable(engine, path, cause))
    }

    fn read_file(
        engine: &str,
        text: &str,
        path: &Path,
        file: File,
        role: FileRole,
    ) -> Result<Self, EngineFilesError> {
        let name = path.file_name().and_then(|name| name.to_str());
        let name =
            name.ok_or_else(|| EngineFilesError::Name { file: path.to_string_lossy().into_owned() })?;
        let (sha256, size) =
            FileHash::hash_of(file, MOST_BYTES).map_err(|cause| unreadable(engine, path, cause))?;
        let file = Self { text: text.to_owned(), name: name.to_owned(), size, sha256, role };
        file.validate()?;
        Ok(file)
    }

    /// Refuses what a message may not contain.
    pub(super) fn validate(&self) -> Result<(), EngineFilesError> {
        let Self { text, name, size, .. } = self;
        if text.is_empty() || text.len() > LONGEST_TEXT || text.chars().any(char::is_control) {
            return Err(EngineFilesError::Text { text: text.chars().take(LONGEST_NAME).collect() });
        }
        // A worker joins the name to its folder, and on Windows `:` names a drive or a stream.
        let is_special = |letter: char| letter.is_control() || matches!(letter, '/' | '\\' | ':');
        let is_relative = matches!(name.as_str(), "" | "." | "..");
        if is_relative || name.len() > LONGEST_NAME || name.chars().any(is_special) {
            return Err(EngineFilesError::Name { file: name.chars().take(LONGEST_NAME).collect() });
        }
        if *size > MOST_BYTES {
            return Err(EngineFilesError::TooLarge { file: name.clone() });
        }
        Ok(())
    }

    /// Is it the program?
    pub fn is_program(&self) -> bool {
        matches!(self.role, FileRole::Program(_))
    }
}

fn unreadable(engine: &str, path: &Path, cause: io::Error) -> EngineFilesError {
    EngineFilesError::Unreadable { engine: engine.to_owned(), file: path.to_owned(), cause }
}
