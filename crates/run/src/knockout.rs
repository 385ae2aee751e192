//! The knockout tournament of a run: its parts are the known encounters, in the order of the bracket.

use super::encounter::EncounterState;
use threefold_games::knockout::Bracket;

/// A knockout tournament with the rounds that are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnockoutState {
    /// Who meets and who goes on, by the places of [`RunSpec::tournament`](crate::RunSpec::tournament)'s
    /// engines.
    pub bracket: Bracket,
    /// The encounters that have parts, in the order of [`Bracket::encounters`] and of the parts. The better
    /// seed is named first.
    pub encounters: Vec<EncounterState>,
}

impl EncounterState {
    /// Who goes on: 0 for the better seed, 1 for the other; `None` while it is not decided.
    pub fn winner(&self) -> Option<usize> {
        let [one, other] = self.half_points;
        self.is_over.then_some(usize::from(other > one))
    }

    /// Was it level after all games, so that the better seed goes on?
    pub const fn is_decided_by_seed(&self) -> bool {
        self.is_over && self.half_points[0] == self.half_points[1]
    }
}

/// The bracket of this number of players with these encounters.
pub(super) fn bracket(players: usize, encounters: &[EncounterState]) -> Bracket {
    Bracket::play(players, |number, players| {
        encounters.get(number).and_then(EncounterState::winner).map(|winner| players[winner])
    })
}
