//! `report`: the reports of a run, from its journal.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::exit::Exit;
use crate::session::outcome;
use crate::{files, streams};
use threefold_player::output_file::IfThere;
use threefold_report::formats::csv::Column;
use threefold_report::model::report::Activity;
use threefold_report::{Registry, Report, ReportFormat, ReportSet};
use threefold_run::job::ReportSetName;
use threefold_run::{RunRecord, journal};
use threefold_suites::{Cause, VerdictKind};

/// The formats of this program, with what they hold.
fn formats() -> PossibleValuesParser {
    let formats = Registry::built_in().formats().into_iter();
    formats.map(|format| PossibleValue::new(format.name).help(format.summary)).collect::<Vec<_>>().into()
}

/// An example of `threefold report`.
const REPORT_EXAMPLE: &str = "Example:\n  threefold report runs/sprt-1.sqlite --out reports/sprt-1\n  \
    threefold report runs/sprt-1.sqlite --format junit --out ci";

/// The example, and what `cases.csv` holds: its columns, and the causes of each verdict.
fn report_help() -> String {
    let row = |name: &str, meaning: &str| format!("\n  {name:30}{meaning}");
    let columns: String = Column::ALL.iter().map(|column| row(column.name(), column.summary())).collect();
    let causes = |mark: VerdictKind| {
        let rows: String = Cause::with_kind(mark).map(|cause| row(cause.name(), cause.summary())).collect();
        format!("Causes of {mark}:{rows}")
    };
    let causes: Vec<String> = VerdictKind::ALL.iter().copied().map(causes).collect();
    format!("{REPORT_EXAMPLE}\n\nColumns of cases.csv:{columns}\n\n{}", causes.join("\n\n"))
}

/// `threefold report`
#[derive(Debug, Args)]
#[command(after_help = REPORT_EXAMPLE, after_long_help = report_help())]
pub struct ReportArgs {
    /// Journal of the run
    #[arg(value_name = "RUN.sqlite")]
    pub run: PathBuf,
    /// Folder for the reports
    #[arg(long, value_name = "DIR", default_value = "reports/latest")]
    pub out: PathBuf,
    /// Replace files in that folder that no run wrote
    #[arg(long)]
    pub force: bool,
    /// Format to write; may be repeated [default: the formats of the run]
    #[arg(long = "format", value_name = "FORMAT", value_parser = formats())]
    pub formats: Vec<String>,
    /// Baseline to compare with
    #[arg(long, value_name = "DIR")]
    pub baseline: Option<PathBuf>,
}

/// Writes the formats of the run, or those given. The result of the run does not change the exit code: the
/// reports are written.
pub fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    run_with(args, &Registry::built_in())
}

/// The same with the reports of another program.
pub fn run_with(args: &ReportArgs, registry: &Registry) -> anyhow::Result<Exit> {
    // A run that ends after this is reported as it was.
    let is_running = journal::is_in_use(&args.run);
    let run = RunRecord::read(&args.run)?;
    if let Some(shard) = run.spec().shard {
        let file = args.run.display();
        anyhow::bail!(
            "{file}: is shard {shard} of a run; merge all of them with `threefold merge`, which writes the reports"
        );
    }
    let (set, formats) = reports(args, &run, registry)?;
    let mut report = match &args.baseline {
        None => outcome::build_report(&run, &set)?,
        Some(folder) => {
            let baseline = files::baseline(folder)?;
            let baseline = baseline
                .with_context(|| format!("{}: there is no baseline in this folder", folder.display()))?;
            outcome::compare(&run, &set, Some(&baseline))?
        }
    };
    if is_running {
        report.mark_running();
    }
    for file in outcome::write_all(&args.out, &report, &formats, IfThere::forced(args.force))? {
        streams::result(&file.display().to_string())?;
    }
    if !run.is_done() {
        streams::notice(&unfinished(&report, &args.run));
    }
    Ok(Exit::Fine)
}

/// How far an unfinished run is, and whether another process continues it.
fn unfinished(report: &Report, journal: &Path) -> String {
    let (file, done) = (journal.display(), report.done());
    match report.activity {
        Activity::Running => format!("{file}: the run goes on: {done}"),
        Activity::Ended => {
            format!(
                "{file}: the run was interrupted after {done}; continue it with `threefold resume {file}`"
            )
        }
    }
}

/// The report set of the run, and the formats to write. A run with reports of another program needs --format.
fn reports(
    args: &ReportArgs,
    run: &RunRecord,
    registry: &Registry,
) -> anyhow::Result<(ReportSet, Vec<ReportFormat>)> {
    let asked = outcome::report_set(run.spec(), &args.run, registry);
    if args.formats.is_empty() {
        let set = asked?;
        return Ok((set, set.files.to_vec()));
    }
    let set = asked.or_else(|_| registry.set(&ReportSetName::default()).copied())?;
    let known = registry.formats().into_iter();
    Ok((set, known.filter(|format| args.formats.iter().any(|name| name == format.name)).collect()))
}
