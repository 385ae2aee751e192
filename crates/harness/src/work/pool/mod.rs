//! Carrying jobs: some workers, each with its own players, and one coordinator.
//!
//! The coordinator alone asks the plan, writes the journal and tells what happens; workers know nothing but
//! the job in hand. Calling the run off hands out nothing more and brings back what is under way without a
//! result, so that a journal never holds half a game, nor a loss that an engine owes to the interruption.
//!
//! Both games of a pair go to one worker while there is other work for the rest: what a slow core does to an engine
//! it then does to its opponent as well, and a pair has one slot that its result can be held against. Nothing that
//! counts depends on it.

mod load;
mod tables;
mod worker;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::SystemTime;

use self::worker::{FinishedJob, JobError, Worker, preflight};
use super::event::RunEvent;
use super::job::{JobKey, RunSpec, Task, WorkerId};
use super::journal::{Journal, JournalError};
use super::prepared::{PreparedRun, RunSpecError};
use super::scheduler::{NextStep, Scheduler};
use crate::player::traffic::LogPlace;
use crate::player::{
    self, EngineBuild, EngineFault, EngineId, EngineSpec, LaunchOptions, NoticeSender, Player, SilenceNotice,
};
use threefold_chess::clock::{ClockSource, Stop};
use threefold_oracle::Tables;
use threefold_oracle::tables::TableError;

/// Hires whoever a spec names.
pub type LaunchFn<'c> =
    dyn Fn(&EngineSpec, &LaunchOptions) -> Result<Box<dyn Player>, EngineFault> + Sync + 'c;

/// Who does the work, and under which conditions.
pub struct PoolConfig<'c> {
    /// How many jobs are under way at once.
    pub workers: NonZeroUsize,
    /// What players are hired under; the pace is each job's own. Its `stop` calls the whole run off.
    pub launch_options: LaunchOptions,
    /// Where players come from.
    pub launch: &'c LaunchFn<'c>,
    /// The time of day, for the journal's stamps.
    pub now: &'c dyn Fn() -> SystemTime,
}

/// How a run came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunStatus {
    /// Nothing is left to do.
    Finished,
    /// It was called off; the journal holds what had ended, and the run can be resumed.
    Interrupted,
}

/// Why work stopped before it was done or called off.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The order can't be carried out.
    #[error(transparent)]
    Spec(#[from] RunSpecError),
    /// The journal can't be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// An endgame table that a case needs can't be made.
    #[error(transparent)]
    Tables(#[from] TableError),
    /// The system gives no thread.
    #[error("no thread can be started: {cause}; raise the limit of processes (ulimit -u) or of memory")]
    NoThread {
        /// What the system says.
        cause: io::Error,
    },
    /// An engine can't be started, or not under the conditions it is to play under.
    #[error("engine `{engine}` (`{spec}`): {fault}{}{}", remedy(fault), reference(log.as_deref()))]
    Engine {
        /// Its name.
        engine: String,
        /// Its spec.
        spec: Box<str>,
        /// What happened, with its last words.
        fault: EngineFault,
        /// Where the log names it, if there is a log.
        log: Option<Box<LogPlace>>,
    },
}

/// What to do about an engine that isn't fit, where the fault itself doesn't say.
const fn remedy(fault: &EngineFault) -> &'static str {
    match fault {
        EngineFault::TimedOut { .. } => "; check that it speaks UCI, or give it more time with --startup",
        EngineFault::Ended { .. } => "; start it by hand to see why",
        EngineFault::ProtocolBreach(_) => "; check that it speaks UCI",
        EngineFault::CannotStart { .. }
        | EngineFault::NotStarted { .. }
        | EngineFault::Option(_)
        | EngineFault::NotSupported(_)
        | EngineFault::Interrupted => "",
    }
}

/// Refers to the log.
fn reference(log: Option<&LogPlace>) -> String {
    log.map(|place| format!("; see {place}")).unwrap_or_default()
}

