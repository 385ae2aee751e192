//! The coordinator's side: it announces a run, hands out its jobs, and receives their results.

mod receiver;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::context::PublishAckFuture;
use async_nats::jetstream::message::Acker;
use tokio::task::JoinHandle;

use threefold_chess::clock::Stop;
use threefold_harness::run::job::WorkerId;
use threefold_harness::run::journal::{Journal, rows};
use threefold_harness::run::pool::{RemoteError, RemoteResult, RemoteResults, RemoteRun, RemoteWorkers};
use threefold_harness::run::prepared::PreparedRun;
use threefold_harness::run::{JobKey, PartProgress};

use self::receiver::{Received, count_slots, read_report, receive};
use crate::broker::{Asked, Broker, BrokerError, RESULTS_AHEAD};
use crate::clock;
use crate::conduct::Conduct;
use crate::engine_files::Signature;
use crate::package::{RunPackage, is_timed};
use crate::protocol::{
    self, JobMessage, JobReport, MessageError, ProgressNotice, RunId, RunNotice, VERSION, WorkerName,
};
use crate::status;

/// How long [`RemoteRun::wait`] waits.
const WAIT: Duration = Duration::from_millis(200);
/// The jobs that are handed out while no worker is there, and for each slot of a worker.
const FEWEST_JOBS: usize = 64;
const JOBS_PER_SLOT: usize = 8;
/// The most jobs that are handed out, whatever the number of workers.
const MOST_JOBS: usize = 50_000;
/// The most messages that the server has not confirmed yet.
const MOST_UNCONFIRMED: usize = 256;
/// How often the progress is published.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// What a submission asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// Runs with a higher priority go first.
    pub priority: i32,
    /// The share of the fleet among the runs of its priority; at least 1.
    pub share: u32,
    /// The node count of this program's `bench`.
    pub bench: u64,
    /// Signatures of engine files.
    pub signatures: Vec<Signature>,
    /// The speed of this machine, in nodes per second of Echo's `bench`; time controls are meant for it.
    pub speed: u64,
}

/// A connection to the fleet, for the runs of one command.
#[derive(Debug)]
pub struct Coordinator {
    broker: Arc<Broker>,
    submission: Submission,
}

impl Coordinator {
    /// The connection.
    pub fn broker(&self) -> Arc<Broker> {
        Arc::clone(&self.broker)
    }

    /// Creates what the fleet needs on the server.
    ///
    /// # Errors
    ///
    /// If the server has no JetStream, or refuses.
    pub fn new(broker: Broker, submission: Submission) -> Result<Self, BrokerError> {
        broker.set_up()?;
        Ok(Self { broker: Arc::new(broker), submission })
    }
}

impl From<BrokerError> for RemoteError {
    fn from(error: BrokerError) -> Self {
        Self(error.to_string())
    }
}

impl From<MessageError> for RemoteError {
    fn from(error: MessageError) -> Self {
        Self(error.to_string())
    }
}

impl RemoteWorkers for Coordinator {
    fn open(&self, prepared: &PreparedRun, journal: &Journal) -> Result<Box<dyn RemoteRun>, RemoteError> {
        let spec = prepared.spec();
        let begun = journal.contents().begun().map_err(|error| RemoteError(error.to_string()))?;
        let place = journal.contents().absolute_path().display().to_string();
        let run = RunId::of(&format!("{place}\n{}", rows::write_spec(spec)), begun);
        let package = RunPackage::of(spec, &self.submission.signatures)
            .map_err(|error| RemoteError(error.to_string()))?;
        let packed = protocol::compress(
            &serde_json::to_vec(&package).map_err(|error| RemoteError(error.to_string()))?,
        )?;
        let notice = RunNotice {
            version: VERSION,
            run: run.clone(),
            title: spec.title.clone(),
            bench: self.submission.bench,
            priority: self.submission.priority,
            share: self.submission.share.max(1),
            spec_sha256: protocol::sha256(&packed),
            reference_speed: is_timed(spec).then_some(self.submission.speed),
        };
        let broker = Arc::clone(&self.broker);
        let results = self.broker.runtime.block_on(announce(&broker, &package, &packed, &notice))?;
        let (sender, received) = sync_channel(RESULTS_AHEAD as usize);
        let slots = Arc::new(AtomicU64::new(0));
        let tasks = vec![
            self.broker.runtime.spawn(receive(results, run.clone(), sender)),
            self.broker.runtime.spawn(count_slots(Arc::clone(&broker), Arc::clone(&slots))),
        ];
        Ok(Box::new(FleetRun {
            broker,
            run,
            slots,
            received,
            unconfirmed: Vec::new(),
            receipts: HashMap::new(),
            next_receipt: 0,
            names: BTreeMap::new(),
            conduct: Conduct::default(),
            tasks,
            handed_out: 0,
            done: journal.results() as u64,
            reported: clock::now(),
            part_names: spec.parts.iter().map(|part| part.name.clone()).collect(),
            parts: Vec::new(),
        }))
    }
}

