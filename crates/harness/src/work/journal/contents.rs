//! What a journal holds, to be read: of the journal itself, or of a copy.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::Connection;
use tempfile::TempDir;

use super::{JournalError, replay, session, snapshot, traffic};
use crate::player::{EngineBuild, FaultTraffic};
use crate::work::job::{JobKey, JobResult, RunSpec, WorkerId};

/// What a journal holds.
#[derive(Debug)]
pub struct JournalContents {
    /// What the journal is called, wherever the copy is.
    pub(super) file: PathBuf,
    pub(super) db: Connection,
    pub(super) spec: Arc<RunSpec>,
    /// The folder of the copy, removed after the database in it is closed.
    _copy: Option<TempDir>,
}

/// Under which conditions a job was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct JobContext {
    /// Which of the pool's slots did it; journals of format 1 don't say.
    pub worker: Option<WorkerId>,
    /// The index of the session, and so of the engines' builds; journals before format 3 don't say.
    pub session: Option<usize>,
}

impl JournalContents {
    pub(super) const fn of(file: PathBuf, db: Connection, spec: Arc<RunSpec>) -> Self {
        Self { file, db, spec, _copy: None }
    }

    /// Copies a journal and reads the copy, which needs no right to write and no end of a run under way.
    pub fn copy_of(file: &Path) -> Result<Self, JournalError> {
        let (folder, copy) = snapshot::take(file)?;
        let db = replay::connect(file, &copy)?;
        let spec = Arc::new(replay::spec(file, &db)?);
        replay::upgrade(file, &db)?;
        Ok(Self { file: file.to_owned(), db, spec, _copy: Some(folder) })
    }

    /// What the run was asked to do.
    pub const fn spec(&self) -> &Arc<RunSpec> {
        &self.spec
    }

    /// Hands out every finding in the order of the schedule. What `each` complains of is damage.
    pub fn replay(
        &self,
        each: &mut dyn FnMut(JobKey, JobResult) -> Result<(), String>,
    ) -> Result<(), JournalError> {
        replay::results(&self.file, &self.db, each)
    }

    /// Under which conditions each job was done, as far as the journal knows.
    pub fn job_contexts(&self) -> Result<BTreeMap<JobKey, JobContext>, JournalError> {
        replay::job_contexts(&self.file, &self.db)
    }

    /// The last traffic of engines at fault, by the job that the fault ended.
    pub fn traffic(&self) -> Result<BTreeMap<JobKey, FaultTraffic>, JournalError> {
        traffic::read(&self.file, &self.db)
    }

    /// The engines' builds in each session, in order. A session begins whenever an engine is another build.
    pub fn sessions(&self) -> Result<Vec<Vec<EngineBuild>>, JournalError> {
        session::read(&self.file, &self.db)
    }
}
