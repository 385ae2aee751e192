//! The order of the games of several takes: batches of trials, each of one take.
//!
//! The take of batch b is drawn when all batches up to b - A have ended, where A is the number of batches
//! ahead. So A batches can be played at a time, and the order of the batches depends on neither the number of
//! workers nor on which games end first.

use std::collections::VecDeque;

use super::{TakePosterior, next_take};

/// How trials form batches. Part of a run's specification: other numbers are another order of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchRule {
    /// The seed of the draws.
    pub seed: u64,
    /// The trials of a batch, from 1.
    pub trials: u64,
    /// The number of batches that are drawn before the first of them has ended, from 1.
    pub ahead: usize,
}

impl BatchRule {
    /// Batches of 8 trials, 8 of them at a time: of pairs that are 128 games, enough for as many workers.
    pub const fn usual(seed: u64) -> Self {
        Self { seed, trials: 8, ahead: 8 }
    }
}

/// Some trials of a take, one after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakeBatch {
    /// The index of the take.
    pub take: usize,
    /// Its first trial, from 0.
    pub first: u64,
    /// The number of trials, from 1.
    pub trials: u64,
}

/// The batches that have not ended, in order.
///
/// ```
/// use threefold_stats::takes::{BatchRule, TakePosterior, TakeSchedule};
///
/// let prior = Some(TakePosterior { mean: 0.0, deviation: 1.0 });
/// let mut schedule = TakeSchedule::new(BatchRule::usual(1), vec![100, 100], &[prior, prior]);
/// assert_eq!(schedule.waiting().count(), 8);
/// // The first batch has ended, and the first take is out.
/// schedule.advance(&[None, prior]);
/// assert_eq!(schedule.waiting().last().map(|batch| batch.take), Some(1));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakeSchedule {
    rule: BatchRule,
    /// The largest number of trials of each take.
    limits: Vec<u64>,
    /// The trials of each take in all batches so far.
    allotted: Vec<u64>,
    /// The number of batches so far.
    drawn: u64,
    waiting: VecDeque<TakeBatch>,
}

impl TakeSchedule {
    /// The first batches of takes with these largest numbers of trials. `None` in `takes` is a take that is
    /// out.
    pub fn new(rule: BatchRule, limits: Vec<u64>, takes: &[Option<TakePosterior>]) -> Self {
        let (allotted, waiting) = (vec![0; limits.len()], VecDeque::new());
        let mut schedule = Self { rule, limits, allotted, drawn: 0, waiting };
        schedule.fill(takes);
        schedule
    }

    /// The batch whose trials count next; `None` if no take has trials left.
    pub fn first(&self) -> Option<TakeBatch> {
        self.waiting.front().copied()
    }

    /// All batches that can be played now, in order.
    pub fn waiting(&self) -> impl Iterator<Item = TakeBatch> {
        self.waiting.iter().copied()
    }

    /// The first batch has ended; draws the next one.
    pub fn advance(&mut self, takes: &[Option<TakePosterior>]) {
        self.waiting.pop_front();
        self.fill(takes);
    }

    fn fill(&mut self, takes: &[Option<TakePosterior>]) {
        while self.waiting.len() < self.rule.ahead.max(1) {
            let left = |take: usize| self.limits[take].saturating_sub(self.allotted[take]);
            let candidates =
                takes.iter().enumerate().map(|(take, posterior)| posterior.filter(|_| left(take) > 0));
            let candidates: Vec<Option<TakePosterior>> = candidates.collect();
            let Some(take) = next_take(&candidates, self.rule.seed, self.drawn) else { return };
            let batch = TakeBatch {
                take,
                first: self.allotted[take],
                trials: self.rule.trials.max(1).min(left(take)),
            };
            self.drawn += 1;
            self.allotted[take] += batch.trials;
            self.waiting.push_back(batch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRIOR: Option<TakePosterior> = Some(TakePosterior { mean: 0.0, deviation: 1.0 });

    fn play(rule: BatchRule, limits: &[u64]) -> Vec<TakeBatch> {
        let takes = vec![PRIOR; limits.len()];
        let mut schedule = TakeSchedule::new(rule, limits.to_vec(), &takes);
        let mut played = Vec::new();
        while let Some(batch) = schedule.first() {
            assert!(schedule.waiting().count() <= rule.ahead);
            played.push(batch);
            schedule.advance(&takes);
        }
        played
    }

    #[test]
    fn every_trial_is_in_one_batch_in_order() {
        for (ahead, trials) in [(1, 1), (3, 4), (8, 8), (100, 7)] {
            let limits = [50, 0, 33];
            let mut next = [0; 3];
            for batch in play(BatchRule { seed: 5, trials, ahead }, &limits) {
                assert_eq!(batch.first, next[batch.take], "{batch:?}");
                assert!((1..=trials).contains(&batch.trials));
                next[batch.take] += batch.trials;
            }
            assert_eq!(next, limits);
        }
    }

    #[test]
    fn batch_depends_on_results_that_are_old_enough_only() {
        let good = Some(TakePosterior { mean: 9.0, deviation: 1.0 });
        let rule = BatchRule { seed: 2, trials: 1, ahead: 4 };
        let mut schedule = TakeSchedule::new(rule, vec![1_000, 1_000], &[PRIOR, PRIOR]);
        let before: Vec<TakeBatch> = schedule.waiting().collect();
        // The second take turns out to be better: batches that were drawn before stay.
        schedule.advance(&[PRIOR, good]);
        let after: Vec<TakeBatch> = schedule.waiting().collect();
        assert_eq!(after[..3], before[1..]);
        assert_eq!(after[3].take, 1);
    }
}
