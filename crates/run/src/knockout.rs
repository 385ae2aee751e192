//! The knockout tournament of a run: its parts are the known encounters, in the order of the bracket.
//!
//! When all encounters of a round are decided, [`next_round`] adds those of the next one to the
//! specification. It depends on the results that count alone, so a run that is interrupted between two rounds
//! goes on like one that is not.
//!
//! All encounters of a round have the same openings, so that openings favour none. The next round goes on in
//! the book where the longest encounter of the round ended.

use super::job::{MatchTask, Part, RunSpec, Task};
use super::labels::Labels;
use super::run_record::RunRecord;
use super::scheduler::PartEnding;
use threefold_games::knockout::{Bracket, MOST_EXTRA_PAIRS};
use threefold_stats::GameResult;

/// A knockout tournament with the rounds that are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnockoutState {
    /// Who meets and who goes on, by the places of [`RunSpec::knockout`]'s engines.
    pub bracket: Bracket,
    /// The encounters that have parts, in the order of [`Bracket::encounters`] and of the parts.
    pub encounters: Vec<EncounterState>,
}

/// An encounter with the games that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EncounterState {
    /// The number of its games so far.
    pub games: usize,
    /// The points in halves, of the better seed first.
    pub half_points: [u64; 2],
    /// Who goes on: 0 for the better seed, 1 for the other; `None` while it is not decided.
    pub winner: Option<usize>,
}

impl EncounterState {
    /// Was it level after all games, so that the better seed goes on?
    pub const fn is_decided_by_seed(&self) -> bool {
        self.winner.is_some() && self.half_points[0] == self.half_points[1]
    }
}

impl RunRecord {
    /// Its knockout tournament, if it is one.
    pub fn knockout(&self) -> Option<KnockoutState> {
        let games = self.spec().knockout.as_ref()?;
        let encounters: Vec<EncounterState> = self
            .parts()
            .iter()
            .map(|part| {
                let mut state = EncounterState { games: part.results.len(), ..EncounterState::default() };
                for (scheduled, game) in part.games() {
                    let result = part.match_task().and_then(|task| task.result(scheduled.index, game));
                    let won = result.map_or(0, GameResult::half_points) as u64;
                    state.half_points[0] += won;
                    state.half_points[1] += 2 - won;
                }
                let [one, other] = state.half_points;
                let is_over = part.progress.ending == Some(PartEnding::Complete);
                EncounterState { winner: is_over.then_some(usize::from(other > one)), ..state }
            })
            .collect();
        let winner = |number: usize, players: [usize; 2]| {
            encounters.get(number).and_then(|state| state.winner).map(|winner| players[winner])
        };
        Some(KnockoutState { bracket: Bracket::play(games.engines.len(), winner), encounters })
    }
}

/// The encounters of the first round.
pub fn first_round(games: &MatchTask) -> Vec<Part> {
    parts(games, &Bracket::play(games.engines.len(), |_, _| None), &[])
}

/// The specification with the encounters of the next round; `None` if the run is no knockout tournament, if
/// encounters are not decided yet, or if the tournament is over.
pub fn next_round(run: &RunRecord) -> Option<RunSpec> {
    let spec = run.spec();
    let KnockoutState { bracket, encounters } = run.knockout()?;
    let added = parts(spec.knockout.as_ref()?, &bracket, &encounters);
    (!added.is_empty()).then(|| RunSpec { parts: [spec.parts.clone(), added].concat(), ..spec.clone() })
}

/// The encounters of the bracket that have no part yet.
fn parts(games: &MatchTask, bracket: &Bracket, known: &[EncounterState]) -> Vec<Part> {
    let unit = games.rules.encounter.games();
    let mut longest = vec![0; bracket.rounds().len()];
    for ((round, _), state) in bracket.encounters().zip(known) {
        longest[round] = longest[round].max(state.games.div_ceil(unit));
    }
    let added = bracket.encounters().skip(known.len());
    added
        .map(|(round, players)| {
            let task = encounter(games, players, longest[..round].iter().sum());
            let [one, other] = &task.engines[..] else { unreachable!("an encounter has two engines") };
            let name = format!("round {}: {} vs {}", round + 1, one.name, other.name);
            Part { name, labels: Labels::NONE, task: Task::Match(task) }
        })
        .collect()
}

/// The games of an encounter, from an opening on.
fn encounter(games: &MatchTask, players: [usize; 2], first_opening: usize) -> MatchTask {
    let size = games.openings.len();
    let openings = games.openings.iter().cycle().skip(first_opening % size.max(1));
    MatchTask {
        engines: players.map(|player| games.engines[player].clone()).into(),
        openings: openings.take(size.min(games.encounters + MOST_EXTRA_PAIRS)).cloned().collect(),
        ..games.clone()
    }
}
