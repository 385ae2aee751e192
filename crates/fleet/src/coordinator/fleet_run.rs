//! A run on the fleet: jobs out, results in, and what happens while the server is away.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError, sync_channel};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::message::Acker;
use tokio::task::JoinHandle;

use threefold_chess::clock::Stop;
use threefold_run::job::WorkerId;
use threefold_run::pool::{RemoteError, RemoteEvent, RemoteResult, RemoteResults, RemoteRun};
use threefold_run::{JobKey, JobResult, PartProgress, ReadyJob};

use super::announcement::{self, Announcement};
use super::failure::{Failure, fail};
use super::job_tokens::JobTokens;
use super::outbox::Outbox;
use super::pace::{Pace, progress_line};
use super::receiver::{Received, Receiver, Sender, read_report};
use super::watch::{watch_queue, watch_workers};
use crate::broker::{Asked, Broker, BrokerError, RESULTS_AHEAD, in_time};
use crate::clock;
use crate::protocol::{self, HandedJob, JobMessage, JobReport, ProgressNotice, RunId, VERSION, WorkerName};
use crate::quarantine::Quarantine;
use crate::status;

/// How long [`RemoteRun::wait`] waits.
const WAIT: Duration = Duration::from_millis(200);
/// The jobs that are handed out while no worker is there, and for each slot of a worker.
const FEWEST_JOBS: usize = 64;
const JOBS_PER_SLOT: usize = 8;
/// The least number of messages for each slot, if each has many jobs.
const MESSAGES_PER_SLOT: usize = 3;
/// The most jobs that are handed out, whatever the number of workers.
const MOST_JOBS: usize = 50_000;
/// How often the progress is published.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);
/// Jobs are lost if the queue is found empty this many times without a result between.
const EMPTY_QUEUES: u32 = 2;
/// How long a server that does not answer is waited for.
const SERVER_TIMEOUT: Duration = Duration::from_mins(10);
/// How often it is asked meanwhile.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// How long the end of a run may take on the server.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(15);

/// A run on the fleet.
pub(super) struct FleetRun {
    broker: Arc<Broker>,
    announcement: Announcement,
    run: RunId,
    /// When the queue of jobs was created.
    queue_created: i128,
    slots: Arc<AtomicU64>,
    received: mpsc::Receiver<Box<Received>>,
    tokens: Arc<JobTokens>,
    outbox: Outbox,
    /// Why the server is treated as away.
    failure: Failure,
    receipts: HashMap<u64, Acker>,
    next_receipt: u64,
    /// The names and the public keys of the workers by their numbers.
    workers: BTreeMap<usize, (WorkerName, String)>,
    quarantine: Quarantine,
    tasks: Vec<JoinHandle<()>>,
    done: u64,
    reported: Instant,
    pace: Pace,
    /// How often the queue was found empty since the last result.
    found_empty: Arc<AtomicU32>,
    part_names: Vec<String>,
    /// A line about each part.
    parts: Vec<String>,
}

impl FleetRun {
    /// Announces a run, of which `done` jobs are in the journal.
    pub(super) fn open(
        broker: Arc<Broker>,
        announcement: Announcement,
        part_names: Vec<String>,
        tokens: JobTokens,
        done: u64,
    ) -> Result<Self, BrokerError> {
        let run = announcement.notice.run.clone();
        let queues = broker.runtime.block_on(announcement.publish(&broker))?;
        let (sender, received) = sync_channel(RESULTS_AHEAD as usize);
        let (slots, tokens) = (Arc::new(AtomicU64::new(0)), Arc::new(tokens));
        let results = Receiver {
            broker: Arc::clone(&broker),
            run: run.clone(),
            tokens: Arc::clone(&tokens),
            sender,
            refused: 0,
            numbers: BTreeMap::new(),
        };
        let (failure, found_empty) = (Failure::default(), Arc::default());
        let tasks = vec![
            broker.runtime.spawn(watch_queue(
                Arc::clone(&broker),
                run.clone(),
                Arc::clone(&found_empty),
                Failure::clone(&failure),
            )),
            broker.runtime.spawn(results.receive(queues.results)),
            broker.runtime.spawn(watch_workers(Arc::clone(&broker), run.clone(), Arc::clone(&slots))),
        ];
        let outbox = Outbox::new(Arc::clone(&broker), run.jobs_subject());
        Ok(Self {
            broker,
            announcement,
            run,
            queue_created: queues.created,
            slots,
            received,
            tokens,
            outbox,
            failure,
            receipts: HashMap::new(),
            next_receipt: 0,
            workers: BTreeMap::new(),
            quarantine: Quarantine::default(),
            tasks,
            done,
            reported: clock::now(),
            pace: Pace::new(clock::now()),
            found_empty,
            part_names,
            parts: Vec::new(),
        })
    }

    /// Treats the server as away after an error.
    fn check(&self, done: Result<(), BrokerError>) {
        if let Err(error) = done {
            fail(&self.failure, &error);
        }
    }

