//! The result of a match so far.
//!
//! It counts the complete prefix of the schedule, as the scheduler does: quick games are not counted before
//! slow ones.

use std::time::Duration;

use threefold_games::game::GameRecord;
use threefold_games::pairing::TournamentFormat;
use threefold_report::format;
use threefold_run::distinct_pairs::{DistinctPairs, PairCounting, PlayedGame};
use threefold_run::job::MatchTask;
use threefold_run::{PartProgress, TestState};
use threefold_stats::anytime::mixture;
use threefold_stats::pentanomial::LEAST_UNEQUAL_PAIRS;
use threefold_stats::{Pentanomial, Scoresheet, TrialUnit, elo};

use crate::output::sprt_forecast::ASSUMED;

/// The intervals are 95 % intervals.
const ALPHA: f64 = 0.05;

/// The counted games of a match.
pub(super) struct MatchTally {
    task: MatchTask,
    /// The expected number of games of a test in the worst case, until its own pairs give an estimate.
    worst_case: Option<f64>,
    /// By job: the game of the first engine, if it played, and the thinking time.
    ended: Vec<Option<(Option<PlayedGame>, Duration)>>,
    /// The jobs before this index are counted.
    counted: usize,
    /// Wins, draws and losses of the first engine.
    score: [u64; 3],
    /// The pairs or single games that count.
    distinct: DistinctPairs,
    sheet: Scoresheet,
    thinking: Duration,
}

impl MatchTally {
    /// No games yet.
    pub(super) fn new(task: &MatchTask) -> Self {
        let expected = task.test().and_then(|rule| rule.expected_length(ASSUMED));
        Self {
            task: task.clone(),
            worst_case: expected.map(|expected| expected.at_worst),
            ended: Vec::new(),
            counted: 0,
            score: [0; 3],
            distinct: DistinctPairs::new(PairCounting::Distinct, task.rules.encounter),
            sheet: Scoresheet::default(),
            thinking: Duration::ZERO,
        }
    }

    /// Records a game that has ended.
    pub(super) fn record(&mut self, job: usize, game: &GameRecord) {
        if self.ended.len() <= job {
            self.ended.resize(job + 1, None);
        }
        let played = self.task.result(job, game).map(|result| PlayedGame::new(game, result));
        self.ended[job] = Some((played, MatchTask::thinking_time(game)));
    }

    /// Counts the games before a job.
    pub(super) fn count_to(&mut self, end: usize) {
        while self.counted < end {
            let Some(Some((played, thinking))) = self.ended.get(self.counted).copied() else { return };
            if let Some(played) = played {
                // Wins first.
                self.score[2 - played.result.half_points()] += 1;
            }
            self.thinking += thinking;
            self.counted += 1;
            if self.counted.is_multiple_of(self.distinct.games_per_trial()) {
                self.count_trial();
            }
        }
    }

    /// Counts the pair or single game before [`Self::counted`].
    fn count_trial(&mut self) {
        let games = &self.ended[self.counted - self.distinct.games_per_trial()..self.counted];
        let played: Option<Vec<PlayedGame>> = games.iter().map(|ended| (*ended)?.0).collect();
        if let Some(trial) = played.and_then(|played| self.distinct.add(&played)) {
            self.sheet.record_trial(trial.results);
        }
    }

    /// `W-D-L 40-64-38`, `Elo +3.1 ± 28.1`, `LLR 0.81 of 2.94 (28 %)`, for a test
    /// `Elo +3.1 (95 % at any time: -25.0 to +31.2)`; empty before the first game counts.
    pub(super) fn figures(&self, progress: &PartProgress<'_>) -> Vec<String> {
        if self.counted == 0 || !self.is_of_first_engine() {
            return Vec::new();
        }
        let [wins, draws, losses] = self.score;
        let mut figures = vec![format!("W-D-L {wins}-{draws}-{losses}")];
        figures.extend(self.elo(progress.test));
        figures.extend(progress.test.and_then(|test| statistic(test, self.sheet.pairs())));
        figures
    }

    /// Are the figures those of the first engine? In a round robin it is one of several.
    fn is_of_first_engine(&self) -> bool {
        self.task.engines.len() == 2 || self.task.format == TournamentFormat::Gauntlet
    }

