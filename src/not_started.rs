//! The reports of a run before its first job: those of an earlier run are removed, and a run whose engine can't be started
//! has reports that say so.
//!
//! CI reads the files after the command, so that files of an earlier run would show a result that this run does not have.

use std::fs;
use std::io;
use std::sync::Arc;

use crate::args::RunOptions;
use crate::events::EventFile;
use crate::exit::Exit;
use crate::{github, streams};
use threefold_harness::output_file::OutputError;
use threefold_harness::run::RunSpec;
use threefold_report::{FORMATS, Report};

/// Removes the reports of an earlier run from the folder of the reports.
///
/// # Errors
/// If a file is there and can't be removed.
pub fn remove_reports(order: &RunSpec) -> Result<(), OutputError> {
    let Some(folder) = &order.outputs.reports else { return Ok(()) };
    for format in FORMATS {
        let file = folder.join(format.file);
        match fs::remove_file(&file) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                return Err(OutputError::of(&file, cause));
            }
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// The file of the events of a run, if there is to be one.
///
/// # Errors
/// If it can't be opened.
pub fn events(order: &Arc<RunSpec>, run_options: &RunOptions) -> Result<Option<EventFile>, OutputError> {
    run_options.events.as_deref().map(|file| EventFile::open(file, Arc::clone(order))).transpose()
}

/// Writes the reports and the event of a run that did not start because of this error, which it returns.
pub fn report(order: &RunSpec, run_options: &RunOptions, error: anyhow::Error) -> anyhow::Error {
    let what = format!("{error:#}");
    let report = Report::not_started(&order.title, &order.origin.command, &order.origin.machine, &what);
    let folder = order.outputs.reports.as_deref();
    if let Some(Err(unwritten)) = folder.map(|folder| threefold_report::write_all(folder, &report, FORMATS)) {
        streams::notice(&format!("warning: {unwritten}"));
    }
    if run_options.github {
        github::add_summary(&report);
    }
    let order = Arc::new(order.clone());
    let written = events(&order, run_options).and_then(|events| {
        events.map_or(Ok(()), |events| events.finish(Exit::of(&error), &report.headline()))
    });
    if let Err(unwritten) = written {
        streams::notice(&format!("warning: {unwritten}"));
    }
    error
}