    fn is_failing(&self) -> bool {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Waits for a server that does not answer. What it has lost is created again.
    fn recover(&mut self, stop: &Stop) -> Result<RemoteEvent, RemoteError> {
        let begun = clock::now();
        let cause = self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default();
        tracing::warn!(run = %self.run, cause, "the NATS server does not answer; waiting for it");
        loop {
            let restore = self.announcement.restore(&self.broker, self.queue_created);
            let restored = self.broker.runtime.block_on(async {
                // The client waits without a limit while it has no connection.
                let timeout = tokio::time::sleep(SERVER_TIMEOUT.saturating_sub(begun.elapsed()));
                tokio::select! {
                    restored = restore => Some(restored),
                    () = raised(stop) => None,
                    () = timeout => Some(Err(BrokerError::NoAnswer)),
                }
            });
            match restored {
                None => return Ok(RemoteEvent::Nothing),
                Some(Ok(queues)) => {
                    *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = None;
                    tracing::warn!(run = %self.run, "the NATS server answers again");
                    let Some(queues) = queues else { return Ok(RemoteEvent::Nothing) };
                    tracing::warn!(run = %self.run, "it has lost the queue of this run; all jobs are queued again");
                    self.queue_created = queues.created;
                    return Ok(self.lose_jobs());
                }
                Some(Err(error)) if begun.elapsed() >= SERVER_TIMEOUT => {
                    let minutes = SERVER_TIMEOUT.as_secs() / 60;
                    return Err(RemoteError(format!(
                        "the NATS server was away for {minutes} minutes: {error}"
                    )));
                }
                Some(Err(error)) => tracing::debug!(run = %self.run, %error, "still waiting"),
            }
            _ = stop.sleep(RETRY_INTERVAL);
        }
    }

    fn lose_jobs(&mut self) -> RemoteEvent {
        self.outbox.clear();
        self.found_empty.store(0, Relaxed);
        RemoteEvent::JobsLost
    }

    fn publish_progress(&mut self) -> Result<(), RemoteError> {
        if self.reported.elapsed() < PROGRESS_INTERVAL {
            return Ok(());
        }
        self.reported = clock::now();
        self.pace.end_interval(self.reported, self.slots.load(Relaxed));
        let progress = ProgressNotice {
            version: VERSION,
            done: self.done,
            last_minute: self.pace.last_minute(),
            parts: self.parts.clone(),
        };
        let packed = protocol::encode(&progress)?;
        let (broker, run, failure) =
            (Arc::clone(&self.broker), self.run.to_string(), Failure::clone(&self.failure));
        // In a task of its own, so that the hand-out of jobs does not wait for the server.
        self.broker.runtime.spawn(async move {
            let put = async {
                broker
                    .bucket(protocol::PROGRESS)
                    .await?
                    .put(run, packed.into())
                    .await
                    .asked("keep the progress")
            };
            if let Err(error) = in_time(put).await {
                fail(&failure, &error);
            }
        });
        Ok(())
    }

    /// The job of a report, and its result. Results of a worker in quarantine are none.
    fn take_report(&self, worker: WorkerId, report: JobReport) -> (JobKey, Result<RemoteResult, String>) {
        let (key, result) = read_report(report);
        if let Some(why) = self.quarantine.quarantined(worker) {
            return (key, Err(format!("the worker is in quarantine: {why}")));
        }
        (key, result)
    }

    /// Publishes the quarantine of a worker, which then takes no more jobs of this run.
    fn publish_quarantine(&self, worker: WorkerId, why: String) {
        let Some((name, sender)) = self.workers.get(&worker.0) else { return };
        tracing::warn!(
            run = %self.run, worker = %name, number = worker.0, why,
            "quarantine: the run takes no more results of this worker"
        );
        let (broker, key) = (Arc::clone(&self.broker), status::quarantine_key(&self.run, sender));
        self.broker.runtime.spawn(async move {
            let put = async {
                broker.bucket(protocol::QUARANTINE).await?.put(key, why.into()).await.asked("keep it")
            };
            if let Err(error) = put.await {
                tracing::warn!(%error, "the worker can't be informed of its quarantine");
            }
        });
    }

    fn results_of(&mut self, received: Received) -> RemoteResults {
        let Received { message, sender, acker, _held } = received;
        let receipt = self.next_receipt;
        self.next_receipt += 1;
        self.receipts.insert(receipt, acker);
        let Sender { number, key } = sender;
        let worker = WorkerId(number as usize);
        if self.workers.insert(worker.0, (message.worker.clone(), key)).is_none() {
            tracing::info!(number = worker.0, name = %message.worker, "first result of this worker");
        }
        let jobs: Vec<_> = message.jobs.into_iter().map(|report| self.take_report(worker, report)).collect();
        self.pace.add(jobs.len());
        RemoteResults { worker, receipt, jobs }
    }
}

impl RemoteRun for FleetRun {
    fn capacity(&mut self) -> usize {
        if self.is_failing() {
            return 0;
        }
        let slots = usize::try_from(self.slots.load(Relaxed)).unwrap_or(usize::MAX);
        let jobs = slots.saturating_mul(JOBS_PER_SLOT.max(MESSAGES_PER_SLOT * self.pace.together()));
        jobs.clamp(FEWEST_JOBS, MOST_JOBS)
    }

