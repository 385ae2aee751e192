//! The state of a part: which jobs have ended, which of them count, and whether the part is over.
//!
//! The jobs that count are the complete prefix of the schedule. Pairs (or single games) of a test and faults
//! are counted along that prefix, so neither depends on the order in which jobs end.
//!
//! A test whose players are limited by nodes or depth can only repeat its games once every opening was
//! played. Whether it does is seen from the games themselves, since engines with several threads play others:
//! after some pairs in a row without a new game, it ends.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::distinct_pairs::{CountedTrial, DistinctPairs, PairCounting, PlayedGame};
use super::fault_budget::{FaultBudget, FaultBy, FaultCount, FaultTolerance};
use super::part_extent::{PartEnding, PartExtent, PartProgress};
use super::shard::JobShare;
use super::test_state::{TestState, TestStep};
use threefold_games::game_identity::GameIdentity;
use threefold_games::knockout::EncounterScore;
use threefold_stats::GameResult;
use threefold_stats::takes::TakePosterior;

/// The number of games in a row that repeat earlier ones after which a test ends, once every opening was
/// played.
const REPEATED_GAMES: usize = 8;

/// What the scheduler needs to know of a finished job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JobOutcome {
    /// The first engine's result, if the job is one of its games.
    pub result: Option<GameResult>,
    /// Whose fault ended the job, if there was one.
    pub fault: Option<FaultBy>,
    /// Is it a case that failed, or that a fault ended?
    pub has_failed: bool,
    /// The thinking time of both engines in a game; zero for a case.
    pub thinking: Duration,
    /// Identifies a game by its moves; `None` for a case, or if the moves are not known.
    pub identity: Option<GameIdentity>,
}

impl JobOutcome {
    /// The game; `None` for a case.
    fn played(self) -> Option<PlayedGame> {
        Some(PlayedGame { identity: self.identity, result: self.result?, has_fault: self.fault.is_some() })
    }
}

impl From<Option<GameResult>> for JobOutcome {
    fn from(result: Option<GameResult>) -> Self {
        Self { result, ..Self::default() }
    }
}

/// The state of a part.
#[derive(Debug, Clone)]
pub(super) struct PartState {
    /// By job; `None` while it has not ended.
    ended: Vec<Option<JobOutcome>>,
    /// The number of finished jobs, counted or not.
    ended_jobs: usize,
    /// Every job before this index has ended.
    frontier: usize,
    /// Every job before this index counts.
    counted: usize,
    test: Option<TestState>,
    /// The pairs or single games of the test that count.
    distinct: DistinctPairs,
    /// The games after which every opening was played; `None` if other games can follow.
    book: Option<usize>,
    /// The games of the encounters since the last one with a new game.
    repeated: usize,
    /// The points of the games that count, of an encounter of a knockout tournament.
    encounter: Option<EncounterScore>,
    /// Faults among the jobs that count.
    faults: FaultCount,
    max_faults: Option<FaultBudget>,
    tolerance: FaultTolerance,
    /// The cases that did not pass, in the parts before it and among its jobs that count; `None` until the
    /// parts before it are over, if the run stops after a number of them.
    failed: Option<usize>,
    stop_after: Option<NonZeroUsize>,
    /// Does it ask lost cases again?
    is_asked_again: bool,
    /// The thinking time of a test, if it has such a budget, and what is left of it.
    budget: Option<Duration>,
    time_left: Option<Duration>,
    ending: Option<PartEnding>,
    share: JobShare,
    /// Faults among the jobs of this shard, counted or not.
    shard_faults: FaultCount,
}

impl PartState {
    pub(super) fn new(extent: PartExtent) -> Self {
        let mut part = Self {
            ended: vec![None; extent.jobs],
            ended_jobs: 0,
            frontier: 0,
            counted: 0,
            distinct: DistinctPairs::new(
                extent.counting,
                extent.counting.trials(extent.meeting, extent.test.as_ref()),
            ),
            test: extent.test.map(|rule| TestState::new(rule, extent.counting)),
            // A test that counts every pair continues with repeated ones, as in fastchess and cutechess-cli.
            book: extent.book.filter(|_| extent.counting == PairCounting::Distinct),
            repeated: 0,
            encounter: extent.encounter.map(EncounterScore::new),
            faults: FaultCount::default(),
            max_faults: extent.max_faults,
            tolerance: extent.tolerance,
            failed: if extent.stop_after.is_some() { None } else { Some(0) },
            stop_after: extent.stop_after,
            is_asked_again: extent.is_asked_again,
            budget: extent.budget,
            time_left: extent.budget,
            ending: None,
            share: extent.share,
            shard_faults: FaultCount::default(),
        };
        // A part without jobs is over at once.
        part.advance();
        part
    }

    pub(super) const fn ending(&self) -> Option<PartEnding> {
        self.ending
    }

