//! A tune in the scheduler: it counts the games of iterations, and gives the options of each game.

use std::sync::Arc;

use super::game_options::GameOptions;
use super::tune_rule::TuneRule;
use threefold_stats::GameResult;
use threefold_stats::spsa::{IterationResult, Tune};

/// The index of the part that tunes.
pub const TUNE_PART: usize = 0;

/// The games of a pair.
const PAIR: usize = 2;

/// A tune with the results that count.
#[derive(Debug, Clone, PartialEq)]
pub struct TuneState {
    tune: Tune,
    /// The pairs with an engine fault, which count for nothing.
    void_pairs: u64,
    has_test: bool,
}

impl TuneState {
    /// A tune before its first game.
    pub(super) fn new(rule: &Arc<TuneRule>, seed: u64) -> Self {
        Self { tune: Tune::new(rule.settings(seed)), void_pairs: 0, has_test: rule.test.is_some() }
    }

    /// The values of all iterations that have ended.
    pub const fn tune(&self) -> &Tune {
        &self.tune
    }

    /// The pairs of the iterations that have ended with an engine fault, which moved no value.
    pub const fn void_pairs(&self) -> u64 {
        self.void_pairs
    }

    /// Is the result tested in the same run?
    pub const fn has_test(&self) -> bool {
        self.has_test
    }

    /// The games of an iteration.
    fn games_per(&self) -> usize {
        self.tune.settings().schedule.games_per() as usize
    }

    /// The jobs before this one can be done now.
    pub(super) fn open_until(&self) -> usize {
        usize::try_from(self.tune.open_until()).unwrap_or(usize::MAX).saturating_mul(self.games_per())
    }

    /// The options of both sides in a game; none if it can't be played yet.
    pub(super) fn options(&self, job: usize) -> GameOptions {
        let iteration = (job / self.games_per()) as u64;
        let parameters = self.tune.settings().parameters.all();
        let named = |values: Vec<f64>| {
            let both = parameters.iter().zip(values);
            both.map(|(parameter, value)| (parameter.name.clone(), parameter.text(value))).collect()
        };
        GameOptions(self.tune.sides(iteration).map_or_else(Vec::new, |sides| sides.map(named).into()))
    }

    /// Takes the iterations whose games count now: the jobs before `counted`. `result` is that of a game for the first
    /// engine; `None` if it ended by a fault.
    pub(super) fn advance(&mut self, counted: usize, result: impl Fn(usize) -> Option<GameResult>) {
        let games_per = self.games_per();
        while !self.tune.is_over() && counted >= (self.tune.results().len() + 1) * games_per {
            let first = self.tune.results().len() * games_per;
            let mut sum = IterationResult::default();
            for pair in (first..first + games_per).step_by(PAIR) {
                match excess(pair, &result) {
                    Some(excess) => sum = sum.with_pair(excess),
                    None => self.void_pairs += 1,
                }
            }
            self.tune.record(sum);
        }
    }
}

/// The games of a pair that the first side won less those that it lost; `None` if a game ended by a fault.
fn excess(pair: usize, result: impl Fn(usize) -> Option<GameResult>) -> Option<i32> {
    (pair..pair + PAIR).try_fold(0, |sum, job| {
        Some(match result(job)? {
            GameResult::Win => sum + 1,
            GameResult::Draw => sum,
            GameResult::Loss => sum - 1,
        })
    })
}
