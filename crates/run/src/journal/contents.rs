//! Reads what a journal holds, from the journal itself or from a copy.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rusqlite::Connection;
use tempfile::TempDir;

use super::{JournalError, reading, session, snapshot, traffic};
use crate::job::{JobKey, JobResult, RunSpec, WorkerId};
use crate::part_state::JobOutcome;
use crate::prepared::PreparedRun;
use threefold_player::{EngineBuild, FaultTraffic};

/// What a journal holds.
#[derive(Debug)]
pub struct JournalContents {
    /// The path of the journal, even if a copy is read.
    pub(super) file: PathBuf,
    /// The journal's absolute path, which stays valid if the working folder changes.
    absolute: PathBuf,
    pub(super) db: Connection,
    pub(super) spec: Arc<RunSpec>,
    /// Does every result follow from its job? A journal that is open for writing changes only by results of
    /// this process.
    pub(super) is_checked: AtomicBool,
    /// The folder of the copy, which is removed after the database in it is closed.
    _copy: Option<TempDir>,
}

/// The circumstances of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct JobContext {
    /// The worker that did it.
    pub worker: Option<WorkerId>,
    /// The index of the session, which determines the engines' builds.
    pub session: Option<usize>,
}

impl JournalContents {
    pub(super) fn new(file: PathBuf, db: Connection, spec: Arc<RunSpec>) -> Self {
        Self { absolute: absolute(&file), file, db, spec, is_checked: AtomicBool::new(false), _copy: None }
    }

    /// Copies a journal and reads the copy. That needs no write permission, and works during a run.
    pub fn copy_of(file: &Path) -> Result<Self, JournalError> {
        let (folder, copy) = snapshot::take(file)?;
        let db = reading::connect(file, &copy)?;
        let spec = Arc::new(reading::spec(file, &db)?);
        // The copy of an older journal gets the tables that the queries expect.
        reading::upgrade(file, &db)?;
        let is_checked = AtomicBool::new(false);
        Ok(Self {
            file: file.to_owned(),
            absolute: absolute(file),
            db,
            spec,
            is_checked,
            _copy: Some(folder),
        })
    }

    /// The specification of the run.
    pub const fn spec(&self) -> &Arc<RunSpec> {
        &self.spec
    }

    /// When the run began, in seconds since 1970.
    pub fn begun(&self) -> Result<i64, JournalError> {
        reading::begun(&self.file, &self.db)
    }

    /// Passes every result to `each` in schedule order. An error of `each` means that the journal is damaged.
    pub fn replay(
        &self,
        each: &mut dyn FnMut(JobKey, JobResult) -> Result<(), String>,
    ) -> Result<(), JournalError> {
        self.replay_some(&|_| true, each)
    }

    /// The same, with the results of these jobs first, in this order.
    pub fn replay_in(
        &self,
        first: Option<&[JobKey]>,
        each: &mut dyn FnMut(JobKey, JobResult) -> Result<(), String>,
    ) -> Result<(), JournalError> {
        let first = first.unwrap_or_default();
        reading::results_of(&self.file, &self.spec, &self.db, first, each)?;
        let first: BTreeSet<JobKey> = first.iter().copied().collect();
        self.replay_some(&|key| !first.contains(&key), each)
    }

    /// Calls `each` for the results of the wanted jobs; the others are not parsed.
    pub fn replay_some(
        &self,
        wanted: &dyn Fn(JobKey) -> bool,
        each: &mut dyn FnMut(JobKey, JobResult) -> Result<(), String>,
    ) -> Result<(), JournalError> {
        reading::results(&self.file, &self.spec, &self.db, wanted, each)
    }

    /// Passes every result to `each`, with what the scheduler needs to know of it. Results that do not follow
    /// from their jobs mean that the journal is damaged.
    pub fn replay_checked(
        &self,
        prepared: &PreparedRun,
        each: &mut dyn FnMut(JobKey, JobResult, JobOutcome),
    ) -> Result<(), JournalError> {
        // Under another specification a result need not follow from its job, although it was checked.
        let is_own_spec = Arc::ptr_eq(prepared.shared_spec(), &self.spec);
        let is_checked = is_own_spec && self.is_checked.load(Relaxed);
        self.replay(&mut |key, result| {
            let outcome = if is_checked {
                prepared.job_outcome(key, &result)
            } else {
                prepared.check_result(key, &result)
            };
            each(key, result, outcome.map_err(|mismatch| mismatch.to_string())?);
            Ok(())
        })?;
        if is_own_spec {
            self.is_checked.store(true, Relaxed);
        }
        Ok(())
    }

    /// The path of the journal, as it was given.
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// The absolute path of the journal.
    pub fn absolute_path(&self) -> &Path {
        &self.absolute
    }

    /// The circumstances of each job, as far as the journal has them.
    pub fn job_contexts(&self) -> Result<BTreeMap<JobKey, JobContext>, JournalError> {
        reading::job_contexts(&self.file, &self.db)
    }

    /// The last traffic of engines with faults, by the job that the fault ended.
    pub fn traffic(&self) -> Result<BTreeMap<JobKey, FaultTraffic>, JournalError> {
        traffic::read_traffic(&self.file, &self.db)
    }

    /// The engines' builds in each session, in order. A session begins when the build of an engine changes.
    pub fn sessions(&self) -> Result<Vec<Vec<EngineBuild>>, JournalError> {
        session::read_sessions(&self.file, &self.db)
    }
}

/// The absolute form of a path; the path itself if the system does not say the working folder.
fn absolute(file: &Path) -> PathBuf {
    std::path::absolute(file).unwrap_or_else(|_| file.to_owned())
}
