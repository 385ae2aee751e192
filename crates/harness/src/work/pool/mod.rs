//! Carrying jobs: some workers, each with its own players, and one coordinator.
//!
//! The coordinator alone asks the plan, writes the journal and tells what happens; workers know nothing but
//! the job in hand. Calling the run off hands out nothing more and brings back what is under way without a
//! result, so that a journal never holds half a game, nor a loss that an engine owes to the interruption.
//!
//! Both games of a pair go to one worker while there is other work for the rest: what a slow core does to an engine
//! it then does to its opponent as well, and a pair has one slot that its result can be held against. Nothing that
//! counts depends on it.

mod clerk;
mod load;
mod tables;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::SystemTime;

use self::clerk::{Clerk, Done, Halt, preflight};
use super::agenda::{Agenda, OrderError};
use super::event::Event;
use super::job::{JobKey, Order, Slot, Task};
use super::journal::{Journal, JournalError};
use super::plan::{Plan, Step};
use crate::player::traffic::LogPlace;
use crate::player::{self, Build, EngineSpec, Fault, Hiring, Introduction, Notice, Notices, Player};
use threefold_chess::clock::{ClockSource, Stop};
use threefold_oracle::Tables;
use threefold_oracle::tables::TableError;

/// Hires whoever a spec names.
pub type Hire<'c> = dyn Fn(&EngineSpec, &Hiring) -> Result<Box<dyn Player>, Fault> + Sync + 'c;

/// Who does the work, and under which conditions.
pub struct Crew<'c> {
    /// How many jobs are under way at once.
    pub workers: NonZeroUsize,
    /// What players are hired under; the pace is each job's own. Its `stop` calls the whole run off.
    pub hiring: Hiring,
    /// Where players come from.
    pub hire: &'c Hire<'c>,
    /// The time of day, for the journal's stamps.
    pub now: &'c dyn Fn() -> SystemTime,
}

/// How a run came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is left to do.
    Finished,
    /// It was called off; the journal holds what had ended, and the run can be resumed.
    Interrupted,
}

/// Why work stopped before it was done or called off.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The order can't be carried out.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// The journal can't be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// An endgame table that a case needs can't be made.
    #[error(transparent)]
    Tables(#[from] TableError),
    /// The system gives no thread.
    #[error("no thread can be started: {cause}; raise the limit of processes (ulimit -u) or of memory")]
    NoThread {
        /// What the system says.
        cause: io::Error,
    },
    /// An engine can't be started, or not under the conditions it is to play under.
    #[error("engine `{engine}` (`{spec}`): {fault}{}{}", remedy(fault), reference(log.as_deref()))]
    Engine {
        /// Its name.
        engine: String,
        /// Its spec.
        spec: Box<str>,
        /// What happened, with its last words.
        fault: Fault,
        /// Where the log names it, if there is a log.
        log: Option<Box<LogPlace>>,
    },
}

/// What to do about an engine that isn't fit, where the fault itself doesn't say.
const fn remedy(fault: &Fault) -> &'static str {
    match fault {
        Fault::Silent { .. } => "; check that it speaks UCI, or give it more time with --startup",
        Fault::Ended { .. } => "; start it by hand to see why",
        Fault::Breach(_) => "; check that it speaks UCI",
        Fault::CannotStart { .. }
        | Fault::NotStarted { .. }
        | Fault::Option(_)
        | Fault::Lacks(_)
        | Fault::Interrupted => "",
    }
}

/// Refers to the log.
fn reference(log: Option<&LogPlace>) -> String {
    log.map(|place| format!("; see {place}")).unwrap_or_default()
}

impl Crew<'static> {
    /// Workers that hire real players and read the real time of day.
    pub fn new(workers: NonZeroUsize, stop: Stop) -> Self {
        Self { workers, hiring: Hiring::new(ClockSource::Wall, stop), hire: &player::hire, now: &time_of_day }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the journal's stamps are the time of day; nothing depends on it"
)]
fn time_of_day() -> SystemTime {
    SystemTime::now()
}

/// Work that can be done: its order is sound, and every engine it still needs has answered once.
///
/// Getting here writes nothing, so that a wrong path or option is found before there is a journal.
pub struct Ready {
    agenda: Agenda,
    plan: Plan,
    introduced: Vec<(EngineSpec, Introduction)>,
    builds: OnceCell<Vec<Build>>,
}

