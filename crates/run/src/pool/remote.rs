//! Runs the jobs of a run on other machines: the scheduler and the journal stay here.
//!
//! Results arrive at least once, in any order, and from machines that may be wrong. So a result counts only
//! if it belongs to its job and the journal does not have the job yet. The scheduler counts results in the
//! order of the schedule, so no decision depends on the machines.

use std::collections::BTreeSet;

use super::{Coordinator, PoolConfig, RunError};
use crate::event::RunEvent;
use crate::game_options::ReadyJob;
use crate::job::{JobKey, JobResult, Task, WorkerId};
use crate::journal::Journal;
use crate::prepared::PreparedRun;
use crate::scheduler::PartProgress;
use threefold_chess::clock::Stop;
use threefold_player::FaultTraffic;
use threefold_player::visible::visible;

/// The fewest games and cases that are handed out together.
const GAMES_TOGETHER: usize = 2;
const CASES_TOGETHER: usize = 8;

/// Other machines that run jobs.
pub trait RemoteWorkers: Send + Sync {
    /// Announces a run.
    ///
    /// # Errors
    ///
    /// If the machines can't be reached, or the run can't be done by others.
    fn open(&self, prepared: &PreparedRun, journal: &Journal) -> Result<Box<dyn RemoteRun>, RemoteError>;
}

/// A run on other machines.
pub trait RemoteRun: Send {
    /// The number of jobs that may be handed out and not have ended; none while the machines can't be
    /// reached.
    fn capacity(&mut self) -> usize;

    /// The number of jobs that one worker shall get together, if it is more than a pair of games or some
    /// cases of a suite: with many short jobs, each message should have more than one.
    fn jobs_together(&mut self) -> usize;

    /// Hands out jobs that one worker does: the games of a pair, or some cases of a suite.
    ///
    /// # Errors
    ///
    /// If the run has more jobs than can be numbered.
    fn hand_out(&mut self, jobs: &[ReadyJob]) -> Result<(), RemoteError>;

    /// Waits for the next event, until `stop` is raised. Machines that can't be reached are waited for.
    ///
    /// # Errors
    ///
    /// If the machines can't be reached for a long time.
    fn wait(&mut self, stop: &Stop) -> Result<RemoteEvent, RemoteError>;

    /// The results with this receipt are in the journal, and need not be sent again.
    fn confirm(&mut self, receipt: u64);

