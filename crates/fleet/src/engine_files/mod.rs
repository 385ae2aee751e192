//! The files that an engine needs on another machine, and whether a worker may run them.
//!
//! [`EngineFiles::read_for`] lists them where a run is submitted. [`EngineStore`] keeps them on a worker by
//! their hashes, and [`EnginePermissions`] says which of them the worker's owner allows.
//! [`EngineFiles::relocate`] then makes the spec that the worker launches. Only the files are judged: a
//! permitted program gets whatever arguments and options the run gives it.

mod engine_file;
mod file_hash;
mod permissions;
mod program_format;
mod signature;
mod spec_files;
mod store;

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use engine_file::{EngineFile, FileRole, MOST_BYTES};
pub use file_hash::{FileHash, InvalidHash};
pub use permissions::{EnginePermissions, InvalidKey, Refusal, SigningKey};
pub use program_format::{Architecture, Machine, NoProgram, ProgramFormat, ProgramKind};
pub use signature::{InvalidSignature, SignError, Signature, sign};
pub use store::{EngineStore, StoreError};

/// The most files of an engine.
pub const MOST_FILES: usize = 64;

/// The files of an engine: its program first, if it is not the built-in Echo, then its data files. They are
/// checked whenever they are read from a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedFiles")]
pub struct EngineFiles {
    files: Vec<EngineFile>,
}

/// The files as a message has them, before the checks of [`EngineFiles::new`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UncheckedFiles {
    files: Vec<EngineFile>,
}

/// Why an engine can't be sent to other machines, or a list of files is refused.
#[derive(Debug, thiserror::Error)]
pub enum EngineFilesError {
    /// A key of the spec that only makes sense on the machine where it was written.
    #[error("`{engine}`: `{key}=` names a place on one machine, and workers are others; leave it out")]
    LocalKey {
        /// The engine's name.
        engine: String,
        /// `dir` or `stderr`.
        key: &'static str,
    },
    /// An argument or an option that names a folder.
    #[error(
        "`{engine}`: `{text}` is a folder, and the fleet sends files only; leave it out, or name the files one by one if the engine can"
    )]
    Folder {
        /// The engine's name.
        engine: String,
        /// The text in the spec.
        text: String,
    },
    /// A file can't be read.
    #[error("`{engine}`: {file:?} can't be read: {cause}; check the name and the permissions")]
    Unreadable {
        /// The engine's name.
        engine: String,
        /// The path of the file.
        file: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// The program is a script.
    #[error(
        "`{engine}`: {file:?} is a script, and a worker can check neither its interpreter nor what the script starts; give the program itself, compiled"
    )]
    Script {
        /// The engine's name.
        engine: String,
        /// The path of the file.
        file: PathBuf,
    },
    /// The program has no known header.
    #[error(
        "`{engine}`: {file:?} is no program in the format ELF, Mach-O or PE; give the engine's program file"
    )]
    UnknownFormat {
        /// The engine's name.
        engine: String,
        /// The path of the file.
        file: PathBuf,
    },
    /// A file is too large.
    #[error("{file:?} has more than {} MiB, the most that the fleet sends; use a smaller file", MOST_BYTES >> 20)]
    TooLarge {
        /// The name of the file in the spec.
        file: String,
    },
    /// A file's name can't be used on every machine.
    #[error(
        "{file:?} can't be sent under this name: it is empty, `.` or `..`, has more than {} bytes, or has `/`, `\\`, `:` or a control character; rename the file",
        engine_file::LONGEST_NAME
    )]
    Name {
        /// The name of the file.
        file: String,
    },
    /// The text of a spec that names a file is empty, too long, or has a control character.
    #[error(
        "the text {text:?} can't name a file of an engine: it is empty, has more than {} bytes, or has a control character",
        engine_file::LONGEST_TEXT
    )]
    Text {
        /// Its first characters.
        text: String,
    },
    /// Too many files.
    #[error(
        "the engine has {count} files, and the fleet sends at most {MOST_FILES}; merge them, or name fewer"
    )]
    TooMany {
        /// The number of files.
        count: usize,
    },
    /// A program that is not the first file, or one without an architecture or with too many.
    #[error(
        "file {number} of the list is a program, and only the first can be one, with 1 to {most} architectures; the message is not from threefold's coordinator"
    )]
    MisplacedProgram {
        /// Its number, from 1.
        number: usize,
        /// The most architectures.
        most: usize,
    },
    /// Two files stand for one text of the spec.
    #[error("`{text}` stands for two files of one engine; the message is not from threefold's coordinator")]
    Duplicate {
        /// The text in the spec.
        text: String,
    },
    /// The list belongs to another engine.
    #[error(
        "the list of files lacks `{text}`, which `{engine}` names; the message is not from threefold's coordinator"
    )]
    NotListed {
        /// The engine's name.
        engine: String,
        /// The text in the spec.
        text: String,
    },
}

impl EngineFiles {
    /// The files of the list, the program first.
    pub fn files(&self) -> &[EngineFile] {
        &self.files
    }

    /// The checked list.
    ///
    /// # Errors
    ///
    /// If there are more than [`MOST_FILES`] files, if a file is invalid in itself, if a program is not the
    /// first file, or if the same text stands for two data files.
    pub fn new(files: Vec<EngineFile>) -> Result<Self, EngineFilesError> {
        if files.len() > MOST_FILES {
            return Err(EngineFilesError::TooMany { count: files.len() });
        }
        let mut texts = BTreeSet::new();
        for (index, file) in files.iter().enumerate() {
            file.validate()?;
            match &file.role {
                FileRole::Program(kind) => {
                    let most = program_format::MOST_ARCHITECTURES;
                    if index > 0 || !(1..=most).contains(&kind.architectures.len()) {
                        return Err(EngineFilesError::MisplacedProgram { number: index + 1, most });
                    }
                }
                FileRole::Data => {
                    if !texts.insert(&file.text) {
                        return Err(EngineFilesError::Duplicate { text: file.text.clone() });
                    }
                }
            }
        }
        Ok(Self { files })
    }
}

impl TryFrom<UncheckedFiles> for EngineFiles {
    type Error = EngineFilesError;

    fn try_from(UncheckedFiles { files }: UncheckedFiles) -> Result<Self, EngineFilesError> {
        Self::new(files)
    }
}

#[cfg(test)]
mod store_tests;
#[cfg(test)]
mod tests;
