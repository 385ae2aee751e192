//! The baseline that `regress` compares with, and the folder for a new one.
//!
//! The folder of --baseline comes first, then that of the repository. Echo's baseline is built in; it applies
//! only to Echo under the built-in plan.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::args::RunOptions;
use crate::input::baseline_versions::{self, BaselineVersion};
use crate::input::built_in;
use crate::{files, streams};
use threefold_run::TrendPoint;
use threefold_run::job::BaselineText;
use threefold_run::regress::baseline::{Baseline, CASES};
use threefold_suites::VerdictKind;
use threefold_suites::kinds::bench::{self, BenchReading};

/// Folder of the baseline in a repository, relative to its root.
pub const KEPT: &str = ".threefold/baseline";

/// The baseline to compare with. A folder that is given must have one, or a mistyped name would accept every
/// run.
pub fn earlier(
    named: Option<&Path>,
    is_built_in: bool,
    run_options: &RunOptions,
) -> anyhow::Result<Option<BaselineText>> {
    if let Some(folder) = named {
        return files::baseline(folder)?.with_context(|| no_baseline(folder)).map(Some);
    }
    if let Some(folder) = kept(&current_folder()?) {
        run_options.inform(&format!("baseline: {}", folder.display()));
        return files::baseline(&folder);
    }
    if is_built_in {
        run_options.inform("baseline: built in, for Echo");
        return Ok(Some(built_in::baseline()));
    }
    streams::notice(&format!(
        "no baseline; `threefold regress --accept` creates one in {KEPT}, or give a folder with --baseline"
    ));
    Ok(None)
}

/// The last versions of the baseline to compare with in the git history of its folder, the oldest first. None
/// if there are fewer than two, or if the folder is in no repository: a trend needs a history.
pub fn trend(named: Option<&Path>) -> Vec<TrendPoint> {
    /// The versions that are read.
    const MOST: usize = 9;
    let folder = named.map(Path::to_owned).or_else(|| kept(&current_folder().ok()?));
    // A history that can't be read gives no trend and no error, since no comparison needs it.
    let versions = folder.and_then(|folder| baseline_versions::versions(&folder, Some(MOST)).ok());
    let point = |version: BaselineVersion| {
        let baseline = version.baseline.ok()?;
        Some(TrendPoint::from_baseline(&version.commit, &baseline))
    };
    let points: Vec<TrendPoint> = versions.into_iter().flatten().rev().filter_map(point).collect();
    if points.len() < 2 { Vec::new() } else { points }
}

/// The baseline that must be there, with its folder: the one given, or that of the repository.
pub fn required(named: Option<&Path>) -> anyhow::Result<(PathBuf, Baseline)> {
    let folder = match named {
        Some(folder) => folder.to_owned(),
        None => kept(&current_folder()?).with_context(|| {
            format!(
                "there is no baseline; `threefold regress --accept` creates one in {KEPT}, or give a folder with --baseline"
            )
        })?,
    };
    let text = files::baseline(&folder)?.with_context(|| no_baseline(&folder))?;
    Ok((folder, Baseline::parse(&text)?))
}

fn no_baseline(folder: &Path) -> String {
    format!(
        "{}: there is no baseline in this folder; `threefold regress --accept` creates one",
        folder.display()
    )
}

/// What the engine's `bench` counted in a baseline; `None` if it has none, or did not pass.
pub fn bench_reading(baseline: &BaselineText) -> Option<BenchReading> {
    let baseline = Baseline::parse(baseline).ok()?;
    let mut cases = baseline.cases.iter();
    let (_, case) = cases.find(|(name, case)| name.id == bench::ID && case.class == bench::ID)?;
    BenchReading::from_verdict(&case.played, &case.detail).filter(|_| case.kind() == VerdictKind::Passed)
}

/// The folder for a new baseline: the one given, the existing one, or one at the root of the repository.
pub fn accepted(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(folder) = named {
        return Ok(folder.to_owned());
    }
    let current = current_folder()?;
    let folders = repository(&current);
    let root = folders.last().expect("the list starts with the folder itself");
    Ok(kept(&current).unwrap_or_else(|| seen_from(&current, root)))
}

fn current_folder() -> anyhow::Result<PathBuf> {
    env::current_dir().context("the current folder can't be read; change to a folder that exists")
}

/// The nearest parent of this folder, inside its repository, that has a file of this name.
pub fn nearest_with(file: &str) -> anyhow::Result<Option<PathBuf>> {
    let current = current_folder()?;
    let mut parents = repository(&current).into_iter().skip(1);
    Ok(parents.find(|folder| folder.join(file).exists()).map(Path::to_owned))
}

/// The nearest baseline in this folder or a parent, inside its repository.
fn kept(current: &Path) -> Option<PathBuf> {
    let mut folders = repository(current).into_iter().map(|folder| seen_from(current, folder));
    folders.find(|folder| folder.join(CASES).exists())
}

/// The folder of a repository's baseline; relative if the repository is the current folder.
fn seen_from(current: &Path, folder: &Path) -> PathBuf {
    if folder == current { PathBuf::from(KEPT) } else { folder.join(KEPT) }
}

/// A folder and its parents up to the root of its git repository; only the folder if there is no repository.
fn repository(current: &Path) -> Vec<&Path> {
    let folders: Vec<&Path> = current.ancestors().collect();
    // `.git` is a folder, or in a worktree or submodule a file.
    let root = folders.iter().position(|folder| folder.join(".git").exists()).unwrap_or(0);
    folders[..=root].to_vec()
}
