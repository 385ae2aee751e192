//! Watches the workers and the queue of a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::announcement::job_queue;
use super::failure::{Failure, fail};
use crate::broker::{Broker, in_time};
use crate::protocol::{RunId, WorkerName, WorkerNotice, one_line};
use crate::status;

/// How often the queue of jobs is looked at.
const QUEUE_CHECK_INTERVAL: Duration = Duration::from_secs(10);
/// How often the workers are looked at.
const WORKER_CHECK_INTERVAL: Duration = Duration::from_secs(2);
/// How many looks find no worker before that is said.
const LOOKS_WITHOUT_WORKER: u32 = 3;
/// The most workers that are named.
const MOST_NAMED: usize = 3;

/// Keeps the number of slots of all workers, and says why none works for the run.
pub(super) async fn watch_workers(broker: Arc<Broker>, run: RunId, slots: Arc<AtomicU64>) {
    let (mut looks, mut said) = (0, String::new());
    loop {
        // `watch_queue` asks the same server, and reports that it is away.
        if let Ok(workers) = in_time(status::workers(&broker)).await {
            let sum = workers.iter().map(|(_, worker)| u64::from(worker.slots)).sum();
            slots.store(sum, Relaxed);
            looks = if workers.is_empty() { looks + 1 } else { 0 };
            let now = if looks >= LOOKS_WITHOUT_WORKER {
                "there is no worker; start one with `threefold fleet work`".to_owned()
            } else {
                refusals(&run, &workers).unwrap_or_default()
            };
            if now != said {
                said.clone_from(&now);
                if !now.is_empty() {
                    tracing::warn!(%run, "waiting: {now}");
                }
            }
        }
        tokio::time::sleep(WORKER_CHECK_INTERVAL).await;
    }
}

/// Why no worker takes a run; `None` if one does, or if there is none.
fn refusals(run: &RunId, workers: &[(WorkerName, WorkerNotice)]) -> Option<String> {
    let reason = |(name, worker): &(WorkerName, WorkerNotice)| {
        let (_, why) = worker.refused.iter().find(|(refused, _)| refused == run)?;
        Some(format!("{name}: {}", one_line(why)))
    };
    let reasons: Vec<String> = workers.iter().map(reason).collect::<Option<_>>()?;
    let named = reasons.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join("; ");
    let others = reasons.len().saturating_sub(MOST_NAMED);
    let others = if others == 0 { String::new() } else { format!("; and {others} others") };
    (!reasons.is_empty()).then(|| format!("no worker works for this run: {named}{others}"))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::VERSION;

    fn worker(name: &str, refused: &[(&RunId, &str)]) -> (WorkerName, WorkerNotice) {
        let notice = WorkerNotice {
            version: VERSION,
            number: 1,
            slots: 1,
            speed: 1,
            machine: String::new(),
            program: String::new(),
            done: 0,
            refused: refused.iter().map(|(run, why)| ((*run).clone(), (*why).to_owned())).collect(),
        };
        (WorkerName::near(name), notice)
    }

    #[test]
    fn refusals_are_shown_if_all_refuse() {
        let [run, other] = [5, 6].map(|begun| RunId::new("spec", begun));
        let refusing = worker("a", &[(&run, "not\nallowed")]);
        assert_eq!(refusals(&run, &[]), None);
        assert_eq!(
            refusals(&run, std::slice::from_ref(&refusing)).as_deref(),
            Some("no worker works for this run: a: not␊allowed")
        );
        assert_eq!(refusals(&run, &[refusing.clone(), worker("b", &[(&other, "no")])]), None);
        let five: Vec<_> = (0..5).map(|_| refusing.clone()).collect();
        assert!(refusals(&run, &five).is_some_and(|text| text.ends_with("; and 2 others")));
    }
}
