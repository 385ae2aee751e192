//! The jobs of one run in one slot of a worker.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;

use threefold_chess::clock::ClockSource;
use threefold_player::{EngineSpec, LaunchOptions};
use threefold_run::journal::rows;
use threefold_run::pool::{JobRunner, RunJobError};
use threefold_run::{GameOptions, JobKey, ReadyJob};

use super::run_context::RunContext;
use super::{SLICE, Worker};
use crate::broker::{Asked, Broker, BrokerError, HEARTBEAT};
use crate::clock;
use crate::protocol::{self, HandedJob, JobMessage, JobReport, MessageError, ResultMessage, VERSION};

/// How long a slot waits for a job of a run.
const WAIT: Duration = Duration::from_millis(300);

/// How long a slot waits before it asks again for a queue or a job that the server could not give.
const PAUSE: Duration = Duration::from_secs(1);

/// How the jobs of a message ended.
enum Outcome {
    /// Each has a report.
    Done(Vec<JobReport>),
    /// They were interrupted, and another worker shall do them.
    HandedBack,
}

/// Works for a run until its queue is empty, another run is next, or the worker or the run ends. Was there a
/// job?
pub(super) fn serve(worker: &Worker, context: &RunContext) -> bool {
    let stop = context.stop.clone();
    let queue = match worker.broker.request(open_queue(worker, context)) {
        Ok(queue) => queue,
        Err(error) => {
            // The queue of a run that ends is removed.
            tracing::debug!(run = %context.notice.run, %error, "no queue; trying again");
            _ = worker.stop.drain.sleep(PAUSE);
            return false;
        }
    };
    let launch = |spec: &EngineSpec, options: &LaunchOptions| context.engines.launch(spec, options);
    let mut runner = JobRunner::new(
        &context.prepared,
        &context.tables,
        &launch,
        LaunchOptions::new(ClockSource::Wall, stop.clone()),
    );
    let (mut begun, mut used, mut has_worked) = (clock::now(), Duration::ZERO, false);
    while !worker.stop.drain.is_raised() && !stop.is_raised() {
        if begun.elapsed() >= SLICE {
            // `goes_on` charges the time, so it is not charged again below.
            if !worker.goes_on(&context.notice, used) {
                return true;
            }
            (begun, used) = (clock::now(), Duration::ZERO);
        }
        let taken = worker.broker.request(take(&queue));
        let message = match taken {
            Ok(Some(message)) => message,
            Ok(None) => break,
            Err(error) => {
                tracing::debug!(run = %context.notice.run, %error, "no job can be taken; trying again");
                _ = worker.stop.drain.sleep(PAUSE);
                break;
            }
        };
        let since = clock::now();
        work_on(worker, context, &mut runner, &message);
        // A run is charged for its jobs alone, not for the wait for them.
        used += since.elapsed();
        has_worked = true;
    }
    worker.charge(&context.notice, used);
    has_worked
}

async fn open_queue(worker: &Worker, context: &RunContext) -> Result<PullConsumer, BrokerError> {
    worker
        .broker
        .jetstream
        .get_consumer_from_stream(context.notice.run.to_string(), protocol::JOBS)
        .await
        .asked("open the queue of the jobs")
}

/// The next message of jobs; `None` if there is none for some time.
async fn take(queue: &PullConsumer) -> Result<Option<Message>, BrokerError> {
    let mut taken = queue.batch().max_messages(1).expires(WAIT).messages().await.asked("give a job")?;
    taken.next().await.transpose().asked("give a job")
}

/// Does the jobs of a message, sends the results, and acknowledges it.
fn work_on(worker: &Worker, context: &RunContext, runner: &mut JobRunner<'_>, message: &Message) {
    let broker = &worker.broker;
    let jobs = match protocol::decode::<JobMessage>(&message.payload) {
        Ok(JobMessage { jobs, .. }) if jobs.len() <= protocol::MOST_JOBS => jobs,
        Ok(_) | Err(_) => {
            tracing::warn!(run = %context.notice.run, "a malformed job is removed");
            // Every worker would find it malformed, so it is not delivered again.
            refuse(broker, message, AckKind::Term);
            return;
        }
    };
    let signs = {
        let (subject, client) = (message.reply.clone(), broker.client.clone());
        broker.runtime.spawn(async move {
            let Some(subject) = subject else { return };
            loop {
                tokio::time::sleep(HEARTBEAT).await;
                // A lost sign does no harm, since `JOB_TIMEOUT` is three intervals.
                _ = client.publish(subject.clone(), AckKind::Progress.into()).await;
            }
        })
    };
    match run_jobs(context, runner, &jobs) {
        Outcome::Done(reports) => {
            if reports.iter().any(|report| report.error.is_some()) {
                let why = reports.iter().find_map(|report| report.error.clone()).unwrap_or_default();
                worker.refuse(&context.notice.run, why);
            }
            send_all(worker, context, &reports, message);
        }
        Outcome::HandedBack => {
            refuse(broker, message, AckKind::Nak(None));
        }
    }
    // Only now, since the jobs must stay with this worker until their results are sent.
    signs.abort();
}