/// Puts a run on the server, and returns the queue of its results.
async fn announce(
    broker: &Broker,
    package: &RunPackage,
    packed: &[u8],
    notice: &RunNotice,
) -> Result<PullConsumer, RemoteError> {
    let run = &notice.run;
    let files = broker.files().await?;
    package.upload(&files).await?;
    files.put(run.spec_object().as_str(), &mut &*packed).await.asked("store the specification of the run")?;
    let jobs = broker.jetstream.get_stream(protocol::JOBS).await.asked("open the stream of jobs")?;
    // Jobs of an earlier coordinator of this run: they are handed out again.
    jobs.purge().filter(run.jobs_subject()).await.asked("remove earlier jobs")?;
    broker.create_job_queue(run).await?;
    let results = broker.create_result_queue(run).await?;
    let runs = broker.bucket(protocol::RUNS).await?;
    runs.put(run.to_string(), protocol::encode(notice)?.into()).await.asked("announce the run")?;
    tracing::info!(%run, title = notice.title, "announced");
    Ok(results)
}

/// A run on the fleet.
struct FleetRun {
    broker: Arc<Broker>,
    run: RunId,
    slots: Arc<AtomicU64>,
    received: Receiver<Box<Received>>,
    /// Messages that the server has not confirmed to have.
    unconfirmed: Vec<PublishAckFuture>,
    receipts: HashMap<u64, Acker>,
    next_receipt: u64,
    /// The names of the workers by their numbers.
    names: BTreeMap<usize, WorkerName>,
    conduct: Conduct,
    tasks: Vec<JoinHandle<()>>,
    handed_out: u64,
    done: u64,
    reported: Instant,
    part_names: Vec<String>,
    /// A line about each part.
    parts: Vec<String>,
}

impl FleetRun {
    /// Waits until the server has the messages.
    fn confirm_sent(&mut self) -> Result<(), RemoteError> {
        let unconfirmed = std::mem::take(&mut self.unconfirmed);
        self.broker.runtime.block_on(async {
            for sent in unconfirmed {
                sent.await.asked("queue a job")?;
            }
            Ok(())
        })
    }

    fn publish_progress(&mut self) -> Result<(), RemoteError> {
        if self.reported.elapsed() < PROGRESS_INTERVAL {
            return Ok(());
        }
        self.reported = clock::now();
        let progress = ProgressNotice {
            version: VERSION,
            done: self.done,
            handed_out: self.handed_out,
            parts: self.parts.clone(),
        };
        let packed = protocol::encode(&progress)?;
        let (broker, run) = (Arc::clone(&self.broker), self.run.to_string());
        self.broker.runtime.spawn(async move {
            if let Ok(bucket) = broker.bucket(protocol::PROGRESS).await {
                _ = bucket.put(run, packed.into()).await;
            }
        });
        Ok(())
    }

    /// The job of a report, and its result. Results of a worker in quarantine are none.
    fn read(&mut self, worker: WorkerId, report: JobReport) -> (JobKey, Result<RemoteResult, String>) {
        let (key, result) = read_report(report);
        if let Some(why) = self.conduct.quarantined(worker) {
            return (key, Err(format!("the worker is in quarantine: {why}")));
        }
        if let Ok(done) = &result
            && let Some(why) = self.conduct.record(worker, &done.result)
        {
            self.publish_quarantine(worker, why);
        }
        (key, result)
    }

    /// Publishes the quarantine of a worker, which then takes no more jobs of this run.
    fn publish_quarantine(&self, worker: WorkerId, why: String) {
        let Some(name) = self.names.get(&worker.0) else { return };
        tracing::warn!(
            run = %self.run, worker = %name, number = worker.0, why,
            "quarantine: the run takes no more results of this worker"
        );
        let (broker, key) = (Arc::clone(&self.broker), status::quarantine_key(&self.run, name));
        self.broker.runtime.spawn(async move {
            let put = async {
                broker.bucket(protocol::QUARANTINE).await?.put(key, why.into()).await.asked("keep it")
            };
            if let Err(error) = put.await {
                tracing::warn!(%error, "the worker can't be informed of its quarantine");
            }
        });
    }

    fn remove_jobs(&self) -> Result<(), RemoteError> {
        let (broker, run) = (&self.broker, &self.run);
        broker.runtime.block_on(async {
            let jobs = broker.jetstream.get_stream(protocol::JOBS).await.asked("open the stream of jobs")?;
            jobs.purge().filter(run.jobs_subject()).await.asked("remove jobs")?;
            Ok(())
        })
    }
}

impl RemoteRun for FleetRun {
    fn capacity(&mut self) -> usize {
        let slots = usize::try_from(self.slots.load(Relaxed)).unwrap_or(usize::MAX);
        slots.saturating_mul(JOBS_PER_SLOT).clamp(FEWEST_JOBS, MOST_JOBS)
    }

