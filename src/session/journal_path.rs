//! The journal file of a new run. It is created last, when only the run itself can fail.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context;

use crate::session::owner;
use threefold_run::RunSpec;
use threefold_run::journal::{self, Journal, JournalError};

/// The journal file of a new run.
pub enum JournalPath<'p> {
    /// This file, which must not exist.
    File(&'p Path),
    /// This file, replacing the run in it.
    Over(&'p Path),
    /// The next free `runs/COMMAND-N.sqlite`.
    Next(&'p str),
}

impl<'p> JournalPath<'p> {
    /// The file given, or the next free file of a command.
    pub fn of(asked: Option<&'p PathBuf>, command: &'p str) -> Self {
        asked.map_or(Self::Next(command), |file| Self::File(file))
    }

    /// Creates the journal.
    pub fn begin(&self, spec: &RunSpec, now: SystemTime) -> anyhow::Result<Journal> {
        match self {
            Self::File(file) => create(file, spec, now),
            Self::Over(file) => {
                clear(file)?;
                create(file, spec, now)
            }
            // Creation fails if the file exists, so two commands that start at once get two names.
            Self::Next(command) => (1_u32..=9999)
                .map(|number| create(Path::new(&format!("runs/{command}-{number}.sqlite")), spec, now))
                .find(|begun| !begun.as_ref().is_err_and(is_taken))
                .context("runs: no free name; give a file with --run")?,
        }
    }
}

fn create(file: &Path, spec: &RunSpec, now: SystemTime) -> anyhow::Result<Journal> {
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).with_context(|| format!("{}: can't be created", folder.display()))?;
    }
    Ok(Journal::create(file, &owner::sealed(spec), now)?)
}

fn is_taken(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(JournalError::Exists { .. }))
}

/// Removes the journal of an earlier run, intact or damaged; other files are an error.
fn clear(file: &Path) -> anyhow::Result<()> {
    let empty = fs::metadata(file).is_ok_and(|found| found.len() == 0);
    match Journal::open(file) {
        Ok(_) | Err(JournalError::Damaged { .. } | JournalError::OtherFormat { .. }) => {}
        Err(JournalError::NotAJournal { .. }) if empty => {}
        Err(JournalError::CannotOpen { .. }) if !file.exists() => return Ok(()),
        Err(error) => return Err(error.into()),
    }
    journal::remove(file).with_context(|| format!("{}: can't be removed", file.display()))
}
