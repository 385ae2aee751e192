//! The files whose changes begin a round: those of the git repository that git does not ignore.
//!
//! Git lists them, so that `.gitignore` counts. A plan without `build` watches the engine's program alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::input::RoundInput;
use crate::input::repository::Repository;

/// Folders that this program itself writes to.
const OWN_FOLDERS: [&str; 3] = [".threefold", "reports", "runs"];

/// The watched files.
pub(super) struct Sources {
    /// `None` if only the program is watched.
    repository: Option<Repository>,
    program: PathBuf,
    /// Files that the build wrote while git did not track them, relative to the root.
    built_files: BTreeSet<PathBuf>,
}

/// Time of change and size of a file; `None` if it is not there.
pub(super) type Stamp = Option<(SystemTime, u64)>;

/// The watched files at some moment.
pub(super) type Snapshot = BTreeMap<PathBuf, Stamp>;

impl Sources {
    /// The files of the current repository, or the program of a plan without `build`.
    ///
    /// # Errors
    /// If there is a build and no git repository.
    pub(super) fn open(input: &RoundInput) -> anyhow::Result<Self> {
        let repository = input.build.as_ref().map(|_| Repository::here()).transpose()?;
        Ok(Self { repository, program: input.program.clone(), built_files: BTreeSet::new() })
    }

    /// The files as they are now.
    ///
    /// # Errors
    /// If git does not list them.
    pub(super) fn snapshot(&self) -> anyhow::Result<Snapshot> {
        let Some(repository) = &self.repository else {
            return Ok(Snapshot::from([(self.program.clone(), stamp(&self.program))]));
        };
        let program = self.program.canonicalize().ok();
        let built_files = self.untracked_built_files(repository)?;
        let is_watched = |file: &PathBuf| {
            let is_own = OWN_FOLDERS.iter().any(|folder| file.starts_with(folder));
            let path = repository.root().join(file);
            // Each build writes the program. Without a program both paths may be `None`, which are equal.
            let is_program = program.is_some() && path.canonicalize().ok() == program;
            !is_own && !is_program && !built_files.contains(file)
        };
        let files = repository.files()?.into_iter().filter(is_watched);
        Ok(files.map(|file| (file.clone(), stamp(&repository.root().join(file)))).collect())
    }

    /// The files that the build wrote and that git does not track now: a source that is new during a build is
    /// watched once it is added.
    fn untracked_built_files(&self, repository: &Repository) -> anyhow::Result<BTreeSet<PathBuf>> {
        let mut files = self.built_files.clone();
        if !files.is_empty() {
            let tracked = repository.tracked_files()?;
            files.retain(|file| !tracked.contains(file));
        }
        Ok(files)
    }

    /// The files that are new, changed or gone since a snapshot, with their present stamps.
    ///
    /// # Errors
    /// As [`Sources::snapshot`].
    pub(super) fn changed_since(&self, before: &Snapshot) -> anyhow::Result<Snapshot> {
        let mut now = self.snapshot()?;
        let gone = before.keys().filter(|&file| !now.contains_key(file) && !self.built_files.contains(file));
        let gone: Vec<PathBuf> = gone.cloned().collect();
        now.retain(|file, stamp| before.get(file) != Some(stamp));
        now.extend(gone.into_iter().map(|file| (file, None)));
        Ok(now)
    }

    /// Stops watching untracked files that have changed since the build began: the build wrote them.
    ///
    /// # Errors
    /// As [`Sources::snapshot`].
    pub(super) fn leave_out_built_files(&mut self, before: &Snapshot) -> anyhow::Result<()> {
        let Some(repository) = &self.repository else { return Ok(()) };
        let tracked = repository.tracked_files()?;
        let changed = self.changed_since(before)?.into_keys().filter(|file| !tracked.contains(file));
        self.built_files.extend(changed);
        Ok(())
    }
}

fn stamp(file: &Path) -> Stamp {
    let found = file.metadata().ok()?;
    Some((found.modified().ok()?, found.len()))
}