impl Ready {
    /// For an order of which nothing is done yet.
    pub fn to_begin(order: Arc<Order>, crew: &Crew<'_>) -> Result<Self, WorkError> {
        let agenda = Agenda::read(order)?;
        let plan = agenda.plan();
        Self::after_preflight(agenda, plan, crew)
    }

    /// For what a journal still lacks.
    pub fn to_resume(journal: &Journal, crew: &Crew<'_>) -> Result<Self, WorkError> {
        let agenda = Agenda::read(Arc::clone(journal.order()))?;
        let mut plan = agenda.plan();
        journal.contents().replay(&mut |key, finding| {
            plan.learn(key, agenda.outcome(key, &finding)?);
            Ok(())
        })?;
        Self::after_preflight(agenda, plan, crew)
    }

    fn after_preflight(agenda: Agenda, plan: Plan, crew: &Crew<'_>) -> Result<Self, WorkError> {
        let introduced = preflight(&agenda, &plan, crew)?;
        Ok(Self { agenda, plan, introduced, builds: OnceCell::new() })
    }

    /// The builds of the engines that are still needed. Their files are read in full, once.
    pub fn builds(&self) -> &[Build] {
        let build = |(spec, introduction): &(EngineSpec, Introduction)| Build::of(spec, introduction.clone());
        self.builds.get_or_init(|| self.introduced.iter().map(build).collect())
    }

    /// Does the work, into the journal of the same order.
    pub fn work(
        mut self,
        journal: &mut Journal,
        crew: &Crew<'_>,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Outcome, WorkError> {
        observe(&Event::Opened { parts: &self.plan.parts().collect::<Vec<_>>() });
        if !self.plan.is_done() {
            journal.begin_session(self.builds(), (crew.now)())?;
            let stop = &crew.hiring.stop;
            let Some(tables) = tables::made(&self.agenda, &self.plan, stop, observe)? else {
                return Ok(Outcome::Interrupted);
            };
            lead(Lead { agenda: &self.agenda, plan: &mut self.plan, journal, observe }, crew, &tables)?;
        }
        Ok(if self.plan.is_done() { Outcome::Finished } else { Outcome::Interrupted })
    }
}

/// What the coordinator has in hand.
struct Lead<'l, 'o> {
    agenda: &'l Agenda,
    plan: &'l mut Plan,
    journal: &'l mut Journal,
    observe: &'o mut dyn FnMut(&Event<'_>),
}

/// What a worker sends back.
struct Letter {
    worker: usize,
    key: JobKey,
    result: Result<Done, Halt>,
}

/// What the coordinator hears from workers.
enum Message {
    /// A job is done with.
    Letter(Box<Letter>),
    /// An engine is silent for long.
    Notice(Notice),
}

/// A letter that is posted whatever becomes of the worker, so that nobody waits for one that never comes.
struct Post<'p> {
    letter: Option<Letter>,
    to: &'p Sender<Message>,
}

impl Drop for Post<'_> {
    fn drop(&mut self) {
        if let Some(letter) = self.letter.take() {
            // Nobody reads it only where the coordinator is gone, and then nobody needs to.
            let _ = self.to.send(Message::Letter(Box::new(letter)));
        }
    }
}

/// Puts workers to work until the plan is done or the run is called off: no more of them than there are jobs, and fewer
/// where the system gives no more threads.
fn lead(mut lead: Lead<'_, '_>, crew: &Crew<'_>, tables: &Arc<Tables>) -> Result<(), WorkError> {
    let agenda = lead.agenda;
    let (hire, hiring) = (crew.hire, &crew.hiring);
    thread::scope(|scope| {
        let (post, letters) = channel();
        let mut desks: Vec<Sender<JobKey>> = Vec::new();
        for worker in 0..crew.workers.get().min(lead.plan.remaining()) {
            let (desk, jobs) = channel();
            let post: Sender<Message> = post.clone();
            let notify = post.clone();
            // Sending fails only after the coordinator has ended.
            let notices = Notices::to(move |notice| _ = notify.send(Message::Notice(notice)));
            let hiring = Hiring { notices, ..hiring.clone() };
            let work = move || serve(worker, Clerk::new(agenda, tables, hire, hiring), &jobs, &post);
            match thread::Builder::new().name(format!("worker {worker}")).spawn_scoped(scope, work) {
                Ok(_) => desks.push(desk),
                Err(cause) if desks.is_empty() => return Err(WorkError::NoThread { cause }),
                Err(_) => break,
            }
        }
        drop(post);
        lead.coordinate(&desks, &letters, crew)
    })
}