    /// The counts of pairs of the first engine, and its wins, draws and losses.
    pub(super) fn counts(&self) -> Option<(&Pentanomial, [u64; 3])> {
        self.is_of_first_engine().then(|| (self.sheet.pairs(), self.score))
    }

    /// The difference with its 95 % interval. A running test is looked at after each pair, so it has the
    /// anytime-valid one.
    fn elo(&self, test: Option<&TestState>) -> Option<String> {
        let pairs = self.sheet.pairs();
        // With pairs of one class the estimated variance is zero, and the interval has no width.
        let fixed = (pairs.classes_seen() > 1).then(|| elo::logistic(pairs)).flatten()?;
        if test.is_none() {
            return Some(format!("Elo {}", format::plus_minus(fixed)));
        }
        let anytime = mixture::elo(pairs, ALPHA);
        let elo = || {
            format!("Elo {} (95 % at any time: {})", format::tenths(fixed.value.0), format::range(anytime))
        };
        anytime.iter().all(|end| end.0.is_finite()).then(elo)
    }

    /// The number of games that are probably left: all in a match; in a test the expected number if the
    /// present estimate is true, at most those of its budget.
    pub(super) fn games_left(&self, progress: &PartProgress<'_>) -> f64 {
        let all = progress.jobs.saturating_sub(progress.counted) as f64;
        let Some(test) = progress.test else { return all };
        let expected = self.expected(test).unwrap_or(f64::INFINITY);
        expected.min(all).min(self.games_in_budget().unwrap_or(f64::INFINITY))
    }

    /// The expected number of further games of a test.
    fn expected(&self, test: &TestState) -> Option<f64> {
        let pairs = self.sheet.pairs();
        let estimated = elo::logistic(pairs)
            .filter(|_| pairs.classes_seen() > 1)
            .and_then(|estimate| test.rule.games_left(&self.sheet, estimate.value));
        let counted = (Pentanomial::GAMES_PER_TRIAL * pairs.trials()) as f64;
        let worst = || self.worst_case.map(|games| (games - counted).max(0.0));
        let missing = missing_pairs(test, pairs);
        if missing == 0 {
            return estimated.or_else(worst);
        }
        // At the present share of pairs that are not level.
        // Without any such pair this is infinite or NaN, and `min` and `max` take the other number.
        let waits = missing as f64 / pairs.unequal() as f64 * counted;
        if is_beyond_a_bound(test) {
            Some(waits)
        } else {
            estimated.or_else(worst).map(|games| games.max(waits))
        }
    }

    /// The number of games that fit into the rest of the time budget.
    fn games_in_budget(&self) -> Option<f64> {
        let rest = self.task.budget?.saturating_sub(self.thinking).as_secs_f64();
        let each = self.thinking.as_secs_f64() / self.counted as f64;
        (each > 0.0).then(|| rest / each)
    }
}

/// The pairs that are not level for which a test still waits before it decides anything.
fn missing_pairs(test: &TestState, pairs: &Pentanomial) -> u64 {
    if test.rule.counts() == TrialUnit::Pairs {
        LEAST_UNEQUAL_PAIRS.saturating_sub(pairs.unequal())
    } else {
        0
    }
}

/// Would the test be decided if enough pairs were not level?
fn is_beyond_a_bound(test: &TestState) -> bool {
    let bounds = test.running.bounds();
    test.path.last().is_some_and(|value| *value <= bounds.lower || bounds.upper <= *value)
}

/// The statistic of a test as a share of the bound on its side: `LLR -0.81 of -2.94 (28 %)`. Beyond the bound it says which
/// pairs the test waits for.
fn statistic(test: &TestState, pairs: &Pentanomial) -> Option<String> {
    let value = test.path.last().copied()?;
    let bounds = test.running.bounds();
    let bound = if value < 0.0 { bounds.lower } else { bounds.upper };
    // A value that rounds to zero has no sign.
    let rounded = (100.0 * value).round() / 100.0 + 0.0;
    let share = 100.0 * (value / bound).clamp(0.0, 1.0);
    let waits = if is_beyond_a_bound(test) && missing_pairs(test, pairs) > 0 {
        format!("; waits for {LEAST_UNEQUAL_PAIRS} pairs that are not level, {} so far", pairs.unequal())
    } else {
        String::new()
    };
    Some(format!("{} {rounded:.2} of {bound:.2} ({share:.0} %){waits}", test.statistic().name))
}
