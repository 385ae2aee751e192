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
use threefold_harness::work::Run;
use threefold_harness::work::job::{BaselineText, Printed};
use threefold_report::{Acceptance, Format, Report};

/// Writes what was asked for, and prints the result.
pub fn of(came: Came) -> anyhow::Result<Exit> {
    let Came::Finished(finished) = came else { return Ok(Exit::Interrupted) };
    let Finished { run, journal, games } = *finished;
    let report = gather(&run)?;
    let written = write(&run, &report, &games).and(games.map_err(anyhow::Error::from));
    // The verdict is printed in any case, also where no report can be written.
    streams::results(&printed(run.order().outputs.printed, &report)?)?;
    written.map_err(|error| {
        let file = journal.display();
        anyhow::anyhow!("{error:#}; all is in the journal: write reports and games with\n  threefold report {file} --out DIR")
    })?;
    accept(&run, &report)
}

/// Makes a finished run the new baseline, where that was asked for and the report does not refuse it, and finds the exit
/// code.
fn accept(run: &Run, report: &Report) -> anyhow::Result<Exit> {
    let exit = exit(run, report);
    let Some(folder) = &run.order().outputs.baseline else { return Ok(exit) };
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

fn printed(what: Printed, report: &Report) -> anyhow::Result<String> {
    let bytes = match what {
        Printed::Summary => (Format::SUMMARY.render)(report)?,
        Printed::Ablation => (Format::ABLATION.render)(report)?,
        Printed::Repetition => (Format::REPETITION[1].render)(report)?,
        Printed::Time => (Format::TIME_IN_SHORT.render)(report)?,
        Printed::Cases => {
            let cases = report.suites.iter().flat_map(|suite| &suite.cases);
            cases.flat_map(|case| format!("{}\n", threefold_report::case_line(case)).into_bytes()).collect()
        }
    };
    Ok(String::from_utf8(bytes)?)
}

/// The report of a run, compared with the baseline that its order holds.
pub fn gather(run: &Run) -> anyhow::Result<Report> {
    compare(run, run.order().baseline.as_ref())
}

/// The report of a run, compared with a baseline.
pub fn compare(run: &Run, baseline: Option<&BaselineText>) -> anyhow::Result<Report> {
    let baseline = baseline.map(Baseline::read).transpose()?;
    let baseline = baseline.as_ref().ok_or_else(|| "none was given".to_owned());
    Ok(Report::of(run, baseline))
}

/// Writes every format, but of a study its page and its figures alone; the files, in order. What a study asks is alike a
/// thousand times over: nobody reads that case by case.
pub fn write_reports(folder: &Path, run: &Run, report: &Report) -> anyhow::Result<Vec<PathBuf>> {
    let study = study(run.order().outputs.printed);
    if study.is_empty() {
        return threefold_report::write_all(folder, report).context("the report can't be written");
    }
    let mut written = Vec::new();
    for format in study {
        let file = folder.join(format.file);
        files::write_whole(&file, &(format.render)(report)?)?;
        written.push(file);
    }
    Ok(written)
}

/// The page and the figures of a study.
const fn study(printed: Printed) -> &'static [Format] {
    match printed {
        Printed::Repetition => &Format::REPETITION,
        Printed::Time => &Format::TIME,
        Printed::Summary | Printed::Cases | Printed::Ablation => &[],
    }
}

/// Writes what the order asks for.
fn write(run: &Run, report: &Report, games: &Result<(), OutputError>) -> anyhow::Result<()> {
    let outputs = &run.order().outputs;
    if let Some(folder) = &outputs.reports {
        let written = write_reports(folder, run, report)?;
        let page = written.iter().find(|file| file.extension().is_some_and(|kind| kind == "html"));
        streams::notice(&format!("reports: {}", page.unwrap_or(folder).display()));
    }
    if let (Some(file), Ok(())) = (&outputs.games, games) {
        streams::notice(&format!("games: {}", file.display()));
    }
    Ok(())
}

/// What the report means for whoever waits for the exit code. A study measures: no figure of it is better or worse.
pub fn exit(run: &Run, report: &Report) -> Exit {
    let measures = !study(run.order().outputs.printed).is_empty();
    match report.acceptance() {
        Acceptance::Refused if measures => Exit::Fine,
        Acceptance::Refused if report.refuses_baseline() => Exit::EngineFault,
        Acceptance::Accepted => Exit::Fine,
        Acceptance::Refused => Exit::Worse,
        Acceptance::Unfinished => Exit::Interrupted,
        Acceptance::Stopped => Exit::EngineFault,
    }
}
