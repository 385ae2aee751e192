//! The encounters of a tournament whose later rounds depend on results: each is a part of the run.

use super::job::{MatchTask, Part};

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

/// The engines of an encounter as places of the tournament's engines; `None` if it is none of its encounters.
pub fn players(games: &MatchTask, encounter: &Part) -> Option<[usize; 2]> {
    let [one, other] = encounter.task.engines() else { return None };
    let place = |name: &str| games.engines.iter().position(|engine| engine.name == name);
    Some([place(&one.name)?, place(&other.name)?])
}
