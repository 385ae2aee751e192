//! Receives the results of a run: from a worker that signed them, for jobs that it was handed.
//!
//! Messages come from machines that are trusted little. A small one can become large after decompression, so
//! the sizes of all that are held together are bounded, and what is printed of a message is short.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::Acker;
use futures_util::StreamExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use threefold_run::JobKey;
use threefold_run::journal::rows;
use threefold_run::pool::RemoteResult;

use super::job_tokens::JobTokens;
use crate::broker::{Asked, Broker, in_time};
use crate::protocol::{self, JobReport, LARGEST_TEXT, ResultMessage, RunId, one_line};
use crate::sender;

/// What the texts of all messages that are held may need together, in kibibytes.
const MOST_HELD: u32 = 3 * LARGEST_HELD;
/// What the text of the largest message needs, in kibibytes.
const LARGEST_HELD: u32 = (LARGEST_TEXT >> 10) as u32;
/// When a message comes again.
const RETRY_INTERVAL: Duration = Duration::from_secs(2);
/// The most refusals that are printed.
const MOST_PRINTED: u32 = 20;

/// A message of results of jobs that its sender was handed, and how it is acknowledged.
pub(super) struct Received {
    pub(super) message: ResultMessage,
    pub(super) sender: Sender,
    pub(super) acker: Acker,
    /// Its share of what may be held.
    pub(super) _held: OwnedSemaphorePermit,
}

/// A worker, as its signature shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sender {
    /// The worker's number in this run.
    pub(super) number: u32,
    /// Its public key.
    pub(super) key: String,
}

/// Why a message is not taken.
enum Refusal {
    /// It never will be.
    Wrong(String),
    /// The server does not say who sent it; the message comes again.
    NotNow(String),
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Self::Wrong(why)
    }
}

/// Receives results until the run is closed. Messages that are refused are logged and removed.
pub(super) struct Receiver {
    pub(super) broker: Arc<Broker>,
    pub(super) run: RunId,
    pub(super) tokens: Arc<JobTokens>,
    pub(super) sender: SyncSender<Box<Received>>,
    pub(super) refused: u32,
    /// The numbers of workers by their keys.
    pub(super) numbers: BTreeMap<String, u32>,
}

impl Receiver {
    pub(super) async fn receive(mut self, results: PullConsumer) {
        let run = self.run.clone();
        let room = Arc::new(Semaphore::new(MOST_HELD as usize));
        loop {
            let mut messages = match results.stream().max_messages_per_batch(64).messages().await {
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
                // Room for the largest message; what is not needed is given back.
                let Ok(mut held) = Arc::clone(&room).acquire_many_owned(LARGEST_HELD).await else { return };
                let read = self.read_message(&message.payload, &mut held).await;
                let (_, acker) = message.split();
                match read {
                    Ok((message, worker)) => {
                        let received = Box::new(Received { message, sender: worker, acker, _held: held });
                        let sender = self.sender.clone();
                        // The channel is full while the journal is written.
                        let sent = tokio::task::spawn_blocking(move || sender.send(received)).await;
                        // The run has ended, and its receiver is gone.
                        if !matches!(sent, Ok(Ok(()))) {
                            return;
                        }
                    }
                    Err(Refusal::Wrong(why)) => {
                        self.print_refusal(&why);
                        // `Term` removes the message. If it is lost, the message comes again and is refused
                        // again.
                        _ = acker.ack_with(AckKind::Term).await;
                    }
                    Err(Refusal::NotNow(why)) => {
                        tracing::debug!(%run, why, "a message of results can't be taken now");
                        _ = acker.ack_with(AckKind::Nak(Some(RETRY_INTERVAL))).await;
                    }
                }
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// A message and its sender, or why it is refused. `held` keeps what the message needs.
    async fn read_message(
        &mut self,
        payload: &[u8],
        held: &mut OwnedSemaphorePermit,
    ) -> Result<(ResultMessage, Sender), Refusal> {
        let (key, packed) = sender::opened(&self.run, payload).map_err(|error| error.to_string())?;
        let number = self.number_of(&key).await?;
        // Only messages of workers with a number are decompressed, since that may need much memory.
        let text = protocol::decompress(packed, LARGEST_TEXT).map_err(|error| error.to_string())?;
        let needed = (text.len() >> 10) + 1;
        drop(held.split(held.num_permits().saturating_sub(needed)));
        let message: ResultMessage = protocol::parse(&text).map_err(|error| error.to_string())?;
        drop(text);
        if message.run != self.run || message.jobs.len() > protocol::MOST_JOBS {
            return Err(format!("worker {number} sent results of another run, or too many").into());
        }
        let was_handed = |report: &JobReport| self.tokens.is_of(report.part, report.job, &report.token);
        if !message.jobs.iter().all(was_handed) {
            return Err(format!("worker {number} sent results of jobs that it was not handed").into());
        }
        Ok((message, Sender { number, key }))
    }

    /// The number that the server gave a key. A number that another key had before the server lost its data
    /// is not given again.
    async fn number_of(&mut self, key: &str) -> Result<u32, Refusal> {
        if let Some(&number) = self.numbers.get(key) {
            return Ok(number);
        }
        let broker = &self.broker;
        let entry = in_time(async {
            let numbers = broker.bucket(protocol::NUMBERS).await?;
            numbers.entry(key.to_owned()).await.asked("read the numbers of workers")
        });
        let entry = entry.await.map_err(|error| Refusal::NotNow(error.to_string()))?;
        let unknown = || "its sender is no worker of this fleet".to_owned();
        let revision = entry.map(|entry| entry.revision).ok_or_else(unknown)?;
        let mut number = u32::try_from(revision).map_err(|error| error.to_string())?;
        if self.numbers.values().any(|&taken| taken == number) {
            number = self.numbers.values().max().map_or(number, |&most| most.saturating_add(1));
        }
        self.numbers.insert(key.to_owned(), number);
        Ok(number)
    }

    fn print_refusal(&mut self, why: &str) {
        self.refused = self.refused.saturating_add(1);
        let (run, why) = (&self.run, one_line(why));
        match self.refused {
            ..=MOST_PRINTED => tracing::warn!(%run, "a message of results is refused: {why}"),
            number if number == MOST_PRINTED + 1 => {
                tracing::warn!(%run, "more messages of results are refused; they are not listed");
            }
            _ => tracing::debug!(%run, "a message of results is refused: {why}"),
        }
    }
}

/// The job of a report, and its result.
pub(super) fn read_report(report: JobReport) -> (JobKey, Result<RemoteResult, String>) {
    let key = JobKey { part: report.part as usize, job: report.job as usize };
    let read = |report: JobReport| match report {
        JobReport { error: Some(error), .. } => Err(one_line(&error)),
        JobReport { result: Some(result), traffic, .. } => Ok(RemoteResult {
            result: rows::read_result(&result)?,
            traffic: traffic.as_deref().map(rows::read_traffic).transpose()?,
        }),
        JobReport { .. } => Err("the worker sent neither a result nor an error".to_owned()),
    };
    (key, read(report).map_err(|what| one_line(&what)))
}
