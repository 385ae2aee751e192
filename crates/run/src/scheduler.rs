//! The scheduler: which job is next, and which results count.
//!
//! It is a pure function of the results so far, which may arrive in any order. The complete prefix of the
//! schedule counts, never the order of arrival. So a sequential test stops at the same pair with one worker
//! or many, interrupted or not, and quick games are not counted before slow ones. Games that were running
//! beyond that pair are recorded, but not counted.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::game_options::{GameOptions, ReadyJob};
use super::job::JobKey;
pub use super::part_extent::{PartEnding, PartExtent, PartProgress};
use super::part_state::{JobOutcome, PartState};
use super::shard::Shard;
use super::takes::TakesState;
use super::takes_rule::TakesRule;
pub use super::test_state::{TestState, TestStep};
use super::tune_rule::TuneRule;
use super::tune_state::{TUNE_PART, TuneState};

/// The scheduler's decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    /// Run this job.
    Run(JobKey),
    /// Wait until a running job has ended.
    Wait,
    /// No job is left.
    Done,
}

/// The status of a run whose workers have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunStatus {
    /// All jobs are done.
    Finished,
    /// All jobs of this shard are done; the others do the rest.
    ShardFinished,
    /// It was interrupted; the journal has the finished jobs, and the run can be resumed.
    Interrupted,
}

/// The scheduler of a run.
#[derive(Debug, Clone)]
pub struct Scheduler {
    parts: Vec<PartState>,
    /// The shard whose jobs it gives out; `None` for a whole run.
    shard: Option<Shard>,
    /// The order of the games, if the parts are takes that share them.
    takes: Option<TakesState>,
    /// The values of the games of the first part, if it tunes.
    tune: Option<TuneState>,
}

impl Scheduler {
    /// A scheduler with no job done.
    pub fn new(extents: impl IntoIterator<Item = PartExtent>) -> Self {
        let parts = extents.into_iter().map(PartState::new).collect();
        let mut scheduler = Self { parts, shard: None, takes: None, tune: None };
        scheduler.count_failed_cases();
        scheduler
    }

    /// The same for a shard, whose parts have its shares already.
    #[must_use]
    pub fn of_shard(self, shard: Option<Shard>) -> Self {
        Self { shard, ..self }
    }

    /// The same for several takes, which share the games of a run with this seed.
    #[must_use]
    pub fn with_takes(self, takes: Option<TakesRule>, seed: u64) -> Self {
        let takes = takes.map(|rule| TakesState::new(rule.batches(seed), rule.end, &self.parts));
        Self { takes, ..self }
    }

    /// The same for a run with this seed whose first part tunes.
    #[must_use]
    pub fn with_tune(self, rule: Option<&Arc<TuneRule>>, seed: u64) -> Self {
        Self { tune: rule.map(|rule| TuneState::new(rule, seed)), ..self }
    }

    /// Records that a job has ended, with the first engine's result if it is a game of a sequential test. An
    /// unknown job, or one that has ended before, changes nothing.
    ///
    /// Returns the jobs of several takes that count now, in order; none of another run.
    pub fn record(&mut self, key: JobKey, outcome: JobOutcome) -> Vec<JobKey> {
        if let Some(takes) = &mut self.takes {
            return takes.record(&mut self.parts, key, outcome);
        }
        if let Some(part) = self.parts.get_mut(key.part) {
            part.record(key.job, outcome);
            if let Some(tune) = self.tune.as_mut().filter(|_| key.part == TUNE_PART) {
                tune.advance(part.progress().counted, |job| {
                    part.outcome(job).filter(|outcome| outcome.fault.is_none())?.result
                });
            }
            if part.ending().is_some() {
                self.count_failed_cases();
            }
        }
        Vec::new()
    }

    /// The jobs of several takes that count, in the order in which they count; `None` for another run, whose
    /// order is that of the keys.
    pub fn counted_order(&self) -> Option<&[JobKey]> {
        self.takes.as_ref().map(TakesState::order)
    }

    /// Passes the number of cases that did not pass on to the next part, once a part is over. So a run that
    /// stops after a number of them stops at the same case with any number of workers.
    fn count_failed_cases(&mut self) {
        let mut failed = 0;
        for part in &mut self.parts {
            part.count_after(failed);
            if part.ending().is_none_or(PartEnding::stops_run) {
                return;
            }
            failed = part.failed();
        }
    }

    /// The next decision, given the running jobs.
    pub fn next_step(&self, under_way: &BTreeSet<JobKey>) -> NextStep {
        match self.wanted().find(|key| !under_way.contains(key)) {
            Some(key) => NextStep::Run(key),
            None if self.is_over() => NextStep::Done,
            None => NextStep::Wait,
        }
    }

    /// The jobs that are still to be done, in order; running ones among them.
    pub fn wanted(&self) -> impl Iterator<Item = JobKey> {
        let takes = self.takes.iter().flat_map(|takes| takes.wanted(&self.parts));
        let open = self.reached_parts().filter(|(_, part)| self.takes.is_none() && part.is_open());
        takes.chain(open.flat_map(|(part, state)| {
            let open = self.open_until(part);
            state.missing().take_while(move |&job| job < open).map(move |job| JobKey { part, job })
        }))
    }

