//! The worker pool: workers with their own players, and one coordinator.
//!
//! Only the coordinator asks the scheduler, writes the journal and emits events; workers know nothing but
//! their present job. After an interruption no more jobs are given out, and running jobs return without a
//! result. So a journal never has half a game, nor a loss caused by the interruption.
//!
//! Both games of a pair go to one worker while there is other work for the rest: a slow core then affects
//! both engines alike, and a drift can be tested for each worker. No result depends on it.

mod affinity;
mod cached_player;
mod cpu_load;
mod engine_launch;
mod error;
mod first_move;
mod game_timer;
mod job_runner;
mod known_answers;
mod preflight;
mod remote;
mod tables;
mod worker;
mod worker_threads;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::SystemTime;

pub use self::affinity::{check_affinity, cpu_list};
pub use self::error::RunError;
pub use self::first_move::{FirstMove, FirstMoveOutcome};
pub use self::job_runner::{JobRunner, RunJobError, tables_of};
pub use self::preflight::Preflight;
use self::preflight::{LazyBuilds, PreflightResult, preflight};
pub use self::remote::{RemoteError, RemoteEvent, RemoteResult, RemoteResults, RemoteRun, RemoteWorkers};
use self::worker::{FinishedJob, JobError};
use self::worker_threads::{PoolMessage, WorkerMessage, run_workers};
use super::event::RunEvent;
use super::game_options::ReadyJob;
use super::job::{JobKey, RunSpec, Task, WorkerId};
use super::journal::{Journal, JournalError};
use super::live::LiveJobs;
use super::prepared::{PreparedRun, RunSpecError};
use super::run_control::{JobFlow, POLL_INTERVAL, RunControl};
pub use super::scheduler::RunStatus;
use super::scheduler::{NextStep, Scheduler};
use threefold_chess::clock::{ClockSource, Stop};
use threefold_player::{EngineBuild, EngineFault, EngineSpec, LaunchOptions, Player};

/// Launches the player of a spec.
pub type LaunchFn<'c> =
    dyn Fn(&EngineSpec, &LaunchOptions) -> Result<Box<dyn Player>, EngineFault> + Sync + 'c;

/// The configuration of a pool.
pub struct PoolConfig<'c> {
    /// The number of parallel jobs.
    pub workers: NonZeroUsize,
    /// The CPU of each worker and its engines; empty, or shorter than the number of workers, for any CPU. Call
    /// [`check_affinity`] first.
    pub cpus: Vec<usize>,
    /// The options of launches; the pace is that of each job. Raising `stop` interrupts the whole run.
    pub launch_options: LaunchOptions,
    /// Launches players.
    pub launch: &'c LaunchFn<'c>,
    /// What engines must do before the first job of a new run.
    pub preflight: Preflight,
    /// The time of day, for the journal's timestamps.
    pub now: &'c (dyn Fn() -> SystemTime + Sync),
    /// Other machines that run the jobs, in place of the workers of this process.
    pub remote: Option<&'c dyn RemoteWorkers>,
    /// Shows what the workers of this process do; `None` if nothing watches.
    pub live: Option<Arc<LiveJobs>>,
    /// Pauses the run, or ends it after the jobs in progress. It has no effect on other machines.
    pub control: RunControl,
}

impl PoolConfig<'static> {
    /// A pool that launches real players and uses the real time of day.
    pub fn new(workers: NonZeroUsize, stop: Stop) -> Self {
        Self {
            workers,
            cpus: Vec::new(),
            launch_options: LaunchOptions::new(ClockSource::Wall, stop),
            launch: &threefold_player::launch,
            preflight: Preflight::Start,
            now: &time_of_day,
            remote: None,
            live: None,
            control: RunControl::default(),
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the journal's stamps are the time of day; nothing depends on it"
)]
fn time_of_day() -> SystemTime {
    SystemTime::now()
}

/// A run that can start: its specification is valid, and every engine it still needs has answered once.
///
/// Preparing it writes nothing, so that a wrong path or option is found before there is a journal.
pub struct PreparedPool {
    prepared: PreparedRun,
    scheduler: Scheduler,
    found: PreflightResult,
    builds: LazyBuilds,
}

impl PreparedPool {
    /// For a new run.
    pub fn to_begin(spec: Arc<RunSpec>, config: &PoolConfig<'_>) -> Result<Self, RunError> {
        let prepared = PreparedRun::prepare(spec)?;
        let scheduler = prepared.scheduler();
        Self::after_preflight(prepared, scheduler, config)
    }

    /// For the jobs that a journal does not have yet.
    pub fn to_resume(journal: &Journal, config: &PoolConfig<'_>) -> Result<Self, RunError> {
        Self::to_resume_as(Arc::clone(journal.spec()), journal, config)
    }

    /// For the jobs that a journal does not have yet under another specification of its jobs, which may stop the run elsewhere.
    pub fn to_resume_as(
        spec: Arc<RunSpec>,
        journal: &Journal,
        config: &PoolConfig<'_>,
    ) -> Result<Self, RunError> {
        let prepared = PreparedRun::prepare(spec)?;
        let mut scheduler = prepared.scheduler();
        journal
            .contents()
            .replay_checked(&prepared, &mut |key, _, outcome| _ = scheduler.record(key, outcome))?;
        Self::after_preflight(prepared, scheduler, config)
    }

