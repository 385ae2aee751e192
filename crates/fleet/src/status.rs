//! What is on the server: workers, runs and their queues.

use futures_util::{StreamExt, stream};

use async_nats::jetstream::consumer::PullConsumer;
use serde::de::DeserializeOwned;

use crate::broker::{Asked, Broker, BrokerError};
use crate::clock;
use crate::protocol::{self, ProgressNotice, RunId, RunNotice, WorkerName, WorkerNotice};

/// The entries of a bucket that are asked for at a time.
const READ_AT_ONCE: usize = 64;
/// The most entries of a bucket that are read. Each has at most 64 KiB, and a worker can write as many as it likes.
const MOST_ENTRIES: usize = 2_048;

/// The state of the fleet.
#[derive(Debug, Clone, PartialEq)]
pub struct FleetStatus {
    /// The workers that gave a sign of life lately, by name.
    pub workers: Vec<(WorkerName, WorkerNotice)>,
    /// The runs, the first to be served first.
    pub runs: Vec<RunStatus>,
}

/// The state of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunStatus {
    /// The run that the coordinator announces.
    pub notice: RunNotice,
    /// Its progress, if its coordinator has reported it.
    pub progress: Option<ProgressNotice>,
    /// Messages that wait for a worker.
    pub waiting: u64,
    /// Messages that workers have taken and not finished.
    pub running: u64,
    /// The age of the oldest message in seconds, finished ones aside; `None` if there is none.
    pub oldest: Option<u64>,
}

/// Asks the server for everything.
///
/// # Errors
///
/// If the server can't be reached, or no run was ever submitted to it.
pub fn status(broker: &Broker) -> Result<FleetStatus, BrokerError> {
    broker.request(async {
        let mut runs = Vec::new();
        for notice in self::runs(broker).await? {
            runs.push(run_status(broker, notice).await?);
        }
        Ok(FleetStatus { workers: workers(broker).await?, runs })
    })
}

async fn run_status(broker: &Broker, notice: RunNotice) -> Result<RunStatus, BrokerError> {
    let name = notice.run.to_string();
    let jobs = broker.jetstream.get_stream(protocol::JOBS).await.asked("open the stream of jobs")?;
    // The queue of a run that ends may be removed meanwhile.
    let queue: Option<PullConsumer> = jobs.get_consumer(&name).await.ok();
    let (mut waiting, mut running, mut oldest) = (0, 0, None);
    if let Some(queue) = queue {
        let info = queue.cached_info();
        (waiting, running) = (info.num_pending, info.num_ack_pending as u64);
        let first = jobs.get_first_raw_message_by_subject(notice.run.jobs_subject(), 1).await.ok();
        let now = clock::unix_seconds();
        oldest = first.map(|first| now.saturating_sub(first.time.unix_timestamp()).unsigned_abs());
    }
    let bucket = broker.bucket(protocol::PROGRESS).await?;
    let entry = bucket.get(name).await.asked("read the progress of a run")?;
    let progress = entry.and_then(|packed| protocol::decode(&packed).ok());
    Ok(RunStatus { notice, progress, waiting, running, oldest })
}

/// The announced runs, in the order in which workers serve them. Entries that can't be read are left out.
pub(crate) async fn runs(broker: &Broker) -> Result<Vec<RunNotice>, BrokerError> {
    let mut runs: Vec<RunNotice> =
        entries(broker, protocol::RUNS).await?.into_iter().map(|(_, run)| run).collect();
    runs.sort_by(|one, other| (other.priority, &one.run).cmp(&(one.priority, &other.run)));
    Ok(runs)
}

/// A number that grows with each change of a bucket.
pub(crate) async fn changes(broker: &Broker, bucket: &str) -> Result<u64, BrokerError> {
    let stream = broker.jetstream.get_stream(format!("KV_{bucket}")).await;
    Ok(stream.asked(&format!("open the bucket {bucket}"))?.cached_info().state.last_sequence)
}

/// The workers, by name.
pub(crate) async fn workers(broker: &Broker) -> Result<Vec<(WorkerName, WorkerNotice)>, BrokerError> {
    let entries: Vec<(String, WorkerNotice)> = entries(broker, protocol::WORKERS).await?;
    Ok(entries.into_iter().filter_map(|(name, worker)| Some((name.parse().ok()?, worker))).collect())
}

/// All entries of a bucket that can be read, by key.
async fn entries<T: DeserializeOwned>(broker: &Broker, name: &str) -> Result<Vec<(String, T)>, BrokerError> {
    let bucket = broker.bucket(name).await?;
    let mut keys = bucket.keys().await.asked(&format!("list the bucket {name}"))?;
    let mut names = Vec::new();
    while let Some(key) = keys.next().await {
        names.push(key.asked(&format!("list the bucket {name}"))?);
    }
    names.sort();
    if names.len() > MOST_ENTRIES {
        tracing::warn!(bucket = name, entries = names.len(), "only the first {MOST_ENTRIES} are read");
        names.truncate(MOST_ENTRIES);
    }
    let read = async |key: String| (bucket.get(key.as_str()).await, key);
    // Each entry is a request, so several are read at a time. `buffered` keeps their order.
    let mut found = stream::iter(names).map(read).buffered(READ_AT_ONCE);
    let mut entries = Vec::new();
    while let Some((packed, key)) = found.next().await {
        // An entry may expire or be removed between the list and its read.
        let Some(packed) = packed.asked(&format!("read the bucket {name}"))? else { continue };
        match protocol::decode_notice(&packed) {
            Ok(entry) => entries.push((key, entry)),
            Err(error) => tracing::warn!(bucket = name, key, %error, "an entry is ignored"),
        }
    }
    Ok(entries)
}

/// The key of a worker, which its public key names, in the quarantine of a run.
pub(crate) fn quarantine_key(run: &RunId, worker: &str) -> String {
    format!("{run}.{worker}")
}

/// Why a worker is in the quarantine of a run; `None` if it is not.
pub(crate) async fn quarantine(
    broker: &Broker,
    run: &RunId,
    worker: &str,
) -> Result<Option<String>, BrokerError> {
    let bucket = broker.bucket(protocol::QUARANTINE).await?;
    let entry = bucket.get(quarantine_key(run, worker)).await.asked("read the quarantine")?;
    Ok(entry.map(|why| String::from_utf8_lossy(&why).into_owned()))
}
