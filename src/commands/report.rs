//! `report`: the reports of a run, from its journal alone.

use anyhow::Context;

use crate::args::ReportArgs;
use crate::commands::conclusion;
use crate::exit::Exit;
use crate::{files, streams};
use threefold_harness::work::Run;

/// Writes what the run would have written. The exit code is that of a finished run; reports of an unfinished one, which may
/// be under way, say so themselves.
pub fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let run = Run::read(&args.run)?;
    let report = match &args.baseline {
        None => conclusion::gather(&run)?,
        Some(folder) => {
            let baseline = files::baseline(folder)?;
            let baseline = baseline.with_context(|| format!("{}: no baseline there", folder.display()))?;
            conclusion::compare(&run, Some(&baseline))?
        }
    };
    for file in conclusion::write_reports(&args.out, &run, &report)? {
        streams::result(&file.display().to_string())?;
    }
    Ok(if run.is_done() { conclusion::exit(&run, &report) } else { Exit::Fine })
}
