//! A run as its coordinator puts it on the server, and takes it away.

use async_nats::jetstream::consumer::PullConsumer;

use crate::broker::{Asked, Broker, BrokerError};
use crate::package::RunPackage;
use crate::protocol::{self, RunId, RunNotice};

/// The time of creation that a server reports may change by less than this after its restart, in nanoseconds.
const CREATION_TIME_TOLERANCE: u128 = 1_000_000_000;

/// What workers need for a run.
pub(super) struct Announcement {
    /// Its specification and the files of its engines.
    pub(super) package: RunPackage,
    /// The compressed package.
    pub(super) packed: Vec<u8>,
    /// The entry in the list of runs.
    pub(super) notice: RunNotice,
}

/// The queues of a run on the server.
pub(super) struct Queues {
    pub(super) results: PullConsumer,
    /// When the queue of its jobs was created, in nanoseconds since 1970.
    pub(super) created: i128,
}

impl Announcement {
    /// Puts the run on the server. Jobs that are queued for it are removed.
    pub(super) async fn publish(&self, broker: &Broker) -> Result<Queues, BrokerError> {
        let run = &self.notice.run;
        let files = broker.files().await?;
        self.package.upload(&files).await?;
        files
            .put(run.spec_object().as_str(), &mut &*self.packed)
            .await
            .asked("store the specification of the run")?;
        remove_jobs(broker, run).await?;
        let created = created(&broker.create_job_queue(run).await?);
        let results = broker.create_result_queue(run).await?;
        // Last, since workers begin with the notice: the package and the queues are there by then.
        let notice = protocol::encode(&self.notice).asked("announce the run")?;
        let runs = broker.bucket(protocol::RUNS).await?;
        runs.put(run.to_string(), notice.into()).await.asked("announce the run")?;
        tracing::info!(%run, title = self.notice.title, "announced");
        Ok(Queues { results, created })
    }

    /// Publishes the run again, unless its queue of jobs, created at `queue_created` (nanoseconds since 1970), still exists. A
    /// failure to open the queue counts as a missing queue. Returns the new queues; `None` if nothing was lost.
    pub(super) async fn restore(
        &self,
        broker: &Broker,
        queue_created: i128,
    ) -> Result<Option<Queues>, BrokerError> {
        broker.create_all().await?;
        match job_queue(broker, &self.notice.run).await {
            Ok(queue) if created(&queue).abs_diff(queue_created) < CREATION_TIME_TOLERANCE => Ok(None),
            _ => self.publish(broker).await.map(Some),
        }
    }
}

/// The queue of a run's jobs, with its present state.
pub(super) async fn job_queue(broker: &Broker, run: &RunId) -> Result<PullConsumer, BrokerError> {
    let queue = broker.jetstream.get_consumer_from_stream(run.to_string(), protocol::JOBS).await;
    queue.asked("open the queue of the jobs")
}

fn created(queue: &PullConsumer) -> i128 {
    queue.cached_info().created.unix_timestamp_nanos()
}

/// Removes all queued jobs of a run.
pub(super) async fn remove_jobs(broker: &Broker, run: &RunId) -> Result<(), BrokerError> {
    let jobs = broker.jetstream.get_stream(protocol::JOBS).await.asked("open the stream of jobs")?;
    jobs.purge().filter(run.jobs_subject()).await.asked("remove jobs")?;
    Ok(())
}

/// The number of the latest progress of a run; `None` if there is none.
pub(super) async fn progress_number(broker: &Broker, run: &RunId) -> Result<Option<u64>, BrokerError> {
    let bucket = broker.bucket(protocol::PROGRESS).await?;
    let entry = bucket.entry(run.to_string()).await.asked("read the progress of a run")?;
    Ok(entry.map(|entry| entry.revision))
}

/// Removes the notice of a run, its queues, its progress and its specification. The files of its engines stay, since other runs may
/// use them.
pub(super) async fn remove(broker: &Broker, run: &RunId) -> Result<(), BrokerError> {
    let name = run.to_string();
    // First, since workers interrupt the jobs of a run that has no notice.
    broker.bucket(protocol::RUNS).await?.purge(&name).await.asked("withdraw the run")?;
    remove_queue(broker, protocol::JOBS, &run.jobs_subject(), &name).await?;
    remove_queue(broker, protocol::RESULTS, &run.results_subject(), &name).await?;
    broker.bucket(protocol::PROGRESS).await?.purge(&name).await.asked("remove the progress")?;
    // It may have been removed before.
    _ = broker.files().await?.delete(run.spec_object()).await;
    broker.client.flush().await.asked("send the last messages")
}

/// Removes the queue of a run and its messages.
async fn remove_queue(broker: &Broker, stream: &str, subject: &str, name: &str) -> Result<(), BrokerError> {
    let what = format!("open the stream {stream}");
    let stream = broker.jetstream.get_stream(stream).await.asked(&what)?;
    // It may have been removed before.
    _ = stream.delete_consumer(name).await;
    stream.purge().filter(subject).await.asked("remove the messages of the run")?;
    Ok(())
}
