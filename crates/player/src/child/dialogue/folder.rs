//! The folder with the files of a dialogue.

use std::path::Path;

use tempfile::TempDir;

use crate::EngineFault;
use crate::dialogue::DialogueFile;

/// The text that stands for the folder in options and in what is sent.
pub(super) const FOLDER: &str = "{folder}";

/// A new temporary folder with these files; `None` without any. A dialogue that has no folder is skipped: the engine is not
/// to blame.
pub(super) fn with_files(files: &[DialogueFile]) -> Result<Option<TempDir>, EngineFault> {
    if files.is_empty() {
        return Ok(None);
    }
    let lacks =
        |error| EngineFault::NotSupported(format!("a temporary folder for files of the dialogue ({error})"));
    let folder = tempfile::tempdir().map_err(lacks)?;
    files.iter().try_for_each(|file| write(folder.path(), file)).map_err(lacks)?;
    Ok(Some(folder))
}

#[expect(clippy::disallowed_methods, reason = "an engine opens the file")]
fn write(folder: &Path, file: &DialogueFile) -> std::io::Result<()> {
    std::fs::write(folder.join(&file.name), &file.bytes)
}
