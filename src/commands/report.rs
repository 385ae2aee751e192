//! `report`: the reports of a run, from its journal alone.

use anyhow::Context;

use crate::args::ReportArgs;
use crate::commands::conclusion;
use crate::exit::Exit;
use crate::{files, streams};
use threefold_harness::run::RunRecord;
use threefold_harness::run::job::ReportSetName;
use threefold_report::{Registry, ReportFormat, ReportSet};

/// Writes what the run would have written, or the formats that are named. The exit code is that of a finished run; reports
/// of an unfinished one, which may be under way, say so themselves.
pub fn run(args: &ReportArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let run = RunRecord::read(&args.run)?;
    let (set, formats) = reports(args, &run, registry)?;
    let report = match &args.baseline {
        None => conclusion::gather(&run, &set)?,
        Some(folder) => {
            let baseline = files::baseline(folder)?;
            let baseline = baseline.with_context(|| format!("{}: no baseline there", folder.display()))?;
            conclusion::compare(&run, &set, Some(&baseline))?
        }
    };
    for file in conclusion::write_all(&args.out, &report, &formats)? {
        streams::result(&file.display().to_string())?;
    }
    Ok(if run.is_done() { conclusion::exit(&set, &report) } else { Exit::Fine })
}

/// What the run asks for, and which formats are written. A run of another program's reports is told in formats that are
/// named.
fn reports(
    args: &ReportArgs,
    run: &RunRecord,
    registry: &Registry,
) -> anyhow::Result<(ReportSet, Vec<ReportFormat>)> {
    let asked = conclusion::report_set(run.spec(), &args.run, registry);
    if args.formats.is_empty() {
        let set = asked?;
        return Ok((set, set.files.to_vec()));
    }
    let set = asked.or_else(|_| registry.set(&ReportSetName::default()).copied())?;
    let known = registry.formats().into_iter();
    Ok((set, known.filter(|format| args.formats.iter().any(|name| name == format.name)).collect()))
}