    /// Receives the state of each part, in order, after results were recorded.
    fn progress(&mut self, parts: &[PartProgress<'_>]);

    /// A result of this worker was recorded: the first of its job, which follows from it.
    fn accepted(&mut self, worker: WorkerId, result: &JobResult);

    /// A result of this worker was refused.
    fn refused(&mut self, worker: WorkerId, what: &str);

    /// Withdraws all jobs that were handed out and have not ended. They may be handed out again.
    fn withdraw(&mut self);

    /// Ends the run, which may be announced again later.
    fn close(&mut self);
}

/// What [`RemoteRun::wait`] has waited for.
#[derive(Debug)]
pub enum RemoteEvent {
    /// Nothing has happened for some time.
    Nothing,
    /// Results have arrived.
    Results(RemoteResults),
    /// No job is handed out any more: all that have not ended are to be handed out again.
    JobsLost,
}

/// Results of jobs that were handed out together.
#[derive(Debug)]
pub struct RemoteResults {
    /// Who did them.
    pub worker: WorkerId,
    /// Identifies them in [`RemoteRun::confirm`].
    pub receipt: u64,
    /// Each job, and its result or why it has none.
    pub jobs: Vec<(JobKey, Result<RemoteResult, String>)>,
}

/// The result of a job on another machine.
#[derive(Debug)]
pub struct RemoteResult {
    /// The result that the worker sent.
    pub result: JobResult,
    /// The last traffic of the engine whose fault ended it.
    pub traffic: Option<FaultTraffic>,
}

/// Why other machines can't do the jobs of a run.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct RemoteError(pub String);

impl Coordinator<'_, '_> {
    /// Has the jobs done by other machines until the scheduler is done or the run is interrupted.
    pub(super) fn coordinate_remotely(
        &mut self,
        workers: &dyn RemoteWorkers,
        config: &PoolConfig<'_>,
    ) -> Result<(), RunError> {
        let mut remote = workers.open(self.prepared, self.journal)?;
        // No `?` here: the run is closed after an error, too.
        let worked = self.hand_out_and_record(&mut *remote, config);
        remote.close();
        worked
    }

    fn hand_out_and_record(
        &mut self,
        remote: &mut dyn RemoteRun,
        config: &PoolConfig<'_>,
    ) -> Result<(), RunError> {
        let stop = &config.launch_options.stop;
        let mut under_way = BTreeSet::new();
        let mut parts_over = self.parts_over();
        while !stop.is_raised() && !self.scheduler.is_over() {
            self.hand_out(remote, &mut under_way)?;
            let RemoteResults { worker, receipt, jobs } = match remote.wait(stop)? {
                RemoteEvent::Nothing => continue,
                RemoteEvent::JobsLost => {
                    under_way.clear();
                    continue;
                }
                RemoteEvent::Results(results) => results,
            };
            for (key, result) in jobs {
                under_way.remove(&key);
                self.record_remote(key, worker, result, remote, config)?;
            }
            // Only now, when all its results are in the journal: a confirmed result is not sent again.
            remote.confirm(receipt);
            remote.progress(&self.scheduler.parts().collect::<Vec<_>>());
            let over = self.parts_over();
            if over != parts_over && under_way.iter().any(|&key| !self.scheduler.is_wanted(key)) {
                // A test was decided: what is queued for it would delay the next part.
                remote.withdraw();
                under_way.clear();
            }
            parts_over = over;
        }
        Ok(())
    }

    /// Hands out jobs until enough are under way.
    fn hand_out(
        &mut self,
        remote: &mut dyn RemoteRun,
        under_way: &mut BTreeSet<JobKey>,
    ) -> Result<(), RunError> {
        let capacity = remote.capacity();
        // Many at a time: the schedule is searched from its first job that has not ended.
        if under_way.len() > capacity / 4 * 3 {
            return Ok(());
        }
        let next = self.scheduler.wanted().filter(|key| !under_way.contains(key));
        let next: Vec<JobKey> = next.take(capacity.saturating_sub(under_way.len())).collect();
        for jobs in self.bundles(&next, remote.jobs_together()) {
            let ready: Vec<ReadyJob> = jobs.iter().map(|&key| self.scheduler.ready(key)).collect();
            remote.hand_out(&ready)?;
            for &key in jobs {
                under_way.insert(key);
                (self.observe)(&RunEvent::JobStarted { key });
            }
        }
        Ok(())
    }

    /// Divides jobs into those for one worker each: of one part, and the games of a pair together.
    fn bundles<'j>(&self, jobs: &'j [JobKey], together: usize) -> Vec<&'j [JobKey]> {
        let mut bundles = Vec::new();
        let mut rest = jobs;
        while let [first, ..] = rest {
            let is_game = matches!(self.prepared.spec().parts[first.part].task, Task::Match(_));
            let least = if is_game { GAMES_TOGETHER } else { CASES_TOGETHER };
            let ends = |(index, key): (usize, &JobKey)| {
                // The second game of a pair goes with the first, if that is handed out, too.
                let may_end = !is_game
                    || key.job.is_multiple_of(2)
                    || index.checked_sub(1).is_none_or(|before| rest[before].job + 1 != key.job);
                key.part != first.part || (index >= together.max(least) && may_end)
            };
            let size = rest.iter().enumerate().position(ends).unwrap_or(rest.len());
            let (bundle, others) = rest.split_at(size);
            bundles.push(bundle);
            rest = others;
        }
        bundles
    }

    /// The number of parts that are over.
    fn parts_over(&self) -> usize {
        self.scheduler.parts().filter(|part| part.ending.is_some()).count()
    }

    /// Records the result of another machine, unless the journal has the job. A result of another job is refused.
    fn record_remote(
        &mut self,
        key: JobKey,
        worker: WorkerId,
        result: Result<RemoteResult, String>,
        remote: &mut dyn RemoteRun,
        config: &PoolConfig<'_>,
    ) -> Result<(), RunError> {
        if !self.scheduler.is_missing(key) {
            return Ok(());
        }
        let checked = result.and_then(|RemoteResult { result, traffic }| {
            match self.prepared.check_result(key, &result) {
                // A worker of a fleet plays void games again, too, but sends the last game alone.
                Ok(_) => Ok(super::FinishedJob { result, void: Vec::new(), traffic }),
                Err(mismatch) => Err(mismatch.to_string()),
            }
        });
        match checked {
            Ok(done) => {
                self.record(key, worker, &done, config)?;
                remote.accepted(worker, &done.result);
            }
            // It is handed out again.
            Err(what) => {
                let what = visible(&what);
                (self.observe)(&RunEvent::ResultRefused { key, worker, what: &what });
                remote.refused(worker, &what);
            }
        }
        Ok(())
    }
}
