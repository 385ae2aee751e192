//! What is known of a Swiss tournament: its players and its rounds so far.

use crate::knockout;
use crate::pairing::{Schedule, ScheduleRules};

/// What decides on the pairings besides the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwissRules {
    /// The number of players, at least 3. They are numbered by seed from 0, the best first.
    pub players: usize,
    /// The number of games of an encounter, at least 1. A bye is worth as many points.
    pub games: usize,
    /// Who has White more often in an encounter.
    pub white: MoreWhite,
}

/// The player of an encounter who has White more often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoreWhite {
    /// Both have it equally often, so that colours do not matter for the pairings.
    Neither,
    /// The player who is named first.
    First,
    /// The player who is named second.
    Second,
}

/// An encounter of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwissEncounter {
    /// The players, in the order of the schedule of their games.
    pub players: [usize; 2],
    /// Their points so far, in halves.
    pub half_points: [u64; 2],
}

/// A round: everyone has an encounter or the bye.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SwissRound {
    /// The encounters, the one of the player with the highest rank first.
    pub encounters: Vec<SwissEncounter>,
    /// The player without an opponent; `None` if the number of players is even.
    pub bye: Option<usize>,
}

/// A Swiss tournament with the rounds that are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwissTournament {
    /// What it is played by.
    pub rules: SwissRules,
    /// The rounds, in order.
    pub rounds: Vec<SwissRound>,
}

/// What a player has done in the rounds so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct PlayerRecord {
    /// The points in halves, those of byes included.
    pub(super) half_points: u64,
    /// The number of byes.
    pub(super) byes: usize,
    /// The opponents, one for each encounter.
    pub(super) opponents: Vec<usize>,
    /// For each round 1 if the player had White more often, -1 for Black, and 0 for neither.
    pub(super) colours: Vec<i64>,
}

impl SwissRules {
    /// The rules of a tournament with this schedule for each encounter.
    pub fn of_schedule(schedule: &Schedule) -> Self {
        let Schedule { players, rules: ScheduleRules { colours, .. }, .. } = *schedule;
        let games = schedule.games();
        let white = match schedule.game(0) {
            // Alternating colours in an even number of games give both players White equally often.
            Some(_) if colours != colours.fixed() && games.is_multiple_of(2) => MoreWhite::Neither,
            Some(first) if first.white == 0 => MoreWhite::First,
            Some(_) => MoreWhite::Second,
            None => MoreWhite::Neither,
        };
        Self { players, games, white }
    }

    /// The points of a bye, in halves: those of an encounter in which every game is won.
    pub const fn bye_half_points(&self) -> u64 {
        2 * self.games as u64
    }

    /// The number of encounters of a round.
    pub const fn encounters(&self) -> usize {
        self.players / 2
    }
}

impl SwissTournament {
    /// Had these players an encounter before the round with this index?
    pub fn have_met(&self, [one, other]: [usize; 2], round: usize) -> bool {
        let earlier = self.rounds.iter().take(round).flat_map(|round| &round.encounters);
        earlier.into_iter().any(|it| it.players == [one, other] || it.players == [other, one])
    }

    /// What each player has done so far.
    pub(super) fn records(&self) -> Vec<PlayerRecord> {
        let mut records = vec![PlayerRecord::default(); self.rules.players];
        let white = match self.rules.white {
            MoreWhite::Neither => [0, 0],
            MoreWhite::First => [1, -1],
            MoreWhite::Second => [-1, 1],
        };
        for round in &self.rounds {
            for encounter in &round.encounters {
                for (seat, &player) in encounter.players.iter().enumerate() {
                    let record = &mut records[player];
                    record.half_points += encounter.half_points[seat];
                    record.opponents.push(encounter.players[1 - seat]);
                    record.colours.push(white[seat]);
                }
            }
            if let Some(player) = round.bye {
                let record = &mut records[player];
                record.half_points += self.rules.bye_half_points();
                record.byes += 1;
                // A bye has an entry, too: the colours of two players are compared round by round.
                record.colours.push(0);
            }
        }
        records
    }
}

/// The most rounds of a tournament of this number of players: in as many, everyone can meet everyone else,
/// and with an odd number everyone has the bye once.
pub const fn most_rounds(players: usize) -> usize {
    (players + players % 2).saturating_sub(1)
}

/// The rounds of a tournament of this number of players if nothing else is asked for: one more than a knockout
/// tournament has, and at most [`most_rounds`].
pub fn default_rounds(players: usize) -> usize {
    (knockout::rounds(players) + 1).min(most_rounds(players))
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;
    use crate::pairing::{Colours, EncounterLength, TournamentFormat};

    #[test]
    fn rounds_depend_on_the_number_of_players() {
        let table = [(3, 3, 3), (4, 3, 3), (5, 4, 5), (6, 4, 5), (8, 4, 7), (9, 5, 9), (64, 7, 63)];
        for (players, usual, most) in table {
            assert_eq!((default_rounds(players), most_rounds(players)), (usual, most), "{players} players");
        }
    }

    #[test]
    fn colours_matter_unless_both_have_them_equally_often() {
        let table = [
            // games of an opening, colours, pairs or single games; who has White more often
            (EncounterLength::Pair, Colours::Alternate, 3, MoreWhite::Neither),
            (EncounterLength::Single, Colours::Alternate, 4, MoreWhite::Neither),
            (EncounterLength::Single, Colours::Alternate, 3, MoreWhite::First),
            (EncounterLength::Single, Colours::AlternateReversed, 1, MoreWhite::Second),
            (EncounterLength::Pair, Colours::Fixed, 1, MoreWhite::First),
            (EncounterLength::Pair, Colours::FixedReversed, 2, MoreWhite::Second),
        ];
        for (encounter, colours, encounters, white) in table {
            let rules = ScheduleRules { encounter, colours, ..ScheduleRules::default() };
            let format = TournamentFormat::Swiss;
            let schedule = Schedule { players: 5, format, encounters, openings: 1, rules };
            let games = encounters * encounter.games();
            assert_eq!(
                SwissRules::of_schedule(&schedule),
                SwissRules { players: 5, games, white },
                "{rules:?}"
            );
            // The games of two players of the tournament.
            let of_two = Schedule { players: 2, format: TournamentFormat::RoundRobin, ..schedule };
            let white_of_first = of_two.all_games().filter(|game| game.white == 0).count();
            let expected = match (2 * white_of_first).cmp(&games) {
                Ordering::Equal => MoreWhite::Neither,
                Ordering::Greater => MoreWhite::First,
                Ordering::Less => MoreWhite::Second,
            };
            assert_eq!(white, expected, "{rules:?}");
        }
    }

    #[test]
    fn bye_is_worth_a_won_encounter() {
        let rules = SwissRules { players: 3, games: 4, white: MoreWhite::Second };
        let encounter = SwissEncounter { players: [1, 0], half_points: [3, 5] };
        let round = SwissRound { encounters: vec![encounter], bye: Some(2) };
        let tournament = SwissTournament { rules, rounds: vec![round] };
        let records = tournament.records();
        assert_eq!(records.iter().map(|it| it.half_points).collect::<Vec<_>>(), [5, 3, 8]);
        assert_eq!(records.iter().map(|it| it.colours[0]).collect::<Vec<_>>(), [1, -1, 0]);
        assert_eq!((records[2].byes, records[0].opponents.as_slice()), (1, &[1][..]));
        assert!(tournament.have_met([0, 1], 1) && !tournament.have_met([0, 1], 0));
        assert!(!tournament.have_met([0, 2], 1));
    }
}
