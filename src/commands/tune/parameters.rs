//! The parameters of a tune: read from their file, and checked against the options of the engine.

use std::path::Path;

use crate::{files, streams};
use threefold_chess::uci::UciOption;
use threefold_player::EngineSpec;
use threefold_run::tune::engine_options::{self, OtherDefault};
use threefold_run::tune::parameter_file::ParameterFile;

/// Reads the file of the parameters.
///
/// # Errors
/// If it can't be read, or a parameter is wrong; the error has the line.
pub(super) fn read(path: &Path) -> anyhow::Result<ParameterFile> {
    Ok(ParameterFile::parse(&files::source_file(path)?)?)
}

/// Checks the parameters against the options of the engine. A value that is not the engine's default is a warning: a
/// tune may begin elsewhere.
///
/// # Errors
/// If the engine can't play with a parameter; the error has the line of each.
pub(super) fn check(
    path: &Path,
    file: &ParameterFile,
    engine: &EngineSpec,
    options: &[UciOption],
) -> anyhow::Result<()> {
    let mut wrong = Vec::new();
    for (parameter, line) in file.parameters.all().iter().zip(&file.lines) {
        let place = format!("{}:{line}", path.display());
        let is_set = |(name, _): &(String, String)| name.eq_ignore_ascii_case(&parameter.name);
        match engine_options::check(parameter, options) {
            Err(error) => wrong.push(format!("{place}: {error}")),
            Ok(_) if engine.options.iter().any(is_set) => wrong.push(format!(
                "{place}: `{}` is set for the engine, too; leave it out of --engine and --each",
                parameter.name
            )),
            Ok(Some(OtherDefault { name, value, default })) => streams::notice(&format!(
                "warning: {place}: the tune of `{name}` begins with {value}, and the default of the engine is {default}"
            )),
            Ok(None) => {}
        }
    }
    anyhow::ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
