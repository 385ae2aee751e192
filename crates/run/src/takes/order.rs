//! The order in which the games of several takes are played and count.
//!
//! The batches of [`TakeSchedule`] are the order. A result waits until all games before it have ended, then it
//! is passed to its part. So what a take comes to, which batch is next, and the game after which the run ends
//! depend on the results alone.

use std::collections::BTreeMap;

use crate::job::JobKey;
use crate::part_extent::PartEnding;
use crate::part_state::{JobOutcome, PartState};
use threefold_stats::takes::{BatchRule, TakeBatch, TakePosterior, TakeSchedule, TakesEnd};

/// The order of games, and the results that wait.
#[derive(Debug, Clone)]
pub(crate) struct TakesState {
    end: TakesEnd,
    schedule: TakeSchedule,
    /// The pairs or single games of the first batch that count already.
    counted: u64,
    /// Results whose turn has not come, or that came after the end.
    waiting: BTreeMap<JobKey, JobOutcome>,
    /// The jobs that count, in order.
    order: Vec<JobKey>,
}

impl TakesState {
    /// The order of these takes before their first game.
    pub(crate) fn new(rule: BatchRule, end: TakesEnd, parts: &[PartState]) -> Self {
        let limits = parts.iter().map(PartState::trials).collect();
        let schedule = TakeSchedule::new(rule, limits, &posteriors(parts));
        Self { end, schedule, counted: 0, waiting: BTreeMap::new(), order: Vec::new() }
    }

    /// The jobs that count, in the order in which they count.
    pub(crate) fn order(&self) -> &[JobKey] {
        &self.order
    }

    /// Is the result of this job known, but has its turn not come?
    pub(crate) fn holds(&self, key: JobKey) -> bool {
        self.waiting.contains_key(&key)
    }

    /// The results of a part that wait.
    pub(crate) fn held(&self, part: usize) -> usize {
        let jobs = JobKey { part, job: 0 }..JobKey { part: part + 1, job: 0 };
        self.waiting.range(jobs).count()
    }

    /// The jobs that can be done now, in order.
    pub(crate) fn wanted<'s>(&'s self, parts: &'s [PartState]) -> impl Iterator<Item = JobKey> + 's {
        let open = self.schedule.waiting().filter(|batch| parts[batch.take].is_open());
        open.flat_map(move |batch| {
            let jobs = jobs_of(batch, parts[batch.take].games_per_trial());
            let keys = jobs.map(move |job| JobKey { part: batch.take, job });
            keys.filter(|&key| parts[key.part].is_missing(key.job) && !self.holds(key))
        })
    }

    /// Takes the result of a job, and lets those count whose turn has come. Returns the jobs that count now.
    pub(crate) fn record(
        &mut self,
        parts: &mut [PartState],
        key: JobKey,
        outcome: JobOutcome,
    ) -> Vec<JobKey> {
        let before = self.order.len();
        let is_known = |part: &PartState| part.is_missing(key.job) && outcome.result.is_some();
        if parts.get(key.part).is_some_and(is_known) {
            self.waiting.entry(key).or_insert(outcome);
            // The end of a batch lets results of the next one count that have arrived before.
            while self.count_first_batch(parts) {}
        }
        self.order[before..].to_vec()
    }

    /// Counts the first batch as far as possible. Is it over, and another one first?
    fn count_first_batch(&mut self, parts: &mut [PartState]) -> bool {
        let Some(batch) = self.schedule.first() else { return false };
        let step = parts[batch.take].games_per_trial();
        while self.counted < batch.trials && parts[batch.take].is_open() {
            let first = jobs_of(batch, step).start + self.counted as usize * step;
            let keys = (first..first + step).map(|job| JobKey { part: batch.take, job });
            let outcomes: Option<Vec<JobOutcome>> =
                keys.clone().map(|key| self.waiting.get(&key).copied()).collect();
            // A pair counts as a whole, so one finished game waits for the other.
            let Some(outcomes) = outcomes else { return false };
            for (key, outcome) in keys.zip(outcomes) {
                self.waiting.remove(&key);
                parts[batch.take].record(key.job, outcome);
                self.order.push(key);
            }
            self.counted += 1;
        }
        // The batch is over: all of it counts, or its take was decided before its end.
        self.counted = 0;
        if self.end == TakesEnd::FirstPass && parts[batch.take].ending() == Some(PartEnding::AcceptedH1) {
            for part in parts.iter_mut() {
                part.end_with(PartEnding::AnotherPassed);
            }
        }
        self.schedule.advance(&posteriors(parts));
        true
    }
}

/// The games of a batch.
fn jobs_of(batch: TakeBatch, step: usize) -> std::ops::Range<usize> {
    let first = batch.first as usize * step;
    first..first + batch.trials as usize * step
}

/// What is known of each take; `None` for those that are out.
fn posteriors(parts: &[PartState]) -> Vec<Option<TakePosterior>> {
    parts.iter().map(PartState::take_posterior).collect()
}
