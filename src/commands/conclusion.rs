//! How every run ends: its reports are written, its summary printed, and its exit code found.
//!
//! A resumed run comes here too, and finds in its order what the command that began it was told.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::exit::Exit;
use crate::files;
use crate::running::{Came, Finished};
use crate::streams;
use threefold_harness::output_file::OutputError;
use threefold_harness::regress::baseline::{self, Baseline};
use threefold_harness::run::job::BaselineText;
use threefold_harness::run::{RunRecord, RunSpec};
use threefold_report::{self, Acceptance, FAULT_TRAFFIC, Registry, Report, ReportFormat, ReportSet};

/// Writes what was asked for of the reports that the program makes, and prints the result.
pub fn of(came: Came, registry: &Registry) -> anyhow::Result<Exit> {
    let Came::Finished(finished) = came else { return Ok(Exit::Interrupted) };
    let Finished { run, journal, games } = *finished;
    let set = report_set(run.spec(), &journal, registry)?;
    let report = gather(&run, &set)?;
    let written = write(&run, &set, &report, &games, &journal).and(games.map_err(anyhow::Error::from));
    // The verdict is printed in any case, also where no report can be written.
    streams::results(&String::from_utf8((set.printed.render)(&report)?)?)?;
    written.map_err(|error| {
        let file = journal.display();
        anyhow::anyhow!("{error:#}; all is in the journal: write reports and games with\n  threefold report {file} --out DIR")
    })?;
    accept(&run, &set, &report)
}

/// Makes a finished run the new baseline, where that was asked for and the report does not refuse it, and finds the exit
/// code.
fn accept(run: &RunRecord, set: &ReportSet, report: &Report) -> anyhow::Result<Exit> {
    let exit = exit(set, report);
    let Some(folder) = &run.spec().outputs.baseline else { return Ok(exit) };
    if report.refuses_baseline() {
        let faults = report.fault_summary().unwrap_or_default();
        let folder = folder.display();
        streams::notice(&format!(
            "error: {folder}: the baseline is not written, since this run has {faults}"
        ));
        return Ok(exit);
    }
    let BaselineText { cases, figures } = Baseline::of(run).text();
    files::write_whole(&folder.join(baseline::CASES), cases.as_bytes())?;
    files::write_whole(&folder.join(baseline::FIGURES), figures.as_bytes())?;
    streams::notice(&format!("baseline: {}", folder.display()));
    Ok(exit)
}

/// The reports that a run asks for. Those that the program lacks are another program's: the journal says which.
pub fn report_set(order: &RunSpec, journal: &Path, registry: &Registry) -> anyhow::Result<ReportSet> {
    registry.set(&order.outputs.report_set).copied().map_err(|unknown| {
        let (file, command) = (journal.display(), &order.origin.command);
        anyhow::anyhow!(
            "{file}: {unknown}; use the program that began the run (`{command}`), or name formats: \
             `threefold report {file} --format html`"
        )
    })
}

/// The report of a run, compared with the baseline that its order holds.
pub fn gather(run: &RunRecord, set: &ReportSet) -> anyhow::Result<Report> {
    compare(run, set, run.spec().baseline.as_ref())
}

/// The report of a run, compared with a baseline.
pub fn compare(run: &RunRecord, set: &ReportSet, baseline: Option<&BaselineText>) -> anyhow::Result<Report> {
    let baseline = baseline.map(Baseline::read).transpose()?;
    let baseline = baseline.as_ref().ok_or_else(|| "none was given".to_owned());
    Ok(set.report(run, baseline))
}

/// Writes what the order asks for.
fn write(
    run: &RunRecord,
    set: &ReportSet,
    report: &Report,
    games: &Result<(), OutputError>,
    journal: &Path,
) -> anyhow::Result<()> {
    let outputs = &run.spec().outputs;
    if let Some(folder) = &outputs.reports {
        let written = write_all(folder, report, set.files)?;
        let page = written.iter().find(|file| file.extension().is_some_and(|kind| kind == "html"));
        streams::notice(&format!("reports: {}", page.unwrap_or(folder).display()));
    }
    if !report.traffic.is_empty() {
        let is_written = set.files.iter().any(|format| format.name == FAULT_TRAFFIC.name);
        let written = outputs.reports.as_ref().filter(|_| is_written);
        let place = written.map_or_else(
            || {
                let (journal, format) = (journal.display(), FAULT_TRAFFIC.name);
                format!("written by `threefold report {journal} --format {format} --out DIR`")
            },
            |folder| folder.join(FAULT_TRAFFIC.file).display().to_string(),
        );
        streams::notice(&format!("last lines of the engines at fault: {place}"));
    }
    if let (Some(file), Ok(())) = (&outputs.games, games) {
        streams::notice(&format!("games: {}", file.display()));
    }
    Ok(())
}

/// Writes these formats into a folder; the files, in order.
pub fn write_all(folder: &Path, report: &Report, formats: &[ReportFormat]) -> anyhow::Result<Vec<PathBuf>> {
    threefold_report::write_all(folder, report, formats).context("the report can't be written")
}

/// What the report means for whoever waits for the exit code. No figure of a measurement is good or bad.
pub fn exit(set: &ReportSet, report: &Report) -> Exit {
    match report.acceptance() {
        Acceptance::Refused if set.is_measurement => Exit::Fine,
        Acceptance::Refused if report.refuses_baseline() => Exit::EngineFault,
        Acceptance::Accepted => Exit::Fine,
        Acceptance::Refused => Exit::Worse,
        Acceptance::Unfinished => Exit::Interrupted,
        Acceptance::Stopped => Exit::EngineFault,
    }
}