    fn hand_out(&mut self, jobs: &[JobKey]) -> Result<(), RemoteError> {
        let too_large = || RemoteError("the run has more jobs than a fleet can number".to_owned());
        let number = |number: usize| u32::try_from(number).map_err(|_| too_large());
        let jobs = jobs
            .iter()
            .map(|key| Ok([number(key.part)?, number(key.job)?]))
            .collect::<Result<Vec<_>, RemoteError>>()?;
        self.handed_out += jobs.len() as u64;
        let packed = protocol::encode(&JobMessage { version: VERSION, jobs })?;
        let sent = self
            .broker
            .runtime
            .block_on(self.broker.jetstream.publish(self.run.jobs_subject(), packed.into()))
            .asked("queue a job")?;
        self.unconfirmed.push(sent);
        if self.unconfirmed.len() >= MOST_UNCONFIRMED { self.confirm_sent() } else { Ok(()) }
    }

    fn wait(&mut self, stop: &Stop) -> Result<Option<RemoteResults>, RemoteError> {
        self.confirm_sent()?;
        self.publish_progress()?;
        if stop.is_raised() {
            return Ok(None);
        }
        let received = match self.received.recv_timeout(WAIT) {
            Ok(received) => received,
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(RemoteError("the connection to the NATS server is closed".to_owned()));
            }
        };
        let Received { message, acker } = *received;
        let receipt = self.next_receipt;
        self.next_receipt += 1;
        self.receipts.insert(receipt, acker);
        let worker = WorkerId(message.number as usize);
        if self.names.insert(worker.0, message.worker.clone()).is_none() {
            tracing::info!(number = worker.0, name = %message.worker, "first result of this worker");
        }
        let jobs: Vec<_> = message.jobs.into_iter().map(|report| self.read(worker, report)).collect();
        self.handed_out = self.handed_out.saturating_sub(jobs.len() as u64);
        Ok(Some(RemoteResults { worker, receipt, jobs }))
    }

    fn confirm(&mut self, receipt: u64) -> Result<(), RemoteError> {
        if let Some(acker) = self.receipts.remove(&receipt) {
            self.broker.runtime.spawn(async move {
                if let Err(error) = acker.ack().await {
                    tracing::warn!(%error, "a result can't be acknowledged; it will come again");
                }
            });
        }
        Ok(())
    }

    fn progress(&mut self, parts: &[PartProgress<'_>]) {
        // It is published once a second.
        if self.reported.elapsed() >= PROGRESS_INTERVAL {
            self.done = parts.iter().map(|part| part.ended as u64).sum();
            self.parts =
                self.part_names.iter().zip(parts).map(|(name, part)| progress_line(name, part)).collect();
        }
    }

    fn refused(&mut self, worker: WorkerId, what: &str) {
        if let Some(why) = self.conduct.quarantine(worker, what.to_owned()) {
            self.publish_quarantine(worker, why);
        }
    }

    fn withdraw(&mut self) -> Result<(), RemoteError> {
        self.confirm_sent()?;
        self.handed_out = 0;
        self.remove_jobs()
    }

    fn close(&mut self, is_done: bool) -> Result<(), RemoteError> {
        for task in self.tasks.drain(..) {
            task.abort();
        }
        let (broker, run) = (Arc::clone(&self.broker), self.run.clone());
        self.broker.runtime.block_on(async {
            let runs = broker.bucket(protocol::RUNS).await?;
            runs.purge(run.to_string()).await.asked("withdraw the run")?;
            let jobs = broker.jetstream.get_stream(protocol::JOBS).await.asked("open the stream of jobs")?;
            jobs.delete_consumer(&run.to_string()).await.asked("remove the queue of the jobs")?;
            jobs.purge().filter(run.jobs_subject()).await.asked("remove jobs")?;
            if is_done {
                let results = broker
                    .jetstream
                    .get_stream(protocol::RESULTS)
                    .await
                    .asked("open the stream of results")?;
                results.delete_consumer(&run.to_string()).await.asked("remove the queue of the results")?;
                results.purge().filter(run.results_subject()).await.asked("remove results")?;
                broker.files().await?.delete(run.spec_object()).await.asked("remove the specification")?;
                broker
                    .bucket(protocol::PROGRESS)
                    .await?
                    .purge(run.to_string())
                    .await
                    .asked("remove the progress")?;
            }
            broker.client.flush().await.asked("send the last messages")?;
            Ok(())
        })
    }
}

/// `sprt: 1200 of 40000, LLR 1.23`
fn progress_line(name: &str, part: &PartProgress<'_>) -> String {
    let llr = part.test.and_then(|test| test.path.last());
    let llr = llr.map(|llr| format!(", LLR {llr:.2}")).unwrap_or_default();
    let ending = part.ending.map(|ending| format!(", {ending}")).unwrap_or_default();
    format!("{name}: {} of {}{llr}{ending}", part.ended, part.jobs)
}
