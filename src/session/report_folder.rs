//! The folder for the reports of a run: which of its files the run may replace.

use std::io;
use std::path::{Path, absolute};

use crate::args::RunOptions;
use crate::session::baselines;
use threefold_player::output_file::{self, IfThere, OutputError};
use threefold_report::{FORMATS, ReportFormat};
use threefold_run::job::Outputs;
use threefold_run::output_folder::OutputFolder;
use threefold_run::regress::baseline;

/// The formats that a run writes to its folder. A file that the user named for something else, such as the
/// games of --append, is not replaced.
pub fn formats(outputs: &Outputs, set: &[ReportFormat]) -> Vec<ReportFormat> {
    let Some(folder) = &outputs.reports else { return Vec::new() };
    let Outputs { games, final_positions, found_mates, missed_mates, .. } = outputs;
    let named = || [games, final_positions, found_mates, missed_mates].into_iter().flatten();
    let is_free = |format: &&ReportFormat| !named().any(|file| is_same(file, &folder.join(format.file)));
    set.iter().filter(is_free).copied().collect()
}

fn is_same(one: &Path, other: &Path) -> bool {
    // `absolute` and not `canonicalize`: the files need not exist yet.
    one == other || absolute(one).ok().zip(absolute(other).ok()).is_some_and(|(one, other)| one == other)
}

/// Checks before a run that its reports and its baseline can be written, and that they replace nothing of the
/// user's.
///
/// # Errors
/// If a name is not UTF-8, if a folder cannot be written to, or has other files of these names that --force
/// does not allow to replace.
pub fn check(outputs: &Outputs, run_options: &RunOptions) -> Result<(), OutputError> {
    if let Some(place) = outputs.places().find(|place| place.to_str().is_none()) {
        // The journal stores names as text.
        let cause = io::Error::other("its name is not UTF-8");
        return Err(OutputError::from_system(place, cause));
    }
    let Outputs { reports, baseline, .. } = outputs;
    reports.iter().chain(baseline).try_for_each(|folder| output_file::check_folder(folder))?;
    let if_there = IfThere::forced(run_options.force);
    if let Some(folder) = reports {
        let formats = formats(outputs, FORMATS);
        let names: Vec<&str> = formats.iter().map(|format| format.file).collect();
        OutputFolder::open(folder).check(&names, if_there)?;
        if baseline.as_ref().is_some_and(|baseline| is_same(baseline, folder)) {
            return Err(OutputError::Baseline { folder: folder.clone() });
        }
    }
    baseline.as_deref().map_or(Ok(()), |folder| check_baseline(folder, if_there))
}

/// A folder without a baseline may have a file of the user's with the name of one of its files. The folder of
/// a repository's baseline has no other files, so that a damaged baseline is replaced there.
fn check_baseline(folder: &Path, if_there: IfThere) -> Result<(), OutputError> {
    if folder.ends_with(baselines::KEPT) {
        return Ok(());
    }
    let exists = |file: &&str| folder.join(file).exists();
    let there: Vec<&str> = baseline::FILES.into_iter().filter(exists).collect();
    let is_baseline = [baseline::CASES, baseline::FIGURES].iter().all(exists);
    if if_there == IfThere::Replace || there.is_empty() || is_baseline {
        return Ok(());
    }
    Err(OutputError::Foreign {
        folder: folder.to_owned(),
        files: there.into_iter().map(str::to_owned).collect(),
    })
}

/// Writes reports of fixed names to a folder.
///
/// # Errors
/// If the folder has other files of these names that must stay, or if the system reports an error.
pub fn write(folder: &Path, files: &[(&str, &[u8])], if_there: IfThere) -> Result<(), OutputError> {
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let mut out = OutputFolder::open(folder);
    out.check(&names, if_there)?;
    out.begin(&names)?;
    for (name, bytes) in files {
        out.write(name, &mut |out| out.write_all(bytes))?;
    }
    out.save()
}