/// A worker's life: a job, a letter, the next job.
fn serve(worker: usize, mut clerk: Clerk<'_>, jobs: &Receiver<JobKey>, to: &Sender<Message>) {
    for key in jobs {
        let mut post = Post { letter: Some(Letter { worker, key, result: Err(Halt::Interrupted) }), to };
        let result = clerk.perform(key);
        post.letter = Some(Letter { worker, key, result });
    }
}

impl Lead<'_, '_> {
    fn coordinate(
        &mut self,
        desks: &[Sender<JobKey>],
        letters: &Receiver<Message>,
        crew: &Crew<'_>,
    ) -> Result<(), WorkError> {
        let stop = &crew.hiring.stop;
        let mut idle: Vec<usize> = (0..desks.len()).rev().collect();
        let mut under_way = BTreeSet::new();
        let mut kept = BTreeMap::new();
        let mut trouble = None;
        loop {
            while let Some(&worker) = idle.last()
                && !stop.is_raised()
            {
                let Some(key) = self.job_for(worker, &under_way, &mut kept) else { break };
                idle.pop();
                if desks[worker].send(key).is_ok() {
                    under_way.insert(key);
                    (self.observe)(&Event::Began { key });
                }
            }
            if under_way.is_empty() {
                return trouble.map_or(Ok(()), Err);
            }
            let letter = match letters.recv() {
                Ok(Message::Letter(letter)) => *letter,
                Ok(Message::Notice(notice)) => {
                    (self.observe)(&Event::Silent { notice: &notice });
                    continue;
                }
                Err(_) => return trouble.map_or(Ok(()), Err),
            };
            under_way.remove(&letter.key);
            idle.push(letter.worker);
            let taken = match letter.result {
                Ok(done) => self.take(letter.key, Slot(letter.worker), &done, crew),
                Err(Halt::Interrupted) => Ok(()),
                Err(Halt::Trouble(error)) => Err(error),
            };
            if let Err(error) = taken {
                // What is under way can't be of use any more; the first trouble is the one to tell.
                stop.raise();
                trouble.get_or_insert(error);
            }
        }
    }

    /// The worker's next job, and the second game of its pair kept for it: the game kept for this worker, else what
    /// the plan asks for first and nobody keeps, else what another one keeps.
    fn job_for(
        &self,
        worker: usize,
        under_way: &BTreeSet<JobKey>,
        kept: &mut BTreeMap<usize, JobKey>,
    ) -> Option<JobKey> {
        kept.retain(|_, key| self.plan.wants(*key));
        if let Some(key) = kept.remove(&worker) {
            return Some(key);
        }
        let taken: BTreeSet<JobKey> = under_way.iter().chain(kept.values()).copied().collect();
        let Step::Do(key) = self.plan.next_step(&taken) else {
            let Step::Do(key) = self.plan.next_step(under_way) else { return None };
            kept.retain(|_, other| *other != key);
            return Some(key);
        };
        let second = JobKey { job: key.job + 1, ..key };
        let is_first = key.job.is_multiple_of(2);
        let is_game = matches!(self.agenda.order().parts[key.part].task, Task::Match(_));
        if is_game && is_first && !taken.contains(&second) && self.plan.wants(second) {
            kept.insert(worker, second);
        }
        Some(key)
    }

    /// Journals a finding, then lets it count.
    fn take(&mut self, key: JobKey, slot: Slot, done: &Done, crew: &Crew<'_>) -> Result<(), WorkError> {
        let Done { finding, traffic } = done;
        let outcome = self.agenda.outcome(key, finding).expect("a job's own finding is of its kind");
        if let Some(traffic) = traffic {
            self.journal.keep_traffic(key, traffic)?;
        }
        self.journal.record(key, finding, slot, (crew.now)())?;
        self.plan.learn(key, outcome);
        if let Some(progress) = self.plan.progress(key.part) {
            (self.observe)(&Event::Ended { key, finding, progress: &progress });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
