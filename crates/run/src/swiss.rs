//! The Swiss tournament of a run: its parts are the encounters of the known rounds.
//!
//! The pairings of a known round are those of its parts. They are not computed again, so a journal keeps its
//! tournament whatever a later version would pair.

use std::num::NonZeroUsize;

use super::encounter::{EncounterState, players};
use super::job::{MatchTask, Part};
use threefold_games::pairing::MOST_GAMES;
use threefold_games::swiss::{
    SwissEncounter, SwissPairing, SwissRound, SwissRules, SwissTournament, most_rounds,
};

/// A Swiss tournament with the rounds that are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwissState {
    /// Who met, by the places of [`RunSpec::tournament`](crate::RunSpec::tournament)'s engines, with the points
    /// of the games that count.
    pub tournament: SwissTournament,
    /// The encounters in the order of the parts, which is that of the rounds.
    pub encounters: Vec<EncounterState>,
    /// The number of rounds, known or not.
    pub rounds: usize,
}

impl SwissState {
    /// Are all encounters of the known rounds over?
    fn is_between_rounds(&self) -> bool {
        self.encounters.iter().all(|encounter| encounter.is_over)
    }

    /// Are all rounds played?
    pub fn is_over(&self) -> bool {
        self.tournament.rounds.len() == self.rounds && self.is_between_rounds()
    }
}

/// The tournament with these parts and their results; `None` if the parts are none of its rounds.
pub(super) fn state(
    games: &MatchTask,
    parts: &[Part],
    encounters: Vec<EncounterState>,
) -> Option<SwissState> {
    let rules = SwissRules::of_schedule(&games.schedule());
    let played: Vec<SwissEncounter> = parts
        .iter()
        .zip(&encounters)
        .map(|(part, state)| {
            Some(SwissEncounter { players: players(games, part)?, half_points: state.half_points })
        })
        .collect::<Option<_>>()?;
    let round = |encounters: &[SwissEncounter]| {
        let mut free = vec![true; rules.players];
        for player in encounters.iter().flat_map(|encounter| encounter.players) {
            // Someone who plays twice in a round is in none of this tournament.
            if !std::mem::replace(&mut free[player], false) {
                return None;
            }
        }
        let bye = free.iter().position(|is_free| *is_free);
        (encounters.len() == rules.encounters()).then(|| SwissRound { encounters: encounters.to_vec(), bye })
    };
    // A chunk of length zero would panic.
    let rounds = played.chunks(rules.encounters().max(1)).map(round).collect::<Option<Vec<_>>>()?;
    let most = games.rules.rounds.map_or(0, NonZeroUsize::get);
    let state = SwissState { tournament: SwissTournament { rules, rounds }, encounters, rounds: most };
    (state.tournament.rounds.len() <= most).then_some(state)
}

/// The players of each encounter of the known rounds, and of the next one if it can begin, with the rounds
/// from 0.
pub(super) fn meetings(
    games: &MatchTask,
    parts: &[Part],
    encounters: &[EncounterState],
) -> Vec<(usize, [usize; 2])> {
    let Some(state) = state(games, parts, encounters.to_vec()) else { return Vec::new() };
    let known = state.tournament.rounds.iter().enumerate();
    let known = known.flat_map(|(round, it)| it.encounters.iter().map(move |it| (round, it.players)));
    let mut meetings: Vec<(usize, [usize; 2])> = known.collect();
    if state.is_between_rounds() && !state.is_over() {
        let SwissPairing { encounters, .. } = state.tournament.next_round();
        meetings.extend(encounters.into_iter().map(|players| (state.tournament.rounds.len(), players)));
    }
    meetings
}

/// Checks the rounds of a tournament, and that the parts of a run are some of them.
///
/// # Errors
/// What is wrong, and the remedy.
pub(super) fn check(games: &MatchTask, parts: &[Part]) -> Result<(), String> {
    let (players, rounds) = (games.engines.len(), games.rules.rounds.map_or(0, NonZeroUsize::get));
    if players < 3 {
        return Err(
            "a Swiss tournament takes three engines; name another, or leave --tournament out".to_owned()
        );
    }
    let most = most_rounds(players);
    if rounds == 0 || rounds > most {
        return Err(format!(
            "a Swiss tournament of {players} engines has at most {most} rounds, in which everyone can meet everyone else; \
             give --rounds {most} or fewer, or --tournament round-robin"
        ));
    }
    let all = games.schedule().regular_games().saturating_mul(rounds * (players / 2));
    if all > MOST_GAMES {
        return Err(format!(
            "{all} games are too many; by --games, give fewer for each encounter, at most {MOST_GAMES} in all"
        ));
    }
    // The pairings are checked, whatever the results are.
    let none = vec![EncounterState::default(); parts.len()];
    match state(games, parts, none) {
        Some(_) => Ok(()),
        None => Err("its encounters are not those of a Swiss tournament; the journal is damaged".to_owned()),
    }
}