    /// Does it ask lost cases again?
    pub(super) const fn is_asked_again(&self) -> bool {
        self.is_asked_again
    }

    /// Does the whole run stop here, because of engine faults or of failed cases? The jobs of a shard have gaps, so that hardly any
    /// of them counts. Its own faults stop it if they are too many for the whole part.
    pub(super) fn stops_run(&self) -> bool {
        let is_shard = self.share != JobShare::All;
        let exceeds = |budget| self.shard_faults.exceeded(budget, self.tolerance, self.ended.len()).is_some();
        self.ending.is_some_and(PartEnding::stops_run) || (is_shard && self.max_faults.is_some_and(exceeds))
    }

    /// Are jobs of this part still to be done by this process?
    pub(super) fn is_open(&self) -> bool {
        self.ending.is_none() && self.share != JobShare::Nothing && !self.stops_run()
    }

    /// Ends a part that is not over yet.
    pub(super) fn end_with(&mut self, ending: PartEnding) {
        self.ending.get_or_insert(ending);
    }

    /// What is known of a job that has ended.
    pub(super) fn outcome(&self, job: usize) -> Option<JobOutcome> {
        *self.ended.get(job)?
    }

    /// The games of a pair, or 1 if single games count.
    pub(super) const fn games_per_trial(&self) -> usize {
        self.distinct.games_per_trial()
    }

    /// The largest number of its pairs or single games.
    pub(super) fn trials(&self) -> u64 {
        (self.ended.len() / self.games_per_trial()) as u64
    }

    /// What its test shows of the difference; `None` if it is over or has no test.
    pub(super) fn take_posterior(&self) -> Option<TakePosterior> {
        let test = self.test.as_ref().filter(|_| self.is_open())?;
        Some(TakePosterior::new(test.rule.hypotheses(), test.rule.counts(), test.running.results()))
    }

    /// The cases that did not pass, in the parts before it and among its jobs that count; 0 if their number
    /// does not matter.
    pub(super) fn failed(&self) -> usize {
        self.failed.unwrap_or_default()
    }

    /// Lets the jobs count, after parts in which this number of cases did not pass. Nothing changes if they
    /// count already.
    pub(super) fn count_after(&mut self, failed: usize) {
        if self.failed.is_none() {
            self.failed = Some(failed);
            self.advance();
        }
    }

    pub(super) fn record(&mut self, job: usize, outcome: JobOutcome) {
        // Every game of a test or an encounter has a result for the first engine, so this is none of its
        // games.
        if (self.test.is_some() || self.encounter.is_some()) && outcome.result.is_none() {
            return;
        }
        if let Some(slot @ None) = self.ended.get_mut(job) {
            *slot = Some(outcome);
            self.ended_jobs += 1;
            if let Some(by) = outcome.fault {
                self.shard_faults.add(by);
            }
            self.advance();
        }
    }

    /// Counts the jobs that have joined the complete prefix, until the part is over.
    fn advance(&mut self) {
        // Jobs end in any order. A job counts only when all before it have ended, so the machine's speed
        // decides nothing.
        while self.ended.get(self.frontier).is_some_and(Option::is_some) {
            self.frontier += 1;
        }
        if self.ending.is_none() {
            if self.test.is_some() {
                self.advance_test();
            } else if let Some(score) = self.encounter {
                self.advance_encounter(score);
            } else {
                self.advance_jobs();
            }
        }
    }

    /// Counts job after job; too many faults or failed cases end the part.
    fn advance_jobs(&mut self) {
        let Some(mut failed) = self.failed else { return };
        while self.counted < self.frontier && self.ending.is_none() {
            self.count_fault(self.counted);
            failed += usize::from(self.ended[self.counted].is_some_and(|outcome| outcome.has_failed));
            self.counted += 1;
            let is_last_failure = self.stop_after.is_some_and(|most| failed >= most.get());
            self.ending = self.too_many_faults().or(is_last_failure.then_some(PartEnding::FailedCases));
        }
        self.failed = Some(failed);
        if self.ending.is_none() && self.counted == self.ended.len() {
            self.ending = Some(PartEnding::Complete);
        }
    }

    /// Counts pair after pair, or single game after single game, and stops at a decision. If the same pair
    /// brings too many faults, that ends the part instead.
    fn advance_test(&mut self) {
        let step = self.distinct.games_per_trial();
        while self.counted + step <= self.frontier {
            let thinking =
                self.ended[self.counted..][..step].iter().flatten().map(|outcome| outcome.thinking);
            let thinking: Duration = thinking.sum();
            let left = self.time_left.map(|left| left.saturating_sub(thinking));
            let Some(decision) = self.count_trial(step, left) else { return };
            self.time_left = left;
            for job in self.counted..self.counted + step {
                self.count_fault(job);
            }
            self.counted += step;
            self.ending = self.too_many_faults().or(match decision {
                TestStep::AcceptH1 => Some(PartEnding::AcceptedH1),
                TestStep::AcceptH0 => Some(PartEnding::AcceptedH0),
                TestStep::DependsOnFaults => Some(PartEnding::DependsOnFaults),
                // A decision at the pair that spends the budget still counts.
                TestStep::Continue if self.time_left == Some(Duration::ZERO) => Some(PartEnding::Undecided),
                TestStep::Continue if self.only_repeats() => Some(PartEnding::NoNewGames),
                TestStep::Continue => None,
            });
            if self.ending.is_some() {
                return;
            }
        }
        // The rest of the schedule is too short for another pair.
        self.ending = (self.counted + step > self.ended.len()).then_some(PartEnding::Undecided);
    }

