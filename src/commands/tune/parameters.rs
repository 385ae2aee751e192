//! The parameters of a tune: read from their file, and checked against the options of the engine.

use std::path::Path;

use crate::files;
use threefold_run::tune::parameter_file::ParameterFile;

/// Reads the file of the parameters.
///
/// # Errors
/// If it can't be read, or a parameter is wrong; the error has the line.
pub(super) fn read(path: &Path) -> anyhow::Result<ParameterFile> {
    Ok(ParameterFile::parse(&files::source_file(path)?)?)
}