    /// Is this job still to be done? Not if it has ended, nor if its part is over without it.
    pub fn is_wanted(&self, key: JobKey) -> bool {
        if let Some(takes) = &self.takes {
            return takes.wanted(&self.parts).any(|wanted| wanted == key);
        }
        let is_wanted =
            |part: &PartState| self.reach().has(key.part, part) && part.is_open() && part.is_missing(key.job);
        self.parts.get(key.part).is_some_and(is_wanted) && key.job < self.open_until(key.part)
    }

    /// The jobs of a part before this one can be done now; those of a tune depend on earlier results.
    fn open_until(&self, part: usize) -> usize {
        self.tune.as_ref().filter(|_| part == TUNE_PART).map_or(usize::MAX, TuneState::open_until)
    }

    /// A job that can be done now, with the options of its engines where they differ from game to game.
    pub fn ready(&self, key: JobKey) -> ReadyJob {
        let tune = self.tune.as_ref().filter(|_| key.part == TUNE_PART);
        let options = tune.map_or_else(GameOptions::default, |tune| tune.options(key.job));
        ReadyJob { key, options }
    }

    /// Is this a job of the run that has not ended, wanted or not?
    pub fn is_missing(&self, key: JobKey) -> bool {
        // A result that waits for its turn is in the journal already.
        let is_held = self.takes.as_ref().is_some_and(|takes| takes.holds(key));
        !is_held && self.parts.get(key.part).is_some_and(|part| part.is_missing(key.job))
    }

    /// The progress of a part; `None` if there is no such part.
    pub fn progress(&self, part: usize) -> Option<PartProgress<'_>> {
        let state = self.parts.get(part)?;
        let is_reached = self.reach().has(part, state);
        let progress = if is_reached { state.progress() } else { state.not_reached() };
        // Results that wait for their turn have ended, too.
        let held = self.takes.as_ref().map_or(0, |takes| takes.held(part));
        let tune = self.tune.as_ref().filter(|_| part == TUNE_PART);
        Some(PartProgress { ended: progress.ended + held, tune, ..progress })
    }

    /// The progress of every part, in order.
    pub fn parts(&self) -> impl Iterator<Item = PartProgress<'_>> {
        (0..self.parts.len()).filter_map(|part| self.progress(part))
    }

    /// Is every part over, or the run stopped? A shard does not know.
    pub fn is_done(&self) -> bool {
        self.shard.is_none() && self.reached_parts().all(|(_, part)| part.ending().is_some())
    }

    /// The status once no job is under way.
    pub fn status(&self) -> RunStatus {
        if self.is_done() {
            RunStatus::Finished
        } else if self.shard.is_some() && self.is_over() {
            RunStatus::ShardFinished
        } else {
            RunStatus::Interrupted
        }
    }

    /// Is no job left for this process? The others of a run may be those of other shards.
    pub fn is_over(&self) -> bool {
        // A running job is wanted until it has ended, or until its part is over without it.
        self.wanted().next().is_none()
    }

    /// Has a shard too many engine faults of its own?
    pub fn is_stopped_shard(&self) -> bool {
        self.shard.is_some() && self.parts.iter().any(PartState::stops_run)
    }

    /// The largest number of jobs left: a test may be decided before its last.
    pub fn remaining(&self) -> usize {
        let open = self.reached_parts().filter(|(_, part)| part.is_open());
        open.map(|(_, part)| part.missing().count()).sum()
    }

    /// The parts that the run reaches, with their numbers.
    fn reached_parts(&self) -> impl Iterator<Item = (usize, &PartState)> {
        let reach = self.reach();
        self.parts.iter().enumerate().filter(move |(number, part)| reach.has(*number, part))
    }

    fn reach(&self) -> Reach {
        // A take with too many faults leaves; the others go on.
        let stops = |part: &PartState| self.takes.is_none() && part.stops_run();
        let first = self.parts.iter().position(stops);
        let parts = first.map_or(self.parts.len(), |part| part + 1);
        // Too many engine faults stop all that follows, lost cases included.
        let goes_on = first.is_some_and(|part| self.parts[part].ending() == Some(PartEnding::FailedCases));
        // These parts have no number of failed cases to stop after, so only engine faults end them early.
        let next = self.parts[parts..].iter().position(|part| part.is_asked_again() && part.stops_run());
        let asked_again = next.map_or(self.parts.len(), |part| parts + part + 1);
        Reach { parts, asked_again: if goes_on { asked_again } else { parts } }
    }
}

/// The parts that a run reaches.
#[derive(Debug, Clone, Copy)]
struct Reach {
    /// All parts before this one: up to the first that stops the run.
    parts: usize,
    /// Of the later ones, those before this one that ask lost cases again: failed cases stop the plan, not the questions about
    /// them.
    asked_again: usize,
}

impl Reach {
    fn has(self, number: usize, part: &PartState) -> bool {
        number < self.parts || number < self.asked_again && part.is_asked_again()
    }
}
