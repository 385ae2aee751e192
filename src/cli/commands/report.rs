//! `report`: the reports of a run, from its journal alone.

use anyhow::Context;

use crate::cli::args::ReportArgs;
use crate::cli::commands::conclusion;
use crate::cli::exit::Exit;
use crate::cli::files;
use crate::report;
use crate::work::Run;

/// Writes every format; the exit code is the run's.
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
    let written = report::write_all(&args.out, &report).context("the report can't be written")?;
    for file in written {
        println!("{}", file.display());
    }
    Ok(conclusion::exit(&report))
}
