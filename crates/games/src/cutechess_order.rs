//! The order of the games of cutechess-cli 1.5.1, for command lines that were written for it.
//!
//! It differs from the order of [`super::pairing`] in five ways:
//!
//! * An encounter has any number of games in a row.
//! * Every encounter begins with the next opening. So two pairings of a round have different openings.
//! * A step of a round robin, in which everyone plays once at most, is a round of its own. A gauntlet has a
//!   round for each time that everyone has met, and a pyramid one for each player that enters.
//! * The steps of a round robin are those of another table.
//! * The first players of a gauntlet do not meet each other.

use std::num::NonZeroUsize;

use super::tournament::{Colours, EncounterLength, ScheduledGame, TournamentFormat, pyramid};

threefold_named_enum::named_enum! {
    /// When the next opening is taken: `policy=` of `-openings`.
    pub enum OpeningPolicy {
        /// With every encounter, and after the given number of games within it. Without a third player all
        /// games are one encounter.
        Default = "default",
        /// With every encounter. Without a third player all games are one encounter.
        Encounter = "encounter",
        /// With every round.
        Round = "round",
    }
}

/// The order of games of cutechess-cli. A knockout and a Swiss tournament have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutechessOrder {
    /// Games of an encounter: `-games`.
    pub games: NonZeroUsize,
    /// Games in a row from one opening: `-repeat`. Other policies than the default have no limit.
    pub repetitions: NonZeroUsize,
    /// When the next opening is taken.
    pub policy: OpeningPolicy,
}

/// A tournament with at least two players and one opening, as far as the order needs to know it.
#[derive(Debug, Clone, Copy)]
pub(super) struct CutechessTournament {
    pub(super) players: usize,
    pub(super) format: TournamentFormat,
    /// The number of encounters after which all have met once.
    pub(super) pairings: usize,
    /// The number of first players of a gauntlet.
    pub(super) seeds: usize,
    pub(super) colours: Colours,
    pub(super) encounter: EncounterLength,
    pub(super) openings: usize,
}

/// The players of an encounter, and its round.
struct Meeting {
    /// The player who has White in the first game of the first encounter.
    first: usize,
    second: usize,
    /// The round, from 0.
    round: usize,
}

impl CutechessOrder {
    /// Does every second game of a pairing have the opening of the game before? `games` is the number of
    /// games of a pairing.
    pub const fn is_in_pairs(self, players: usize, games: usize) -> bool {
        let in_a_row = match self.policy {
            OpeningPolicy::Default if players == 2 => games,
            OpeningPolicy::Default | OpeningPolicy::Encounter | OpeningPolicy::Round => self.games.get(),
        };
        let has_repetitions = match self.policy {
            OpeningPolicy::Default => self.repetitions.get().is_multiple_of(2),
            OpeningPolicy::Encounter | OpeningPolicy::Round => true,
        };
        has_repetitions && in_a_row.is_multiple_of(2)
    }

    /// The game with this index.
    pub(super) fn game(self, tournament: &CutechessTournament, index: usize) -> ScheduledGame {
        let (encounter, within) = (index / self.games, index % self.games);
        let are_two = tournament.players == 2;
        let Meeting { first, second, round } = meeting(tournament, encounter);
        let earlier = encounter / tournament.pairings;
        let (is_reversed, swaps) = match tournament.colours {
            Colours::Alternate => (false, true),
            Colours::AlternateReversed => (true, true),
            Colours::Fixed => (false, false),
            Colours::FixedReversed => (true, false),
        };
        // Colours alternate on from the last encounter of the same players. `-reverse` reverses them again at
        // the beginning of each encounter, but for two players only at that of the first.
        let games_before = if swaps { earlier * self.games.get() + within } else { 0 };
        let reversals = match (is_reversed, are_two) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => earlier + 1,
        };
        let is_swapped = !(games_before + reversals).is_multiple_of(2);
        let (white, black) = if is_swapped { (second, first) } else { (first, second) };
        let opening = match self.policy {
            OpeningPolicy::Default if are_two => index / self.repetitions,
            OpeningPolicy::Default => {
                // Rounded up: an encounter takes a new opening even if the last one has repetitions left.
                encounter * self.games.get().div_ceil(self.repetitions.get()) + within / self.repetitions
            }
            OpeningPolicy::Encounter if are_two => 0,
            OpeningPolicy::Encounter => encounter,
            OpeningPolicy::Round => round,
        };
        let pair = index / tournament.encounter.games();
        ScheduledGame {
            index,
            round: round + 1,
            encounter: pair,
            white,
            black,
            opening: opening % tournament.openings,
        }
    }
}

/// The players of an encounter.
fn meeting(tournament: &CutechessTournament, encounter: usize) -> Meeting {
    let players = tournament.players;
    let (cycle, at) = (encounter / tournament.pairings, encounter % tournament.pairings);
    match tournament.format {
        TournamentFormat::RoundRobin => {
            let boards = players / 2;
            let steps = players - 1 + players % 2;
            let step = at / boards;
            let (first, second) = rotated(players, step, at % boards);
            Meeting { first, second, round: cycle * steps + step }
        }
        TournamentFormat::Gauntlet => {
            let seeds = tournament.seeds;
            let others = players - seeds;
            Meeting { first: at / others, second: seeds + at % others, round: cycle }
        }
        TournamentFormat::Pyramid => {
            let (first, second) = pyramid(at);
            Meeting { first, second, round: cycle * (players - 1) + first - 1 }
        }
        // Who meets depends on results, so the schedule is that of one encounter.
        TournamentFormat::Knockout | TournamentFormat::Swiss => {
            Meeting { first: 0, second: 1, round: encounter }
        }
    }
}

/// The players on a board in a step of the circle method: the first player stays, all others move on by one
/// seat. With an odd number of players, a seat is empty, and its board is left out.
fn rotated(players: usize, step: usize, board: usize) -> (usize, usize) {
    let others = players - 1 + players % 2;
    let seat = |at: usize| (at + others - step % others) % others + 1;
    let boards = others.div_ceil(2);
    let pairs = (0..boards).map(|board| {
        let first = if board == 0 { 0 } else { seat(board - 1) };
        (first, seat(others - 1 - board))
    });
    // The board of the empty seat is dropped, so that the others are numbered without a gap.
    let mut played = pairs.filter(|&(first, second)| first < players && second < players);
    played.nth(board).unwrap_or_default()
}

#[cfg(test)]
#[path = "cutechess_order_tests.rs"]
mod tests;