    fn after_preflight(
        prepared: PreparedRun,
        scheduler: Scheduler,
        config: &PoolConfig<'_>,
    ) -> Result<Self, RunError> {
        let prepared = prepared.with_books()?;
        let (found, builds) = preflight(&prepared, &scheduler, config)?;
        Ok(Self { prepared, scheduler, found, builds })
    }

    /// The builds of the engines that are still needed. The first call waits until their files are read.
    pub fn builds(&self) -> &[EngineBuild] {
        &self.builds
    }

    /// The first moves of engines, if [`Preflight::FirstMove`] asked for them.
    pub fn first_moves(&self) -> &[FirstMove] {
        &self.found.first_moves
    }

    /// Adds the commits of the engines, after their files are read: `commit` gets the path of a file, once for each folder.
    #[must_use]
    pub fn with_commits(self, commit: impl Fn(&Path) -> Option<String>) -> Self {
        let mut known: BTreeMap<PathBuf, Option<String>> = BTreeMap::new();
        let mut of_file = |file: &Path| {
            let folder = file.parent().unwrap_or(file).to_owned();
            known.entry(folder).or_insert_with(|| commit(file)).clone()
        };
        let builds = self.builds.iter().map(|build| build.clone().with_commit(&mut of_file)).collect();
        Self { builds: LazyBuilds::new(Box::new(|| builds)), ..self }
    }

    /// Runs the jobs, and records them in the journal of the same run.
    pub fn run(
        mut self,
        journal: &mut Journal,
        config: &PoolConfig<'_>,
        observe: &mut dyn FnMut(&RunEvent<'_>),
    ) -> Result<RunStatus, RunError> {
        let parts: Vec<_> = self.scheduler.parts().collect();
        observe(&RunEvent::Opened { spec: self.prepared.spec(), parts: &parts, offers: &self.found.offers });
        if !self.scheduler.is_over() {
            journal.begin_session(&self.builds, (config.now)())?;
            let stop = &config.launch_options.stop;
            let (prepared, scheduler) = (&self.prepared, &mut self.scheduler);
            if let Some(remote) = config.remote {
                Coordinator { prepared, scheduler, journal, observe }.coordinate_remotely(remote, config)?;
            } else {
                let Some(tables) = tables::make_tables(prepared, scheduler, stop, observe)? else {
                    return Ok(RunStatus::Interrupted);
                };
                let started = self.found.started.take();
                run_workers(Coordinator { prepared, scheduler, journal, observe }, config, &tables, started)?;
            }
        }
        Ok(self.scheduler.status())
    }
}

/// The coordinator of the workers.
struct Coordinator<'l, 'o> {
    prepared: &'l PreparedRun,
    scheduler: &'l mut Scheduler,
    journal: &'l mut Journal,
    observe: &'o mut dyn FnMut(&RunEvent<'_>),
}

impl Coordinator<'_, '_> {
    fn coordinate(
        &mut self,
        job_senders: &[Sender<ReadyJob>],
        messages: &Receiver<PoolMessage>,
        config: &PoolConfig<'_>,
    ) -> Result<(), RunError> {
        let stop = &config.launch_options.stop;
        // From the last to the first: worker 0, which has the players of the check, gets the first job.
        let mut idle: Vec<usize> = (0..job_senders.len()).rev().collect();
        let mut under_way = BTreeSet::new();
        let mut kept = BTreeMap::new();
        let mut trouble = None;
        loop {
            // Looked at once: a run that goes on after this must not end here.
            let flow = if stop.is_raised() { JobFlow::Ending } else { config.control.flow() };
            while let Some(&worker) = idle.last()
                && flow == JobFlow::Running
                && !stop.is_raised()
            {
                let Some(key) = self.next_job(worker, &under_way, &mut kept) else { break };
                idle.pop();
                // Sending fails if the worker's thread has panicked; then the worker gets no further job.
                if job_senders[worker].send(self.scheduler.ready(key)).is_ok() {
                    under_way.insert(key);
                    (self.observe)(&RunEvent::JobStarted { key });
                }
            }
            config.control.set_has_jobs(!under_way.is_empty());
            let waits = flow == JobFlow::Paused && !self.scheduler.is_over();
            if under_way.is_empty() && !waits {
                return trouble.map_or(Ok(()), Err);
            }
            let message = match next_message(messages, flow) {
                Ok(PoolMessage::JobReply(message)) => *message,
                Ok(PoolMessage::Notice(notice)) => {
                    (self.observe)(&RunEvent::EngineSilent { notice: &notice });
                    continue;
                }
                // Nothing has ended, but the flow may have changed.
                Err(RecvTimeoutError::Timeout) => continue,
                // All workers have panicked, and so will the scope of their threads.
                Err(RecvTimeoutError::Disconnected) => return trouble.map_or(Ok(()), Err),
            };
            under_way.remove(&message.key);
            // The flow is read again, since it may have changed during the wait for the message.
            let gives_more = config.control.flow() == JobFlow::Running && !stop.is_raised();
            let second = if gives_more { self.second_of_pair(&message, &mut kept) } else { None };
            let second =
                second.filter(|&key| job_senders[message.worker].send(self.scheduler.ready(key)).is_ok());
            match second {
                Some(key) => _ = under_way.insert(key),
                None => idle.push(message.worker),
            }
            let taken = match message.result {
                Ok(done) => self.record(message.key, WorkerId(message.worker), &done, config),
                Err(JobError::Interrupted) => Ok(()),
                Err(JobError::Run(error)) => Err(error),
            };
            if let Err(error) = taken {
                // Running jobs are useless now; the first error is reported.
                stop.raise();
                trouble.get_or_insert(error);
            }
            // Observers get the end of the first game before the start of the second.
            if let Some(key) = second {
                (self.observe)(&RunEvent::JobStarted { key });
            }
        }
    }

