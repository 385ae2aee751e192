//! The worker's side: it takes jobs from the queues of all runs, runs them, and sends the results back.

mod assignment;
mod engines;
mod job;
mod load_error;
mod received;
mod run_context;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use threefold_chess::clock::Stop;

use self::assignment::Shares;
pub use self::engines::EngineOptions;
use self::load_error::LoadError;
use self::run_context::RunContext;
use crate::broker::{Asked, Broker, BrokerError, HEARTBEAT};
use crate::protocol::{self, RunId, RunNotice, VERSION, WorkerName, WorkerNotice};
use crate::sender::WorkerKey;
use crate::status;

/// How long a slot works for one run before it looks at the others.
pub(crate) const SLICE: Duration = Duration::from_secs(10);
/// How long a worker waits before it tries again what the server did not do.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);
/// How often a worker without jobs looks for runs.
const IDLE: Duration = Duration::from_millis(500);

/// What a worker is, and what it may do.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// Its name, unique in the fleet.
    pub name: WorkerName,
    /// Its key, which signs its results.
    pub key: WorkerKey,
    /// The jobs at a time.
    pub slots: NonZeroUsize,
    /// The node count of this program's `bench`.
    pub bench: u64,
    /// The speed of this machine with all slots busy, in nodes per second of Echo's `bench`.
    pub speed: u64,
    /// Operating system and processor architecture.
    pub machine: String,
    /// The version of threefold.
    pub program: String,
    /// What it may run, and how.
    pub engines: EngineOptions,
    /// End once there has been no run for this time; `None` to wait for ever.
    pub until_idle: Option<Duration>,
}

/// How a worker is asked to end.
#[derive(Debug, Clone, Default)]
pub struct WorkerStop {
    /// Raised at the first Ctrl-C: present jobs are finished, and no others are taken.
    pub drain: Stop,
    /// Raised at the second: present jobs are handed back.
    pub at_once: Stop,
}

/// What all slots of a worker share.
pub(crate) struct Worker {
    pub(crate) broker: Broker,
    pub(crate) options: WorkerOptions,
    /// The number of this worker.
    number: AtomicU32,
    pub(crate) stop: WorkerStop,
    pub(crate) done: AtomicU64,
    /// The runs as last seen, the first to be served first.
    runs: Mutex<Vec<RunNotice>>,
    /// The prepared runs.
    contexts: Mutex<BTreeMap<RunId, Arc<RunContext>>>,
    /// Held by the slot that prepares a run.
    preparing: Mutex<()>,
    /// The runs that this worker does not work for, and why.
    refused: Mutex<BTreeMap<RunId, String>>,
    /// The server answered when it was asked last.
    is_connected: AtomicBool,
    shares: Mutex<Shares>,
    /// The slots that have not ended.
    slots_left: AtomicUsize,
    /// A report must be sent before the next regular sign of life.
    has_news: AtomicBool,
}

/// Works until it is asked to end, or until there has been no run for the time of
/// [`WorkerOptions::until_idle`]. Returns the number of jobs done.
///
/// # Errors
///
/// If the server refuses this worker.
pub fn work(broker: Broker, options: WorkerOptions, stop: WorkerStop) -> Result<u64, BrokerError> {
    let Some(number) = wait_for_number(&broker, &options, &stop)? else { return Ok(0) };
    let worker = Worker {
        broker,
        options,
        number: AtomicU32::new(number),
        stop,
        done: AtomicU64::new(0),
        runs: Mutex::default(),
        contexts: Mutex::default(),
        preparing: Mutex::default(),
        refused: Mutex::default(),
        is_connected: AtomicBool::new(true),
        shares: Mutex::default(),
        slots_left: AtomicUsize::new(0),
        has_news: AtomicBool::new(false),
    };
    tracing::info!(name = %worker.options.name, number, slots = worker.options.slots, "worker is ready");
    thread::scope(|scope| {
        for slot in 0..worker.options.slots.get() {
            let worker = &worker;
            worker.slots_left.fetch_add(1, Relaxed);
            let run = move || {
                let _ended = SlotEnd(&worker.slots_left);
                worker.work_in_slot();
            };
            let started = thread::Builder::new().name(format!("slot {slot}")).spawn_scoped(scope, run);
            if let Err(error) = started {
                // The scope waits for the slots that have started.
                worker.stop.drain.raise();
                return Err(error).asked("start a thread");
            }
        }
        worker.attend();
        Ok(())
    })?;
    worker.broker.request(async {
        let workers = worker.broker.bucket(protocol::WORKERS).await?;
        // Otherwise the worker would be listed until its entry expires.
        workers.delete(worker.options.name.to_string()).await.asked("sign off")?;
        worker.broker.client.flush().await.asked("send the last messages")
    })?;
    Ok(worker.done.load(Relaxed))
}

