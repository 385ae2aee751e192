//! Receives the results of a run, and counts the workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::Acker;
use futures_util::StreamExt;

use threefold_harness::run::JobKey;
use threefold_harness::run::journal::rows;
use threefold_harness::run::pool::RemoteResult;

use super::announcement::job_queue;
use super::fleet_run::{Failure, fail};
use crate::broker::{Broker, in_time};
use crate::protocol::{self, JobReport, ResultMessage, RunId, WorkerName, WorkerNotice};
use crate::status;

/// How often the queue of jobs is looked at.
const QUEUE_CHECK_INTERVAL: Duration = Duration::from_secs(10);

/// A message of results, and how it is acknowledged.
pub(super) struct Received {
    pub(super) message: ResultMessage,
    pub(super) acker: Acker,
}

/// Receives results until the run is closed. Messages that are refused are logged and removed.
pub(super) async fn receive(results: PullConsumer, run: RunId, sender: SyncSender<Box<Received>>) {
    loop {
        let mut messages = match results.stream().max_messages_per_batch(256).messages().await {
            Ok(messages) => messages,
            Err(error) => {
                tracing::warn!(%run, %error, "results can't be received; trying again");
                tokio::time::sleep(Duration::from_secs(1)).await;
                continue;
            }
        };
        while let Some(message) = messages.next().await {
            let message = match message {
                Ok(message) => message,
                Err(error) => {
                    tracing::warn!(%run, %error, "no result received; trying again");
                    break;
                }
            };
            let read = protocol::decode::<ResultMessage>(&message.payload);
            let (_, acker) = message.split();
            match read {
                Ok(message) if message.run == run && message.jobs.len() <= protocol::MOST_JOBS => {
                    let received = Box::new(Received { message, acker });
                    let sender = sender.clone();
                    // The channel is full while the journal is written.
                    let sent = tokio::task::spawn_blocking(move || sender.send(received)).await;
                    if !matches!(sent, Ok(Ok(()))) {
                        return;
                    }
                }
                Ok(message) => {
                    tracing::warn!(%run, worker = %message.worker, "results of another run are refused");
                    _ = acker.ack_with(AckKind::Term).await;
                }
                Err(error) => {
                    tracing::warn!(%run, %error, "a result is refused");
                    _ = acker.ack_with(AckKind::Term).await;
                }
            }
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Keeps the number of slots of all workers.
pub(super) async fn count_slots(broker: Arc<Broker>, slots: Arc<AtomicU64>) {
    loop {
        if let Ok(workers) = in_time(status::workers(&broker)).await {
            let sum =
                workers.iter().map(|(_, worker): &(WorkerName, WorkerNotice)| u64::from(worker.slots)).sum();
            slots.store(sum, Relaxed);
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
}

/// Counts how often the queue of jobs is found empty: no job waits, and none is being done.
pub(super) async fn watch_queue(
    broker: Arc<Broker>,
    run: RunId,
    found_empty: Arc<AtomicU32>,
    failure: Failure,
) {
    loop {
        tokio::time::sleep(QUEUE_CHECK_INTERVAL).await;
        match in_time(job_queue(&broker, &run)).await {
            Ok(queue) => {
                let info = queue.cached_info();
                if info.num_pending == 0 && info.num_ack_pending == 0 {
                    found_empty.fetch_add(1, Relaxed);
                } else {
                    found_empty.store(0, Relaxed);
                }
            }
            Err(error) => fail(&failure, &error),
        }
    }
}

/// The job of a report, and its result.
pub(super) fn read_report(report: JobReport) -> (JobKey, Result<RemoteResult, String>) {
    let key = JobKey { part: report.part as usize, job: report.job as usize };
    let read = |report: JobReport| match report {
        JobReport { error: Some(error), .. } => Err(error),
        JobReport { result: Some(result), traffic, .. } => Ok(RemoteResult {
            result: rows::read_result(&result)?,
            traffic: traffic.as_deref().map(rows::read_traffic).transpose()?,
        }),
        JobReport { .. } => Err("the worker sent neither a result nor an error".to_owned()),
    };
    (key, read(report))
}