/// Acknowledges a message without results.
fn refuse(broker: &Broker, message: &Message, kind: AckKind) {
    // Without it, the server delivers the message again after some time.
    _ = broker.request(async { message.ack_with(kind).await.asked("take a job back") });
}

/// Sends the results, again and again while the server is away. If the run or the worker ends meanwhile,
/// another worker will get the jobs, since they are not acknowledged.
fn send_all(worker: &Worker, context: &RunContext, reports: &[JobReport], message: &Message) {
    while let Err(error) = worker.broker.request(send(worker, context, reports.to_vec(), message)) {
        tracing::debug!(run = %context.notice.run, %error, "results can't be sent; trying again");
        if context.stop.is_raised() || worker.stop.at_once.is_raised() {
            tracing::warn!(run = %context.notice.run, %error, "results can't be sent");
            return;
        }
        std::thread::sleep(PAUSE);
    }
    worker.done.fetch_add(reports.len() as u64, Relaxed);
}

fn run_jobs(context: &RunContext, runner: &mut JobRunner<'_>, jobs: &[HandedJob]) -> Outcome {
    let mut reports = Vec::new();
    let mut failure = None;
    for HandedJob { part, job, token, options } in jobs.iter().cloned() {
        let key = JobKey { part: part as usize, job: job as usize };
        let report = JobReport { part, job, token, result: None, traffic: None, error: None };
        if !context.jobs.is_missing(key) {
            reports.push(JobReport { error: Some("the run has no such job".to_owned()), ..report });
            continue;
        }
        if failure.is_some() {
            // Without a report the coordinator would wait for the job.
            reports.push(JobReport { error: failure.clone(), ..report });
            continue;
        }
        match runner.run(&ReadyJob { key, options: GameOptions(options) }) {
            Ok(done) => reports.push(JobReport {
                result: Some(rows::write_result(&done.result)),
                traffic: done.traffic.as_ref().map(rows::write_traffic),
                ..report
            }),
            // Finished jobs are handed back, too: the message is acknowledged as a whole.
            Err(RunJobError::Interrupted) => return Outcome::HandedBack,
            Err(RunJobError::Run(error)) => {
                failure = Some(error.to_string());
                reports.push(JobReport { error: failure.clone(), ..report });
            }
        }
    }
    Outcome::Done(reports)
}

/// Sends the results, waits until the server has them, and acknowledges the jobs.
async fn send(
    worker: &Worker,
    context: &RunContext,
    jobs: Vec<JobReport>,
    message: &Message,
) -> Result<(), BrokerError> {
    let run = &context.notice.run;
    let result = |jobs| ResultMessage {
        version: VERSION,
        run: run.clone(),
        worker: worker.options.name.clone(),
        jobs,
    };
    let sealed = |message: &ResultMessage| -> Result<Vec<u8>, MessageError> {
        worker.options.key.sign(run, &protocol::encode(message)?)
    };
    let packed = match sealed(&result(jobs.clone())) {
        Ok(packed) => vec![packed],
        // Each job on its own; one that is too large even so is reported as such.
        Err(_) => jobs
            .into_iter()
            .map(|report| {
                let JobReport { part, job, token, .. } = report.clone();
                sealed(&result(vec![report])).or_else(|error| {
                    let error = Some(error.to_string());
                    sealed(&result(vec![JobReport { part, job, token, result: None, traffic: None, error }]))
                })
            })
            .collect::<Result<_, _>>()
            .asked("take the results")?,
    };
    for packed in packed {
        let sent = worker.broker.jetstream.publish(run.results_subject(), packed.into()).await;
        sent.asked("take the results")?.await.asked("take the results")?;
    }
    // If the worker ends before this line, another one does the jobs again, and each still counts once.
    message.ack().await.asked("acknowledge the jobs")
}