/// Waits until there is a fleet on the server, and returns the number of this worker; `None` if it is asked
/// to end.
fn wait_for_number(
    broker: &Broker,
    options: &WorkerOptions,
    stop: &WorkerStop,
) -> Result<Option<u32>, BrokerError> {
    let mut is_noticed = false;
    loop {
        match broker.request(number_of(broker, options)) {
            Ok(number) => return Ok(Some(number)),
            Err(error) if is_noticed => tracing::debug!(%error, "still waiting"),
            Err(error) => {
                is_noticed = true;
                tracing::warn!("waiting: {error}");
            }
        }
        if !stop.drain.sleep(Duration::from_secs(1)) {
            return Ok(None);
        }
    }
}

/// The number of a worker: the revision of the entry under its public key.
async fn number_of(broker: &Broker, options: &WorkerOptions) -> Result<u32, BrokerError> {
    let numbers = broker.bucket(protocol::NUMBERS).await?;
    let key = options.key.public();
    if let Some(entry) = numbers.entry(key.clone()).await.asked("read the numbers of workers")? {
        return u32::try_from(entry.revision).asked("number another worker");
    }
    match numbers.create(&key, options.name.to_string().into()).await {
        Ok(revision) => u32::try_from(revision).asked("number another worker"),
        // Another process with this key was quicker.
        Err(_) => match numbers.entry(key).await.asked("read the numbers of workers")? {
            Some(entry) => u32::try_from(entry.revision).asked("number another worker"),
            None => Err(BrokerError::Request {
                what: "give this worker a number".to_owned(),
                cause: "its entry was removed; start the worker again".to_owned(),
            }),
        },
    }
}

/// Counts a slot as ended when it is dropped, even by a panic.
struct SlotEnd<'w>(&'w AtomicUsize);

