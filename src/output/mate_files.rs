//! The files of positions with a found or a missed mate: `suite --found-mates` and `--missed-mates`.

use crate::files;
use threefold_player::output_file::{self, IfThere, OutputError};
use threefold_run::job::Outputs;
use threefold_run::{Part, RunRecord, Task};
use threefold_suites::kinds::mate;
use threefold_suites::kinds::mate::mate_lists::MateLists;

/// Checks before the run that the files can be written and that they are about one suite and one engine.
///
/// # Errors
/// If a file exists and must stay, or if the run has several parts or is no suite of kind `mate`.
pub fn check(outputs: &Outputs, parts: &[Part], if_there: IfThere) -> anyhow::Result<()> {
    let Outputs { found_mates, missed_mates, .. } = outputs;
    let mut files = found_mates.iter().chain(missed_mates).peekable();
    if files.peek().is_none() {
        return Ok(());
    }
    let is_mate = match parts {
        [Part { task: Task::Suite(task), .. }] => task.source.kind_name()? == mate::KIND.name,
        _ => false,
    };
    anyhow::ensure!(
        is_mate,
        "--found-mates and --missed-mates are for one suite of kind `mate` with one engine and one node limit; \
         run the others separately"
    );
    anyhow::ensure!(
        found_mates.is_none() || found_mates != missed_mates,
        "--found-mates and --missed-mates name the same file; give two files"
    );
    files.try_for_each(|file| output_file::check(file, if_there).map_err(|error: OutputError| error.into()))
}

/// Writes the files that a finished run asks for.
///
/// # Errors
/// If a file cannot be written.
pub fn write(run: &RunRecord) -> anyhow::Result<()> {
    let Outputs { found_mates, missed_mates, .. } = &run.spec().outputs;
    if found_mates.is_none() && missed_mates.is_none() {
        return Ok(());
    }
    for result in run.planned_parts() {
        let Task::Suite(task) = &result.part.task else { continue };
        let lists = MateLists::from_cases(&task.source, result.cases())?;
        for (file, text) in [(found_mates, lists.found), (missed_mates, lists.missed)] {
            file.iter().try_for_each(|file| files::write_whole(file, text.as_bytes()))?;
        }
    }
    Ok(())
}
