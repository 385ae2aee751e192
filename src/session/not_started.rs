//! The reports of a run before its first job: those of an earlier run are removed, and a run whose engine
//! can't be started has reports that say so.
//!
//! CI reads the files after the command, so that files of an earlier run would show a result that this run
//! does not have.

use std::fmt;
use std::sync::Arc;

use crate::args::RunOptions;
use crate::exit::Exit;
use crate::output::events::EventFile;
use crate::output::github;
use crate::session::report_folder;
use crate::streams;
use threefold_player::output_file::{IfThere, OutputError};
use threefold_report::{FORMATS, Report};
use threefold_run::RunSpec;
use threefold_run::output_folder::OutputFolder;
use threefold_run::pool::RunError;

/// Removes the reports of an earlier run from the folder of the reports. A file that can't be removed gives a
/// warning: this run replaces it at the end, or says that it can't.
pub(super) fn remove_reports(spec: &RunSpec) {
    let Some(folder) = &spec.outputs.reports else { return };
    let formats = report_folder::formats(&spec.outputs, FORMATS);
    let names: Vec<&str> = formats.iter().map(|format| format.file).collect();
    if let Err(error) = OutputFolder::open(folder).remove_own(&names) {
        streams::notice(&format!("warning: {error}"));
    }
}

/// The file of the events of a run, if there is to be one.
///
/// # Errors
/// If it can't be opened.
pub(super) fn events(
    spec: &Arc<RunSpec>,
    run_options: &RunOptions,
) -> Result<Option<EventFile>, OutputError> {
    run_options.events.as_deref().map(|file| EventFile::open(file, Arc::clone(spec))).transpose()
}

/// Writes the reports and the event of a run whose engine can't be started, and returns the error. Wrong
/// usage, such as an option that the engine lacks, writes nothing.
pub(super) fn report(spec: &RunSpec, run_options: &RunOptions, error: RunError) -> anyhow::Error {
    let error = anyhow::Error::from(error);
    let exit = Exit::of(&error);
    if exit == Exit::EngineFault {
        let what = format!("{error:#}");
        let report = Report::not_started(&spec.title, &spec.origin.command, &spec.origin.machine, &what);
        publish(spec, run_options, exit, &report);
    }
    error
}

/// Writes what the user asked for. The error of the run is the one to report, so that others are warnings.
fn publish(spec: &RunSpec, run_options: &RunOptions, exit: Exit, report: &Report) {
    let warn = |unwritten: &dyn fmt::Display| streams::notice(&format!("warning: {unwritten}"));
    let formats = report_folder::formats(&spec.outputs, FORMATS);
    let if_there = IfThere::forced(run_options.force);
    let write = |folder| threefold_report::write_all(folder, report, &formats, if_there);
    if let Some(Err(unwritten)) = spec.outputs.reports.as_deref().map(write) {
        warn(&unwritten);
    }
    if run_options.github {
        github::add_summary(report);
    }
    let written = events(&Arc::new(spec.clone()), run_options)
        .and_then(|events| events.map_or(Ok(()), |events| events.finish(exit, &report.headline())));
    if let Err(unwritten) = written {
        warn(&unwritten);
    }
}
