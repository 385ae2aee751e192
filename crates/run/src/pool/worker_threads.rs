//! The threads of the workers, and the messages that they send to the coordinator.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::cached_player::StartedPlayers;
use super::known_answers::KnownAnswers;
use super::worker::{FinishedJob, JobError, Worker};
use super::{Coordinator, PoolConfig, RunError};
use crate::game_options::ReadyJob;
use crate::job::JobKey;
use crate::live::LivePlace;
use threefold_oracle::Tables;
use threefold_player::system;
use threefold_player::{LaunchOptions, NoticeSender, SilenceNotice};

/// A worker's reply to a job.
pub(super) struct WorkerMessage {
    pub(super) worker: usize,
    pub(super) key: JobKey,
    pub(super) result: Result<FinishedJob, JobError>,
}

/// A message to the coordinator.
pub(super) enum PoolMessage {
    /// A job has ended.
    JobReply(Box<WorkerMessage>),
    /// An engine has been silent for long.
    Notice(SilenceNotice),
}

/// A reply that is sent even if the worker panics, so that the coordinator does not wait for it forever.
struct ReplyOnDrop<'p> {
    reply: Option<WorkerMessage>,
    to: &'p Sender<PoolMessage>,
}

impl ReplyOnDrop<'_> {
    fn send(&mut self) {
        if let Some(message) = self.reply.take() {
            // Sending fails only if the coordinator has ended, and then the reply is not needed.
            let _ = self.to.send(PoolMessage::JobReply(Box::new(message)));
        }
    }
}

impl Drop for ReplyOnDrop<'_> {
    fn drop(&mut self) {
        self.send();
    }
}

/// Runs jobs on workers until the scheduler is done or the run is interrupted. There are at most as many
/// workers as jobs, and fewer if the system refuses more threads.
pub(super) fn run_workers(
    mut coordinator: Coordinator<'_, '_>,
    config: &PoolConfig<'_>,
    tables: &Arc<Tables>,
    mut started: Option<StartedPlayers>,
) -> Result<(), RunError> {
    let prepared = coordinator.prepared;
    let (launch, launch_options) = (config.launch, &config.launch_options);
    let known_answers = Arc::new(KnownAnswers::for_run(prepared.spec()));
    thread::scope(|scope| {
        let (sender, messages) = channel();
        let mut job_senders: Vec<Sender<ReadyJob>> = Vec::new();
        for worker in 0..config.workers.get().min(coordinator.scheduler.remaining()) {
            let (job_sender, jobs) = channel();
            let sender: Sender<PoolMessage> = sender.clone();
            let notify = sender.clone();
            // Sending fails only after the coordinator has ended.
            let notices = NoticeSender::to(move |notice| _ = notify.send(PoolMessage::Notice(notice)));
            let launch_options = LaunchOptions { notices, ..launch_options.clone() };
            let live = LivePlace::of_worker(config.live.as_ref(), worker, &launch_options.clock);
            let watched = (live, config.control.clone());
            let known_answers = Arc::clone(&known_answers);
            let cpu = config.cpus.get(worker).copied();
            let started = started.take();
            let work = move || {
                // It was checked before the run.
                _ = cpu.map(system::affinity::pin);
                let mut runner =
                    Worker::new(prepared, tables, launch, launch_options, known_answers, watched);
                if let Some(started) = started {
                    runner = runner.with_started(started);
                }
                worker_loop(worker, runner, jobs, &sender);
            };
            match thread::Builder::new().name(format!("worker {worker}")).spawn_scoped(scope, work) {
                Ok(_) => job_senders.push(job_sender),
                Err(cause) if job_senders.is_empty() => return Err(RunError::NoThread { cause }),
                Err(_) => break,
            }
        }
        // The channel must close when the last worker ends, so the coordinator keeps no sender.
        drop(sender);
        // Afterwards the job channels close, which ends the workers that the scope waits for.
        coordinator.coordinate(&job_senders, &messages, config)
    })
}

/// The loop of a worker: receive a job, run it, reply.
fn worker_loop(id: usize, mut worker: Worker<'_>, jobs: Receiver<ReadyJob>, to: &Sender<PoolMessage>) {
    // If a job panics, the loop drops the receiver before the reply is sent. So the coordinator, which may send the
    // next job at once, gets an error instead of waiting for a job that no worker runs.
    let mut on_panic = ReplyOnDrop { reply: None, to };
    for job in jobs {
        let key = job.key;
        on_panic.reply = Some(WorkerMessage { worker: id, key, result: Err(JobError::Interrupted) });
        let result = worker.run_job(&job);
        on_panic.reply = Some(WorkerMessage { worker: id, key, result });
        on_panic.send();
    }
}
