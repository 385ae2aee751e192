//! `report`: the reports of a run, from its journal.

use std::path::Path;

use anyhow::Context;

use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::session::outcome;
use crate::{files, streams};
use threefold_player::output_file::IfThere;
use threefold_report::model::report::Activity;
use threefold_report::{Registry, Report, ReportFormat, ReportSet};
use threefold_run::job::ReportSetName;
use threefold_run::{RunRecord, journal};

/// Writes the formats of the run, or those given. The result of the run does not change the exit code: the reports are
/// written.
pub fn run(args: &ReportArgs, registry: &Registry) -> anyhow::Result<Exit> {
    // A run that ends after this is reported as it was.
    let is_running = journal::is_in_use(&args.run);
    let run = RunRecord::read(&args.run)?;
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
