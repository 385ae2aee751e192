//! Which baseline `regress` compares with, and where a new one goes.
//!
//! A folder that is named comes first, then the one that the repository keeps. Echo's own baseline is built in; it holds
//! for Echo under the built-in plan alone.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::{built_in, files, streams};
use threefold_harness::regress::baseline::CASES;
use threefold_harness::run::job::BaselineText;

/// Where a repository keeps the baseline of its engine, seen from its root.
const KEPT: &str = ".threefold/baseline";

/// The baseline to compare with. One that was named must be there, or a mistyped name would pass every run.
pub fn earlier(named: Option<&Path>, is_built_in: bool) -> anyhow::Result<Option<BaselineText>> {
    if let Some(folder) = named {
        let what =
            || format!("{}: no baseline there; `threefold regress --accept` makes one", folder.display());
        return files::baseline(folder)?.with_context(what).map(Some);
    }
    if let Some(folder) = kept(&current_folder()?) {
        streams::notice(&format!("baseline: {}", folder.display()));
        return files::baseline(&folder);
    }
    if is_built_in {
        streams::notice("baseline: Echo's own, which is built in");
        return Ok(Some(built_in::baseline()));
    }
    streams::notice(&format!(
        "no baseline to compare with; `threefold regress --accept` makes one in {KEPT}, --baseline names another folder"
    ));
    Ok(None)
}

/// Where a new baseline goes: to the folder that was named, to the one that there is, or to the root of the repository.
pub fn accepted(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(folder) = named {
        return Ok(folder.to_owned());
    }
    let current = current_folder()?;
    let folders = repository(&current);
    let root = folders.last().expect("a folder is above itself");
    Ok(kept(&current).unwrap_or_else(|| seen_from(&current, root)))
}

fn current_folder() -> anyhow::Result<PathBuf> {
    env::current_dir().context("the current folder can't be read; enter one that is there")
}

/// The baseline kept nearest above a folder, inside its repository.
fn kept(current: &Path) -> Option<PathBuf> {
    let mut folders = repository(current).into_iter().map(|folder| seen_from(current, folder));
    folders.find(|folder| folder.join(CASES).exists())
}

/// The place of a repository's baseline; relative, where the repository is the current folder.
fn seen_from(current: &Path, folder: &Path) -> PathBuf {
    if folder == current { PathBuf::from(KEPT) } else { folder.join(KEPT) }
}

/// A folder and those above it up to the root of its git repository; the folder alone where it is in none.
fn repository(current: &Path) -> Vec<&Path> {
    let folders: Vec<&Path> = current.ancestors().collect();
    let root = folders.iter().position(|folder| folder.join(".git").exists()).unwrap_or(0);
    folders[..=root].to_vec()
}