impl PoolConfig<'static> {
    /// Workers that hire real players and read the real time of day.
    pub fn new(workers: NonZeroUsize, stop: Stop) -> Self {
        Self {
            workers,
            launch_options: LaunchOptions::new(ClockSource::Wall, stop),
            launch: &player::launch,
            now: &time_of_day,
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

/// Work that can be done: its order is sound, and every engine it still needs has answered once.
///
/// Getting here writes nothing, so that a wrong path or option is found before there is a journal.
pub struct PreparedPool {
    prepared: PreparedRun,
    scheduler: Scheduler,
    engine_ids: Vec<(EngineSpec, EngineId)>,
    builds: OnceCell<Vec<EngineBuild>>,
}

impl PreparedPool {
    /// For an order of which nothing is done yet.
    pub fn to_begin(spec: Arc<RunSpec>, config: &PoolConfig<'_>) -> Result<Self, RunError> {
        let prepared = PreparedRun::read(spec)?;
        let scheduler = prepared.scheduler();
        Self::after_preflight(prepared, scheduler, config)
    }

    /// For what a journal still lacks.
    pub fn to_resume(journal: &Journal, config: &PoolConfig<'_>) -> Result<Self, RunError> {
        let prepared = PreparedRun::read(Arc::clone(journal.spec()))?;
        let mut scheduler = prepared.scheduler();
        journal.contents().replay(&mut |key, result| {
            scheduler.record(key, prepared.job_outcome(key, &result)?);
            Ok(())
        })?;
        Self::after_preflight(prepared, scheduler, config)
    }

    fn after_preflight(
        prepared: PreparedRun,
        scheduler: Scheduler,
        config: &PoolConfig<'_>,
    ) -> Result<Self, RunError> {
        let engine_ids = preflight(&prepared, &scheduler, config)?;
        Ok(Self { prepared, scheduler, engine_ids, builds: OnceCell::new() })
    }

    /// The builds of the engines that are still needed. Their files are read in full, once.
    pub fn builds(&self) -> &[EngineBuild] {
        let build =
            |(spec, introduction): &(EngineSpec, EngineId)| EngineBuild::of(spec, introduction.clone());
        self.builds.get_or_init(|| self.engine_ids.iter().map(build).collect())
    }

    /// Does the work, into the journal of the same order.
    pub fn run(
        mut self,
        journal: &mut Journal,
        config: &PoolConfig<'_>,
        observe: &mut dyn FnMut(&RunEvent<'_>),
    ) -> Result<RunStatus, RunError> {
        observe(&RunEvent::Opened { parts: &self.scheduler.parts().collect::<Vec<_>>() });
        if !self.scheduler.is_done() {
            journal.begin_session(self.builds(), (config.now)())?;
            let stop = &config.launch_options.stop;
            let Some(tables) = tables::make_tables(&self.prepared, &self.scheduler, stop, observe)? else {
                return Ok(RunStatus::Interrupted);
            };
            run_workers(
                Coordinator { prepared: &self.prepared, scheduler: &mut self.scheduler, journal, observe },
                config,
                &tables,
            )?;
        }
        Ok(if self.scheduler.is_done() { RunStatus::Finished } else { RunStatus::Interrupted })
    }
}

/// What the coordinator has in hand.
struct Coordinator<'l, 'o> {
    prepared: &'l PreparedRun,
    scheduler: &'l mut Scheduler,
    journal: &'l mut Journal,
    observe: &'o mut dyn FnMut(&RunEvent<'_>),
}

/// What a worker sends back.
struct WorkerMessage {
    worker: usize,
    key: JobKey,
    result: Result<FinishedJob, JobError>,
}

/// What the coordinator hears from workers.
enum PoolMessage {
    /// A job is done with.
    JobReply(Box<WorkerMessage>),
    /// An engine is silent for long.
    Notice(SilenceNotice),
}

/// A letter that is posted whatever becomes of the worker, so that nobody waits for one that never comes.
struct ReplyOnDrop<'p> {
    reply: Option<WorkerMessage>,
    to: &'p Sender<PoolMessage>,
}

impl Drop for ReplyOnDrop<'_> {
    fn drop(&mut self) {
        if let Some(message) = self.reply.take() {
            // Nobody reads it only where the coordinator is gone, and then nobody needs to.
            let _ = self.to.send(PoolMessage::JobReply(Box::new(message)));
        }
    }
}

