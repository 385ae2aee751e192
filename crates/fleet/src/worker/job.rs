//! The jobs of one run in one slot of a worker.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;

use threefold_chess::clock::ClockSource;
use threefold_harness::player::{EngineSpec, LaunchOptions};
use threefold_harness::run::JobKey;
use threefold_harness::run::journal::rows;
use threefold_harness::run::pool::{JobRunner, RunJobError};

use super::run_context::RunContext;
use super::{SLICE, Worker};
use crate::broker::{Asked, BrokerError, HEARTBEAT};
use crate::clock;
use crate::protocol::{self, JobMessage, JobReport, ResultMessage, VERSION};

/// How long a slot waits for a job of a run.
const WAIT: Duration = Duration::from_millis(300);

/// How the jobs of a message ended.
enum Outcome {
    /// Each has a report.
    Done(Vec<JobReport>),
    /// They were interrupted, and another worker shall do them.
    HandedBack,
}

/// Works for a run until its queue is empty, a slice of time is over, or the worker or the run ends. Returns the time spent on
/// jobs.
pub(super) fn serve(worker: &Worker, context: &RunContext) -> Duration {
    let begun = clock::now();
    let mut used = Duration::ZERO;
    let stop = context.stop.clone();
    let queue = match worker.broker.runtime.block_on(open_queue(worker, context)) {
        Ok(queue) => queue,
        Err(error) => {
            tracing::warn!(run = %context.notice.run, %error, "trying again");
            return used;
        }
    };
    let launch = |spec: &EngineSpec, options: &LaunchOptions| context.engines.launch(spec, options);
    let mut runner = JobRunner::new(
        &context.prepared,
        &context.tables,
        &launch,
        LaunchOptions::new(ClockSource::Wall, stop.clone()),
    );
    while begun.elapsed() < SLICE && !worker.stop.drain.is_raised() && !stop.is_raised() {
        let taken = worker.broker.runtime.block_on(take(&queue));
        let message = match taken {
            Ok(Some(message)) => message,
            Ok(None) => break,
            Err(error) => {
                // The queue of a run that ends is removed.
                tracing::debug!(run = %context.notice.run, %error, "no job can be taken; trying again");
                _ = worker.stop.drain.sleep(Duration::from_secs(1));
                break;
            }
        };
        let since = clock::now();
        work_on(worker, context, &mut runner, &message);
        used += since.elapsed().max(Duration::from_micros(1));
    }
    used
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
            _ = broker.runtime.block_on(message.ack_with(AckKind::Term));
            return;
        }
    };
    let signs = {
        let (subject, client) = (message.reply.clone(), broker.client.clone());
        broker.runtime.spawn(async move {
            let Some(subject) = subject else { return };
            loop {
                tokio::time::sleep(HEARTBEAT).await;
                _ = client.publish(subject.clone(), AckKind::Progress.into()).await;
            }
        })
    };
    let outcome = run_jobs(context, runner, &jobs);
    signs.abort();
    match outcome {
        Outcome::Done(reports) => {
            if reports.iter().any(|report| report.error.is_some()) {
                let why = reports.iter().find_map(|report| report.error.clone()).unwrap_or_default();
                worker.refuse(&context.notice.run, why);
            }
            let count = reports.len() as u64;
            match broker.runtime.block_on(send(worker, context, reports, message)) {
                Ok(()) => _ = worker.done.fetch_add(count, Relaxed),
                // Another worker will get the jobs, since they are not acknowledged.
                Err(error) => tracing::warn!(run = %context.notice.run, %error, "results can't be sent"),
            }
        }
        Outcome::HandedBack => {
            _ = broker.runtime.block_on(message.ack_with(AckKind::Nak(None)));
        }
    }
}

fn run_jobs(context: &RunContext, runner: &mut JobRunner<'_>, jobs: &[[u32; 2]]) -> Outcome {
    let mut reports = Vec::new();
    for &[part, job] in jobs {
        let key = JobKey { part: part as usize, job: job as usize };
        let report = JobReport { part, job, result: None, traffic: None, error: None };
        if !context.jobs.is_missing(key) {
            reports.push(JobReport { error: Some("the run has no such job".to_owned()), ..report });
            continue;
        }
        match runner.run(key) {
            Ok(done) => reports.push(JobReport {
                result: Some(rows::write_result(&done.result)),
                traffic: done.traffic.as_ref().map(rows::write_traffic),
                ..report
            }),
            Err(RunJobError::Interrupted) => return Outcome::HandedBack,
            Err(RunJobError::Run(error)) => {
                reports.push(JobReport { error: Some(error.to_string()), ..report });
                return Outcome::Done(reports);
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
        number: worker.number,
        jobs,
    };
    let packed = match protocol::encode(&result(jobs.clone())) {
        Ok(packed) => vec![packed],
        // Each job on its own; one that is too large even so is reported as such.
        Err(_) => jobs
            .into_iter()
            .map(|report| {
                let JobReport { part, job, .. } = report;
                protocol::encode(&result(vec![report])).or_else(|error| {
                    let error = Some(error.to_string());
                    protocol::encode(&result(vec![JobReport {
                        part,
                        job,
                        result: None,
                        traffic: None,
                        error,
                    }]))
                })
            })
            .collect::<Result<_, _>>()
            .asked("take the results")?,
    };
    for packed in packed {
        let sent = worker.broker.jetstream.publish(run.results_subject(), packed.into()).await;
        sent.asked("take the results")?.await.asked("take the results")?;
    }
    message.ack().await.asked("acknowledge the jobs")
}
