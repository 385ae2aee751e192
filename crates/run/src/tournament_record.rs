//! The tournament of a run with the results that count.

use super::encounter::EncounterState;
use super::knockout::{self, KnockoutState};
use super::run_record::{PartResult, RunRecord};
use super::scheduler::PartEnding;
use super::swiss::{self, SwissState};
use threefold_games::pairing::TournamentFormat;
use threefold_stats::GameResult;

impl RunRecord {
    /// The encounters of its tournament that have parts, in the order of the parts; of another run its
    /// matches.
    pub fn encounters(&self) -> Vec<EncounterState> {
        self.parts().iter().map(encounter).collect()
    }

    /// Its knockout tournament, if it is one.
    pub fn knockout(&self) -> Option<KnockoutState> {
        let games = self.spec().tournament.as_ref()?;
        let encounters = (games.format == TournamentFormat::Knockout).then(|| self.encounters())?;
        Some(KnockoutState { bracket: knockout::bracket(games.engines.len(), &encounters), encounters })
    }

    /// Its Swiss tournament, if it is one.
    pub fn swiss(&self) -> Option<SwissState> {
        let games = self.spec().tournament.as_ref()?;
        let encounters = (games.format == TournamentFormat::Swiss).then(|| self.encounters())?;
        swiss::state(games, &self.spec().parts, encounters)
    }
}

/// An encounter with the points of the games that count.
fn encounter(part: &PartResult<'_>) -> EncounterState {
    let mut state = EncounterState { games: part.results.len(), ..EncounterState::default() };
    for (scheduled, game) in part.games() {
        let result = part.match_task().and_then(|task| task.result(scheduled.index, game));
        let won = result.map_or(0, GameResult::half_points) as u64;
        state.half_points[0] += won;
        state.half_points[1] += 2 - won;
    }
    EncounterState { is_over: part.progress.ending == Some(PartEnding::Complete), ..state }
}
