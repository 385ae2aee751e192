//! The end of every run: its reports are written, its summary is printed, and the exit code is determined.
//!
//! A resumed run takes the outputs of its first command from the journal.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::args::RunOptions;
use crate::exit::Exit;
use crate::files;
use crate::output::events::EventFile;
use crate::output::github;
use crate::output::mate_files;
use crate::session::report_folder;
use crate::streams;
use threefold_player::output_file::{IfThere, OutputError};
use threefold_report::{self, Acceptance, FAULT_TRAFFIC, Registry, Report, ReportFormat, ReportSet};
use threefold_run::job::{BaselineText, ComparisonUse};
use threefold_run::regress::baseline::Baseline;
use threefold_run::{RunRecord, RunSpec};

/// The outcome of a run.
pub enum RunOutcome {
    /// It is finished.
    Finished(Box<FinishedRun>),
    /// The jobs of this shard are done; the number is printed.
    ShardFinished,
    /// It was interrupted; the hint to continue is printed.
    Interrupted,
}

/// A finished run.
pub struct FinishedRun {
    /// The run with its results.
    pub run: RunRecord,
    /// Its journal.
    pub journal: PathBuf,
    /// The error of writing the PGN file.
    pub games: Result<(), OutputError>,
    /// Is the baseline of its specification written? A finished run that is shown again writes none.
    pub writes_baseline: bool,
    /// The file of its events, which its end belongs to.
    pub events: Option<EventFile>,
    /// The options of the run.
    pub run_options: RunOptions,
}

impl RunOutcome {
    /// Ends a finished run; an interrupted one has its exit code.
    ///
    /// # Errors
    /// If the result can't be written.
    pub fn finish(self, registry: &Registry) -> anyhow::Result<Exit> {
        match self {
            Self::Finished(finished) => finished.finish(registry),
            Self::ShardFinished => Ok(Exit::Fine),
            Self::Interrupted => Ok(Exit::Interrupted),
        }
    }
}

impl FinishedRun {
    /// Writes the requested reports and prints the result.
    ///
    /// # Errors
    /// If the result can't be written.
    pub fn finish(self, registry: &Registry) -> anyhow::Result<Exit> {
        self.finish_by(registry, |set, report| {
            streams::results(&String::from_utf8((set.printed.render)(report)?)?)
        })
    }

    /// The same, with the result printed by `print`.
    ///
    /// # Errors
    /// If the result can't be written.
    pub fn finish_by(
        self,
        registry: &Registry,
        print: impl FnOnce(&ReportSet, &Report) -> anyhow::Result<()>,
    ) -> anyhow::Result<Exit> {
        let FinishedRun { run, journal, games, writes_baseline, events, run_options } = self;
        let set = report_set(run.spec(), &journal, registry)?;
        let report = build_report(&run, &set)?;
        let written = write(&run, &set, &report, &games, &journal, &run_options)
            .and(games.map_err(anyhow::Error::from));
        // The result is printed even if a report cannot be written.
        print(&set, &report)?;
        written.map_err(|error| {
            let file = journal.display();
            anyhow::anyhow!("{error:#}; the journal has all results: write reports and games with\n  threefold report {file} --out DIR")
        })?;
        if run_options.github {
            github::publish(&report);
        }
        let exit =
            if writes_baseline { accept(&run, &set, &report, &run_options)? } else { exit(&set, &report) };
        // The last event has the exit code, so it follows everything that can fail.
        events.map_or(Ok(()), |events| events.finish(exit, &report.headline()))?;
        Ok(exit)
    }
}

/// Stores a finished run as the new baseline, if requested and allowed, and returns the exit code.
fn accept(
    run: &RunRecord,
    set: &ReportSet,
    report: &Report,
    run_options: &RunOptions,
) -> anyhow::Result<Exit> {
    let exit = exit(set, report);
    let Some(folder) = &run.spec().outputs.baseline else { return Ok(exit) };
    if let Some(why) = report.refused_baseline() {
        let remedy = if report.faults().is_empty() {
            "let the engine use one thread, or give it restart=on"
        } else {
            "fix the engine, or name the cases in [left-out] of the plan"
        };
        streams::notice(&format!("error: {}: the baseline is {why}; {remedy}", folder.display()));
        return Ok(exit);
    }
    files::write_baseline(folder, &Baseline::accepted_from(run).to_text(), None)?;
    run_options.inform(&format!("baseline: {}", folder.display()));
    Ok(exit)
}

