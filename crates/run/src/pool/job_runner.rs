//! Runs single jobs of a run for another machine, which has its scheduler and its journal.

use std::sync::Arc;

use super::known_answers::KnownAnswers;
use super::tables;
use super::worker::{JobError, Worker};
use super::{LaunchFn, RemoteResult, RunError};
use crate::game_options::ReadyJob;
use crate::live::LivePlace;
use crate::prepared::PreparedRun;
use crate::run_control::RunControl;
use threefold_chess::clock::Stop;
use threefold_oracle::Tables;
use threefold_player::LaunchOptions;

/// Runs jobs of a run, one at a time, and keeps its engines between them.
pub struct JobRunner<'r> {
    worker: Worker<'r>,
}

/// Why a job has no result.
#[derive(Debug, thiserror::Error)]
pub enum RunJobError {
    /// It was interrupted.
    #[error("interrupted")]
    Interrupted,
    /// No job of this run can be done here.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl<'r> JobRunner<'r> {
    /// A runner; `tables` has what [`tables_of`] makes.
    pub fn new(
        prepared: &'r PreparedRun,
        tables: &'r Arc<Tables>,
        launch: &'r LaunchFn<'r>,
        launch_options: LaunchOptions,
    ) -> Self {
        let known_answers = Arc::new(KnownAnswers::for_run(prepared.spec()));
        let watched = (LivePlace::default(), RunControl::default());
        Self { worker: Worker::new(prepared, tables, launch, launch_options, known_answers, watched) }
    }

    /// Runs a job of the run.
    ///
    /// # Errors
    ///
    /// If it is interrupted, or if an engine can't be started or lacks what its jobs need.
    pub fn run(&mut self, job: &ReadyJob) -> Result<RemoteResult, RunJobError> {
        match self.worker.run_job(job) {
            Ok(done) => Ok(RemoteResult { result: done.result, traffic: done.traffic }),
            Err(JobError::Interrupted) => Err(RunJobError::Interrupted),
            Err(JobError::Run(error)) => Err(error.into()),
        }
    }
}

/// The endgame tables that the cases of a run need; empty if none does. `None` if `stop` is raised meanwhile.
///
/// # Errors
///
/// If a table can't be generated.
pub fn tables_of(prepared: &PreparedRun, stop: &Stop) -> Result<Option<Arc<Tables>>, RunError> {
    let scheduler = prepared.scheduler();
    tables::make_tables(prepared, &scheduler, stop, &mut |_| {})
}