/// Puts workers to work until the plan is done or the run is called off: no more of them than there are jobs, and fewer
/// where the system gives no more threads.
fn run_workers(
    mut coordinator: Coordinator<'_, '_>,
    config: &PoolConfig<'_>,
    tables: &Arc<Tables>,
) -> Result<(), RunError> {
    let prepared = coordinator.prepared;
    let (launch, launch_options) = (config.launch, &config.launch_options);
    thread::scope(|scope| {
        let (sender, messages) = channel();
        let mut job_senders: Vec<Sender<JobKey>> = Vec::new();
        for worker in 0..config.workers.get().min(coordinator.scheduler.remaining()) {
            let (job_sender, jobs) = channel();
            let sender: Sender<PoolMessage> = sender.clone();
            let notify = sender.clone();
            // Sending fails only after the coordinator has ended.
            let notices = NoticeSender::to(move |notice| _ = notify.send(PoolMessage::Notice(notice)));
            let launch_options = LaunchOptions { notices, ..launch_options.clone() };
            let work = move || {
                worker_loop(worker, Worker::new(prepared, tables, launch, launch_options), &jobs, &sender)
            };
            match thread::Builder::new().name(format!("worker {worker}")).spawn_scoped(scope, work) {
                Ok(_) => job_senders.push(job_sender),
                Err(cause) if job_senders.is_empty() => return Err(RunError::NoThread { cause }),
                Err(_) => break,
            }
        }
        drop(sender);
        coordinator.coordinate(&job_senders, &messages, config)
    })
}

/// A worker's life: a job, a letter, the next job.
fn worker_loop(id: usize, mut worker: Worker<'_>, jobs: &Receiver<JobKey>, to: &Sender<PoolMessage>) {
    for key in jobs {
        let interrupted = WorkerMessage { worker: id, key, result: Err(JobError::Interrupted) };
        let mut reply = ReplyOnDrop { reply: Some(interrupted), to };
        let result = worker.run_job(key);
        reply.reply = Some(WorkerMessage { worker: id, key, result });
    }
}

impl Coordinator<'_, '_> {
    fn coordinate(
        &mut self,
        job_senders: &[Sender<JobKey>],
        messages: &Receiver<PoolMessage>,
        config: &PoolConfig<'_>,
    ) -> Result<(), RunError> {
        let stop = &config.launch_options.stop;
        let mut idle: Vec<usize> = (0..job_senders.len()).rev().collect();
        let mut under_way = BTreeSet::new();
        let mut kept = BTreeMap::new();
        let mut trouble = None;
        loop {
            while let Some(&worker) = idle.last()
                && !stop.is_raised()
            {
                let Some(key) = self.next_job(worker, &under_way, &mut kept) else { break };
                idle.pop();
                if job_senders[worker].send(key).is_ok() {
                    under_way.insert(key);
                    (self.observe)(&RunEvent::JobStarted { key });
                }
            }
            if under_way.is_empty() {
                return trouble.map_or(Ok(()), Err);
            }
            let message = match messages.recv() {
                Ok(PoolMessage::JobReply(message)) => *message,
                Ok(PoolMessage::Notice(notice)) => {
                    (self.observe)(&RunEvent::EngineSilent { notice: &notice });
                    continue;
                }
                Err(_) => return trouble.map_or(Ok(()), Err),
            };
            under_way.remove(&message.key);
            idle.push(message.worker);
            let taken = match message.result {
                Ok(done) => self.record(message.key, WorkerId(message.worker), &done, config),
                Err(JobError::Interrupted) => Ok(()),
                Err(JobError::Run(error)) => Err(error),
            };
            if let Err(error) = taken {
                // What is under way can't be of use any more; the first trouble is the one to tell.
                stop.raise();
                trouble.get_or_insert(error);
            }
        }
    }

    /// The worker's next job, and the second game of its pair kept for it: the game kept for this worker, else what
    /// the plan asks for first and nobody keeps, else what another one keeps.
    fn next_job(
        &self,
        worker: usize,
        under_way: &BTreeSet<JobKey>,
        kept: &mut BTreeMap<usize, JobKey>,
    ) -> Option<JobKey> {
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

    /// Journals a finding, then lets it count.
    fn record(
        &mut self,
        key: JobKey,
        worker: WorkerId,
        done: &FinishedJob,
        config: &PoolConfig<'_>,
    ) -> Result<(), RunError> {
        let FinishedJob { result, traffic } = done;
        let outcome = self.prepared.job_outcome(key, result).expect("a job's own finding is of its kind");
        if let Some(traffic) = traffic {
            self.journal.keep_traffic(key, traffic)?;
        }
        self.journal.record(key, result, worker, (config.now)())?;
        self.scheduler.record(key, outcome);
        if let Some(progress) = self.scheduler.progress(key.part) {
            (self.observe)(&RunEvent::JobEnded { key, result, progress: &progress });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