/// The reports that a run asks for. Reports that this program does not have belong to another program, named
/// in the journal.
pub fn report_set(spec: &RunSpec, journal: &Path, registry: &Registry) -> anyhow::Result<ReportSet> {
    registry.set(&spec.outputs.report_set).copied().map_err(|unknown| {
        let (file, command) = (journal.display(), &spec.origin.command);
        anyhow::anyhow!(
            "{file}: {unknown}; use the program that started the run (`{command}`), or give a format: \
             `threefold report {file} --format html`"
        )
    })
}

/// The report of a run, compared with the baseline that its specification has.
pub fn build_report(run: &RunRecord, set: &ReportSet) -> anyhow::Result<Report> {
    compare(run, set, run.spec().baseline.as_ref())
}

/// The report of a run, compared with a baseline.
pub fn compare(run: &RunRecord, set: &ReportSet, baseline: Option<&BaselineText>) -> anyhow::Result<Report> {
    let baseline = baseline.map(Baseline::parse).transpose()?;
    let absent = || match run.spec().comparison {
        ComparisonUse::Optional => "no baseline is given".to_owned(),
        ComparisonUse::Required => {
            "there is no baseline; `threefold regress --accept` creates one".to_owned()
        }
    };
    let baseline = baseline.as_ref().ok_or_else(absent);
    Ok(set.report(run, baseline)?)
}

/// Writes the requested reports.
fn write(
    run: &RunRecord,
    set: &ReportSet,
    report: &Report,
    games: &Result<(), OutputError>,
    journal: &Path,
    run_options: &RunOptions,
) -> anyhow::Result<()> {
    let outputs = &run.spec().outputs;
    if let Some(folder) = &outputs.reports {
        let formats = report_folder::formats(outputs, set.files);
        let written = write_all(folder, report, &formats, IfThere::forced(run_options.force))?;
        let page = written.iter().find(|file| file.extension().is_some_and(|kind| kind == "html"));
        run_options.inform(&format!("reports: {}", page.unwrap_or(folder).display()));
    }
    if !report.traffic.is_empty() {
        let is_written = set.files.iter().any(|format| format.name == FAULT_TRAFFIC.name);
        let written = outputs.reports.as_ref().filter(|_| is_written);
        let place = written.map_or_else(
            || {
                let (journal, format) = (journal.display(), FAULT_TRAFFIC.name);
                format!("`threefold report {journal} --format {format} --out DIR` writes it")
            },
            |folder| folder.join(FAULT_TRAFFIC.file).display().to_string(),
        );
        run_options.inform(&format!("UCI traffic before the faults: {place}"));
    }
    if games.is_ok() {
        let files = [("games", &outputs.games), ("final positions", &outputs.final_positions)];
        for (what, file) in files.into_iter().filter_map(|(what, file)| Some((what, file.as_ref()?))) {
            run_options.inform(&format!("{what}: {}", file.display()));
        }
    }
    mate_files::write(run)
}

/// Writes these formats into a folder; returns the files in the order of the formats.
pub fn write_all(
    folder: &Path,
    report: &Report,
    formats: &[ReportFormat],
    if_there: IfThere,
) -> anyhow::Result<Vec<PathBuf>> {
    threefold_report::write_all(folder, report, formats, if_there).context("the report can't be written")
}

/// The exit code of a report. A measurement has no pass or fail.
pub fn exit(set: &ReportSet, report: &Report) -> Exit {
    match report.acceptance() {
        Acceptance::Refused if set.is_measurement => Exit::Fine,
        Acceptance::Refused if report.depends_on_faults() => Exit::EngineFault,
        Acceptance::Refused if report.refused_baseline().is_some() && !report.faults().is_empty() => {
            Exit::EngineFault
        }
        Acceptance::Accepted => Exit::Fine,
        Acceptance::Refused => Exit::Worse,
        // Nothing decides: the command asks for a comparison that there is nothing for.
        Acceptance::NotCompared => Exit::Misuse,
        Acceptance::Unfinished | Acceptance::Running => Exit::Interrupted,
        Acceptance::Stopped => Exit::EngineFault,
    }
}