    fn jobs_together(&mut self) -> usize {
        self.pace.together()
    }

    fn hand_out(&mut self, jobs: &[ReadyJob]) -> Result<(), RemoteError> {
        let too_large = || RemoteError("the run has more jobs than a fleet can number".to_owned());
        let number = |number: usize| u32::try_from(number).map_err(|_| too_large());
        let jobs = jobs
            .iter()
            .map(|ReadyJob { key, options }| {
                let (part, job) = (number(key.part)?, number(key.job)?);
                let token = self.tokens.token(part, job);
                Ok(HandedJob { part, job, token, options: options.0.clone() })
            })
            .collect::<Result<Vec<_>, RemoteError>>()?;
        let packed = protocol::encode(&JobMessage { version: VERSION, jobs })?;
        // After an error the outbox keeps the message, and `wait` waits for the server.
        let sent = self.outbox.send(packed);
        self.check(sent);
        Ok(())
    }

    fn wait(&mut self, stop: &Stop) -> Result<RemoteEvent, RemoteError> {
        if self.is_failing() {
            return self.recover(stop);
        }
        let confirmed = self.outbox.confirm();
        self.check(confirmed);
        self.publish_progress()?;
        if stop.is_raised() {
            return Ok(RemoteEvent::Nothing);
        }
        match self.received.recv_timeout(WAIT) {
            Ok(received) => {
                self.found_empty.store(0, Relaxed);
                Ok(RemoteEvent::Results(self.results_of(*received)))
            }
            // An empty queue alone is no loss: the last results may be on their way.
            Err(RecvTimeoutError::Timeout) if self.found_empty.load(Relaxed) < EMPTY_QUEUES => {
                Ok(RemoteEvent::Nothing)
            }
            Err(RecvTimeoutError::Timeout) => {
                tracing::warn!(run = %self.run, "jobs are neither queued nor done; all are queued again");
                Ok(self.lose_jobs())
            }
            Err(RecvTimeoutError::Disconnected) => {
                Err(RemoteError("the connection to the NATS server is closed".to_owned()))
            }
        }
    }

    fn confirm(&mut self, receipt: u64) {
        if let Some(acker) = self.receipts.remove(&receipt) {
            self.broker.runtime.spawn(async move {
                if let Err(error) = acker.ack().await {
                    tracing::warn!(%error, "a result can't be acknowledged; it will come again");
                }
            });
        }
    }

    fn progress(&mut self, parts: &[PartProgress<'_>]) {
        // It is published once a second.
        self.done = parts.iter().map(|part| part.ended as u64).sum();
        self.parts =
            self.part_names.iter().zip(parts).map(|(name, part)| progress_line(name, part)).collect();
    }

    // Repeated and refused results say nothing about a worker that others could be compared with.
    fn accepted(&mut self, worker: WorkerId, result: &JobResult) {
        if let Some(why) = self.quarantine.record(worker, result) {
            self.publish_quarantine(worker, why);
        }
    }

    fn refused(&mut self, worker: WorkerId, what: &str) {
        if let Some(why) = self.quarantine.quarantine(worker, what.to_owned()) {
            self.publish_quarantine(worker, why);
        }
    }

    fn withdraw(&mut self) {
        let confirmed = self.outbox.confirm();
        // After the confirmation, since a message on its way would arrive after the removal.
        let removed = self.broker.request(announcement::remove_jobs(&self.broker, &self.run));
        if let Err(error) = confirmed.and(removed) {
            // The queue may still have these jobs, so it must be created again.
            self.queue_created = 0;
            fail(&self.failure, &error);
        }
        self.outbox.clear();
    }

    fn close(&mut self) {
        for task in self.tasks.drain(..) {
            task.abort();
        }
        let remove = async {
            while let Err(error) = announcement::remove(&self.broker, &self.run).await {
                tracing::debug!(run = %self.run, %error, "trying again");
                tokio::time::sleep(RETRY_INTERVAL).await;
            }
        };
        let removed =
            self.broker.runtime.block_on(async { tokio::time::timeout(CLOSE_TIMEOUT, remove).await });
        if removed.is_err() {
            tracing::warn!(
                run = %self.run,
                "the NATS server does not answer, and still has jobs of this run; `threefold fleet remove {}` removes them",
                self.run
            );
        }
    }
}

/// Ends when a stop is requested.
async fn raised(stop: &Stop) {
    while !stop.is_raised() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
