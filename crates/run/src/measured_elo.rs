//! The Elo differences that a run measured: those of its engine under test to its opponents.

use std::collections::{BTreeMap, BTreeSet};

use super::distinct_pairs::PairCounting;
use super::job::{MatchTask, Purpose, Task};
use super::run_record::{PartResult, RunRecord};
use threefold_player::EngineSpec;
use threefold_stats::{Estimate, Logistic, Scoresheet, elo};

/// The chance that an interval misses: they are 95 % intervals.
const ALPHA: f64 = 0.05;

/// The Elo difference of an engine to an opponent, from the games of one match or test.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredElo {
    /// The opponent's name.
    pub opponent: String,
    /// The commit of the opponent's program; `None` if it is not known, or is that of the engine itself.
    pub opponent_commit: Option<String>,
    /// The number of games that count.
    pub games: u64,
    /// The engine minus the opponent, with its 95 % interval. That of a sequential test allows for its stop.
    pub elo: Estimate<Logistic>,
}

/// The names of the engines under test: those of the suites. In a run without suites, the first engine of
/// each match of two.
pub fn tested_engines(run: &RunRecord) -> BTreeSet<String> {
    let parts = &run.spec().parts;
    let of_suites: BTreeSet<String> = (parts.iter())
        .filter_map(|part| match &part.task {
            Task::Suite(suite) => Some(suite.engine.name.clone()),
            Task::Match(_) => None,
        })
        .collect();
    if !of_suites.is_empty() {
        return of_suites;
    }
    let duels = parts.iter().filter_map(|part| match &part.task {
        Task::Match(games) => duel(games).map(|[first, _]| first.name.clone()),
        Task::Suite(_) => None,
    });
    duels.collect()
}

/// The measured differences of an engine under test, by the part of the run.
pub fn of_engine(run: &RunRecord, engine: &str) -> BTreeMap<String, MeasuredElo> {
    let counting = run.spec().counting;
    let parts = run.planned_parts();
    let measured = parts.iter().filter_map(|part| {
        let [first, _] = duel(part.match_task()?)?;
        let elo = MeasuredElo::of_part(part, counting).filter(|_| first.name == engine)?;
        Some((part.part.name.clone(), elo))
    });
    measured.collect()
}

/// The engines of a match of two.
fn duel(games: &MatchTask) -> Option<&[EngineSpec; 2]> {
    games.engines.as_slice().try_into().ok()
}

impl MeasuredElo {
    /// `None` if two engines did not play enough games for an interval.
    fn of_part(part: &PartResult<'_>, counting: PairCounting) -> Option<Self> {
        let games = part.match_task()?;
        let [first, second] = duel(games)?;
        let mut sheet = Scoresheet::default();
        for trial in part.counted_trials(counting).0 {
            sheet.record_trial(trial.results);
        }
        // Results of one class have no variance, so an interval would have no width.
        if sheet.pairs().classes_seen() < 2 {
            return None;
        }
        let elo = match &games.purpose {
            Purpose::Test(_) => part.progress.test?.running.estimate(ALPHA)?.elo,
            Purpose::Match => elo::logistic(sheet.pairs())?,
            Purpose::Calibration | Purpose::Tuning => return None,
        };
        // A resumed run may have several builds of an engine; those of the last result are recorded.
        let last = part.results.len().checked_sub(1)?;
        let commit = |engine| part.build(last, engine)?.commit.clone();
        Some(Self {
            opponent: second.name.clone(),
            // The program of another version may be in the repository of this one, and has its commit then.
            opponent_commit: commit(second).filter(|other| Some(other) != commit(first).as_ref()),
            games: sheet.games().trials(),
            elo,
        })
    }
}
