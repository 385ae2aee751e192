//! The encounters of a tournament whose later rounds depend on results: each is a part of the run.

use super::job::{MatchTask, Part};
use super::run_record::{PartResult, RunRecord};
use super::scheduler::PartEnding;
use threefold_stats::GameResult;

/// An encounter with the games that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EncounterState {
    /// The number of its games so far.
    pub games: usize,
    /// The points in halves, of the engine of the part that is named first.
    pub half_points: [u64; 2],
    /// Are all its games played?
    pub is_over: bool,
}

impl EncounterState {
    fn of(part: &PartResult<'_>) -> Self {
        let mut state = Self { games: part.results.len(), ..Self::default() };
        for (scheduled, game) in part.games() {
            let result = part.match_task().and_then(|task| task.result(scheduled.index, game));
            let won = result.map_or(0, GameResult::half_points) as u64;
            state.half_points[0] += won;
            state.half_points[1] += 2 - won;
        }
        Self { is_over: part.progress.ending == Some(PartEnding::Complete), ..state }
    }
}

impl RunRecord {
    /// The encounters of its tournament that have parts, in the order of the parts; of another run its
    /// matches.
    pub fn encounters(&self) -> Vec<EncounterState> {
        self.parts().iter().map(EncounterState::of).collect()
    }
}

/// The engines of an encounter as places of the tournament's engines; `None` if it is none of its encounters.
pub fn players(games: &MatchTask, encounter: &Part) -> Option<[usize; 2]> {
    let [one, other] = encounter.task.engines() else { return None };
    let place = |name: &str| games.engines.iter().position(|engine| engine.name == name);
    Some([place(&one.name)?, place(&other.name)?])
}