impl Drop for SlotEnd<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// A lock that a panic of another slot does not spoil.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Worker {
    /// Keeps the list of runs, and publishes the entry of this worker, until all slots have ended.
    fn attend(&self) {
        let mut since_heartbeat = HEARTBEAT;
        let mut since_run = Duration::ZERO;
        let mut pause = IDLE;
        let mut seen = None;
        while self.slots_left.load(Relaxed) > 0 {
            let mut answered = self.look_for_changes(&mut seen);
            if answered.is_ok() {
                // A server that does not answer may have runs, so that time is not idle.
                since_run = if lock(&self.runs).is_empty() { since_run + pause } else { Duration::ZERO };
            }
            if self.has_news.swap(false, Relaxed) || since_heartbeat >= HEARTBEAT {
                since_heartbeat = Duration::ZERO;
                answered = answered.and(self.broker.request(self.give_sign_of_life()));
            }
            self.note_connection(answered);
            if self.options.until_idle.is_some_and(|most| since_run >= most) {
                self.stop.drain.raise();
            }
            if self.stop.at_once.is_raised() {
                // In every round, since a slot may still prepare a run.
                lock(&self.contexts).values().for_each(|context| context.stop.raise());
            }
            // While the worker ends, it must notice the end of its last slot soon.
            pause = if self.stop.drain.is_raised() { IDLE / 10 } else { IDLE };
            thread::sleep(pause);
            since_heartbeat += pause;
        }
    }

    /// Says once that the server is away, and once that it is back.
    fn note_connection(&self, answered: Result<(), BrokerError>) {
        let was_connected = self.is_connected.swap(answered.is_ok(), Relaxed);
        match answered {
            Ok(()) if !was_connected => tracing::warn!("the NATS server answers again"),
            Err(error) if was_connected => {
                tracing::warn!(%error, "the NATS server does not answer; waiting for it");
            }
            Ok(()) | Err(_) => {}
        }
    }

    /// Lists the runs and reads the quarantine, if either has changed since `seen`.
    fn look_for_changes(&self, seen: &mut Option<[u64; 2]>) -> Result<(), BrokerError> {
        // These numbers are read before the lists, so a change in between is seen the next time.
        let now = self.broker.request(async {
            let runs = status::changes(&self.broker, protocol::RUNS).await?;
            Ok([runs, status::changes(&self.broker, protocol::QUARANTINE).await?])
        })?;
        if *seen != Some(now) {
            let runs = self.broker.request(status::runs(&self.broker))?;
            // Before the slots see a new run, which may have put this worker in quarantine. After an error all
            // of it is read again.
            self.heed_quarantine(&runs)?;
            self.take_runs(runs);
            *seen = Some(now);
        }
        Ok(())
    }

    /// Refuses the runs that have put this worker in quarantine.
    fn heed_quarantine(&self, runs: &[RunNotice]) -> Result<(), BrokerError> {
        let known: BTreeSet<RunId> = lock(&self.refused).keys().cloned().collect();
        let key = self.options.key.public();
        for RunNotice { run, .. } in runs.iter().filter(|notice| !known.contains(&notice.run)) {
            if let Some(why) = self.broker.request(status::quarantine(&self.broker, run, &key))? {
                self.refuse(run, format!("quarantine: {why}"));
            }
        }
        Ok(())
    }

    /// Replaces the list of runs; jobs of runs that are gone are interrupted.
    fn take_runs(&self, runs: Vec<RunNotice>) {
        let there: BTreeSet<&RunId> = runs.iter().map(|run| &run.run).collect();
        // A slot adds a run only while it is on the list, so both change together.
        let mut contexts = lock(&self.contexts);
        contexts.retain(|run, context| {
            let stays = there.contains(run);
            if !stays {
                context.stop.raise();
            }
            stays
        });
        lock(&self.refused).retain(|run, _| there.contains(run));
        *lock(&self.runs) = runs;
    }

    /// The number of this worker.
    pub(crate) fn number(&self) -> u32 {
        self.number.load(Relaxed)
    }

    async fn give_sign_of_life(&self) -> Result<(), BrokerError> {
        // A server that has lost its data gives numbers again.
        self.number.store(number_of(&self.broker, &self.options).await?, Relaxed);
        let WorkerOptions { slots, speed, machine, program, .. } = &self.options;
        let notice = WorkerNotice {
            version: VERSION,
            number: self.number(),
            slots: u32::try_from(slots.get()).unwrap_or(u32::MAX),
            speed: *speed,
            machine: machine.clone(),
            program: program.clone(),
            done: self.done.load(Relaxed),
            refused: lock(&self.refused).iter().map(|(run, why)| (run.clone(), why.clone())).collect(),
        };
        let packed = protocol::encode(&notice).asked("be informed of this worker")?;
        let workers = self.broker.bucket(protocol::WORKERS).await?;
        workers
            .put(self.options.name.to_string(), packed.into())
            .await
            .asked("be informed of this worker")?;
        Ok(())
    }

    /// The loop of a slot.
    fn work_in_slot(&self) {
        while !self.stop.drain.is_raised() {
            let runs = self.accepted_runs();
            let order = lock(&self.shares).order(&runs);
            let mut has_worked = false;
            for notice in order {
                match self.context(notice) {
                    Ok(context) => has_worked |= job::serve(self, &context),
                    Err(LoadError::Refused(why)) => self.refuse(&notice.run, why),
                    Err(LoadError::Server(error)) => {
                        tracing::warn!(run = %notice.run, %error, "trying again");
                        _ = self.stop.drain.sleep(RETRY_INTERVAL);
                    }
                }
                // The time of the work was charged, which may change the order.
                if has_worked || self.stop.drain.is_raised() {
                    break;
                }
            }
            if !has_worked {
                _ = self.stop.drain.sleep(IDLE / 10);
            }
        }
    }

    /// Takes no more jobs of a run.
    pub(crate) fn refuse(&self, run: &RunId, why: String) {
        tracing::warn!(%run, why, "this worker does not work for the run");
        lock(&self.refused).entry(run.clone()).or_insert(why);
        self.has_news.store(true, Relaxed);
    }

    /// The runs that this worker works for.
    fn accepted_runs(&self) -> Vec<RunNotice> {
        let refused: BTreeSet<RunId> = lock(&self.refused).keys().cloned().collect();
        lock(&self.runs).iter().filter(|run| !refused.contains(&run.run)).cloned().collect()
    }

    /// Adds the time that a slot has spent on a run.
    pub(crate) fn charge(&self, notice: &RunNotice, used: Duration) {
        lock(&self.shares).charge(notice, used);
    }

    /// Adds the time that a slot has spent on a run. Is the run the next one again?
    pub(crate) fn goes_on(&self, notice: &RunNotice, used: Duration) -> bool {
        self.charge(notice, used);
        let runs = self.accepted_runs();
        let next = lock(&self.shares).order(&runs).first().map(|next| next.run.clone());
        next.as_ref() == Some(&notice.run)
    }

    /// The prepared run, which all slots share.
    fn context(&self, notice: &RunNotice) -> Result<Arc<RunContext>, LoadError> {
        let known = || lock(&self.contexts).get(&notice.run).map(Arc::clone);
        if let Some(context) = known() {
            return Ok(context);
        }
        // One slot prepares the run, and the others wait. The prepared runs stay free for the thread that gives signs of life.
        let _turn = lock(&self.preparing);
        if let Some(context) = known() {
            return Ok(context);
        }
        let context = Arc::new(RunContext::load(&self.broker, &self.options, notice)?);
        let mut contexts = lock(&self.contexts);
        if lock(&self.runs).iter().any(|there| there.run == notice.run) {
            contexts.insert(notice.run.clone(), Arc::clone(&context));
        } else {
            // It ended in the meantime.
            context.stop.raise();
        }
        Ok(context)
    }
}