    /// Gives the next pair or single game to the test, if it is a distinct one; `None` for a part that is no
    /// test. `left` is the thinking time that is left after it.
    fn count_trial(&mut self, games: usize, left: Option<Duration>) -> Option<TestStep> {
        let played: Option<Vec<PlayedGame>> =
            self.ended[self.counted..][..games].iter().map(|outcome| (*outcome)?.played()).collect();
        // A pair whose games were all played before is not given to the test, but it does show that the
        // engines only repeat.
        let before = self.distinct.count().distinct_games;
        let counted = self.distinct.add(&played?);
        let is_repeat = self.distinct.count().distinct_games == before;
        self.repeated = if is_repeat { self.repeated + games } else { 0 };
        let share = self.share_used(games, left);
        let test = self.test.as_mut()?;
        Some(counted.map_or(TestStep::Continue, |trial| test.record(CountedTrial { share, ..trial })))
    }

    /// The share of the games or of the time of a test that is used with the next games, from 0 to 1; the larger
    /// one of both, since either ends it.
    fn share_used(&self, games: usize, left: Option<Duration>) -> f64 {
        let of_games = (self.counted + games) as f64 / self.end().max(1) as f64;
        let of_time = self.budget.zip(left).map_or(0.0, |(budget, left)| {
            // The least positive divisor makes a budget of zero a share of 1, not NaN.
            1.0 - left.as_secs_f64() / budget.as_secs_f64().max(f64::MIN_POSITIVE)
        });
        of_games.max(of_time).min(1.0)
    }

    /// Was every opening played, and do the games since then repeat earlier ones?
    fn only_repeats(&self) -> bool {
        self.book.is_some_and(|book| self.counted >= book + REPEATED_GAMES) && self.repeated >= REPEATED_GAMES
    }

    /// Counts game after game until the encounter is decided. If the deciding games bring too many faults,
    /// that ends the part instead.
    fn advance_encounter(&mut self, mut score: EncounterScore) {
        while self.counted < self.frontier && self.ending.is_none() {
            let Some(result) = self.ended[self.counted].and_then(|outcome| outcome.result) else { return };
            score.add(result);
            self.count_fault(self.counted);
            self.counted += 1;
            let is_over = score.leader().is_some() || self.counted == self.ended.len();
            self.ending = self.too_many_faults().or(is_over.then_some(PartEnding::Complete));
        }
        self.encounter = Some(score);
    }

    fn count_fault(&mut self, job: usize) {
        if let Some(by) = self.ended[job].and_then(|outcome| outcome.fault) {
            self.faults.add(by);
        }
    }

    fn too_many_faults(&self) -> Option<PartEnding> {
        self.faults
            .exceeded(self.max_faults?, self.tolerance, self.counted)
            .map(|_| PartEnding::TooManyFaults)
    }

    /// Jobs of this process that have not ended, in order. The odd last game of a test of pairs cannot form one.
    pub(super) fn missing(&self) -> impl Iterator<Item = usize> {
        (self.frontier..self.end()).filter(|&job| self.is_missing(job))
    }

    pub(super) fn is_missing(&self, job: usize) -> bool {
        job < self.end() && self.ended[job].is_none() && self.share.has(job)
    }

    fn end(&self) -> usize {
        match &self.encounter {
            Some(score) => score.horizon().min(self.ended.len()),
            None if self.test.is_some() => {
                self.ended.len() - self.ended.len() % self.distinct.games_per_trial()
            }
            None => self.ended.len(),
        }
    }

    pub(super) fn progress(&self) -> PartProgress<'_> {
        PartProgress {
            ended: self.ended_jobs,
            counted: self.counted,
            jobs: if self.encounter.is_some() { self.end() } else { self.share.count(self.ended.len()) },
            ending: self.ending,
            test: self.test.as_ref(),
            tune: None,
            faults: self.faults,
        }
    }

    /// The progress of a part that is not reached, because an earlier part stopped the run. Which of its jobs
    /// were running at that moment depends on the machine, so none of them counts.
    pub(super) fn not_reached(&self) -> PartProgress<'_> {
        PartProgress {
            counted: 0,
            ending: None,
            test: None,
            faults: FaultCount::default(),
            ..self.progress()
        }
    }
}