    /// The second game of a pair, which its worker begins while the first is recorded. After a fault it waits: the run may end.
    fn second_of_pair(&self, first: &WorkerMessage, kept: &mut BTreeMap<usize, JobKey>) -> Option<JobKey> {
        let is_sound = matches!(&first.result, Ok(FinishedJob { traffic: None, .. }));
        let key =
            kept.get(&first.worker).copied().filter(|&key| is_sound && self.scheduler.is_wanted(key))?;
        kept.remove(&first.worker);
        Some(key)
    }

    /// The worker's next job. If it is the first game of a pair, the second is reserved for the same worker.
    /// In order of preference: the game reserved for this worker, the first job that is not reserved, a game
    /// reserved for another worker.
    fn next_job(
        &self,
        worker: usize,
        under_way: &BTreeSet<JobKey>,
        kept: &mut BTreeMap<usize, JobKey>,
    ) -> Option<JobKey> {
        // The decision of a test also ends the need for reserved games.
        kept.retain(|_, key| self.scheduler.is_wanted(*key));
        if let Some(key) = kept.remove(&worker) {
            return Some(key);
        }
        let taken: BTreeSet<JobKey> = under_way.iter().chain(kept.values()).copied().collect();
        let NextStep::Run(key) = self.scheduler.next_step(&taken) else {
            let NextStep::Run(key) = self.scheduler.next_step(under_way) else { return None };
            kept.retain(|_, other| *other != key);
            return Some(key);
        };
        let second = JobKey { job: key.job + 1, ..key };
        let is_first = key.job.is_multiple_of(2);
        let is_game = matches!(self.prepared.spec().parts[key.part].task, Task::Match(_));
        if is_game && is_first && !taken.contains(&second) && self.scheduler.is_wanted(second) {
            kept.insert(worker, second);
        }
        Some(key)
    }

    /// Records a result in the journal, then in the scheduler.
    fn record(
        &mut self,
        key: JobKey,
        worker: WorkerId,
        done: &FinishedJob,
        config: &PoolConfig<'_>,
    ) -> Result<(), RunError> {
        let FinishedJob { result, void, traffic } = done;
        let outcome = self.prepared.job_outcome(key, result).expect("a job's own finding is of its kind");
        if let Some(traffic) = traffic {
            self.journal.keep_traffic(key, traffic)?;
        }
        // All else is written before the result: after a crash a job with a result is not run again.
        self.journal.keep_void(key, void)?;
        self.journal.record(key, result, worker, (config.now)())?;
        if !void.is_empty() {
            (self.observe)(&RunEvent::GamesVoid { key, number: void.len() });
        }
        let counted = self.scheduler.record(key, outcome);
        if let Some(progress) = self.scheduler.progress(key.part) {
            (self.observe)(&RunEvent::JobEnded { key, worker, result, progress: &progress });
        }
        if !counted.is_empty() {
            let parts: Vec<_> = self.scheduler.parts().collect();
            (self.observe)(&RunEvent::TakesAdvanced { counted: &counted, parts: &parts });
        }
        Ok(())
    }
}

/// The next message. While no jobs are given out, it is waited for only shortly, since they may be again.
///
/// `flow` is that by which jobs were given out or not. If it was read again here, a pause that ends in between
/// would make a coordinator without a job in progress wait forever.
fn next_message(messages: &Receiver<PoolMessage>, flow: JobFlow) -> Result<PoolMessage, RecvTimeoutError> {
    match flow {
        JobFlow::Running => messages.recv().map_err(RecvTimeoutError::from),
        JobFlow::Paused | JobFlow::Ending => messages.recv_timeout(POLL_INTERVAL),
    }
}

#[cfg(test)]
mod control_tests;
#[cfg(all(test, unix))]
mod error_line_tests;
#[cfg(test)]
mod panic_tests;
#[cfg(test)]
mod remote_tests;
#[cfg(test)]
mod renewed_tests;
#[cfg(test)]
mod replay_tests;
#[cfg(test)]
mod shard_tests;
#[cfg(test)]
mod started_tests;
#[cfg(test)]
mod tests;
