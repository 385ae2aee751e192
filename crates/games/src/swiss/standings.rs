//! The standings of a Swiss tournament: points, then Buchholz, then Sonneborn-Berger.
//!
//! Buchholz is the sum of the points of the opponents, one summand for each encounter. Sonneborn-Berger is
//! the same sum with each summand multiplied by the share of the encounter's points that the player won. For
//! both a bye is a won encounter against an opponent with as many points as the player has (FIDE Handbook,
//! C.07, article 16.4).

use super::history::SwissTournament;

/// A player's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwissStanding {
    /// The player.
    pub player: usize,
    /// The place, from 1. Players who are equal in everything share one.
    pub place: usize,
    /// The points in halves, those of a bye included.
    pub half_points: u64,
    /// The number of byes.
    pub byes: usize,
    /// In half points.
    buchholz: u64,
    /// In quarter points, times the games of an encounter.
    sonneborn_berger: u64,
    games: usize,
}

impl SwissStanding {
    /// The Buchholz score, in points.
    pub const fn buchholz(&self) -> f64 {
        self.buchholz as f64 / 2.0
    }

    /// The Sonneborn-Berger score, in points.
    pub const fn sonneborn_berger(&self) -> f64 {
        self.sonneborn_berger as f64 / (4 * self.games) as f64
    }

    const fn key(&self) -> [u64; 3] {
        [self.half_points, self.buchholz, self.sonneborn_berger]
    }
}

impl SwissTournament {
    /// The standings, the best place first. Players who share a place are in the order of their seeds.
    pub fn standings(&self) -> Vec<SwissStanding> {
        let records = self.records();
        let bye = self.rules.bye_half_points();
        let mut standings: Vec<SwissStanding> = records
            .iter()
            .enumerate()
            .map(|(player, record)| SwissStanding {
                player,
                place: 1,
                half_points: record.half_points,
                byes: record.byes,
                buchholz: record.byes as u64 * record.half_points,
                sonneborn_berger: record.byes as u64 * bye * record.half_points,
                games: self.rules.games,
            })
            .collect();
        for encounter in self.rounds.iter().flat_map(|round| &round.encounters) {
            for (seat, &player) in encounter.players.iter().enumerate() {
                let opponent = records[encounter.players[1 - seat]].half_points;
                standings[player].buchholz += opponent;
                // Whole numbers, so that equal sums compare as equal.
                standings[player].sonneborn_berger += encounter.half_points[seat] * opponent;
            }
        }
        standings.sort_by_key(|standing| std::cmp::Reverse(standing.key()));
        for index in 1..standings.len() {
            let (earlier, later) = standings.split_at_mut(index);
            let (above, standing) = (&earlier[index - 1], &mut later[0]);
            standing.place = if above.key() == standing.key() { above.place } else { index + 1 };
        }
        standings
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::{MoreWhite, SwissEncounter, SwissRound, SwissRules};
    use super::*;

    fn encounter(players: [usize; 2], half_points: [u64; 2]) -> SwissEncounter {
        SwissEncounter { players, half_points }
    }

    fn tournament(players: usize, games: usize, rounds: Vec<SwissRound>) -> SwissTournament {
        SwissTournament { rules: SwissRules { players, games, white: MoreWhite::Neither }, rounds }
    }

    /// `place. player points Buchholz Sonneborn-Berger`, best first.
    fn shown(tournament: &SwissTournament) -> Vec<String> {
        let line = |it: SwissStanding| {
            let points = it.half_points as f64 / 2.0;
            format!("{}. {} {points} {} {}", it.place, it.player, it.buchholz(), it.sonneborn_berger())
        };
        tournament.standings().into_iter().map(line).collect()
    }

    #[test]
    fn buchholz_decides_between_equal_points() {
        let rounds = [
            [encounter([0, 1], [2, 0]), encounter([2, 3], [2, 0])],
            [encounter([0, 2], [1, 1]), encounter([1, 3], [2, 0])],
        ];
        let rounds = rounds.map(|round| SwissRound { encounters: round.to_vec(), bye: None });
        let found = shown(&tournament(4, 1, rounds.to_vec()));
        assert_eq!(found, ["1. 0 1.5 2.5 1.75", "2. 2 1.5 1.5 0.75", "3. 1 1 1.5 0", "4. 3 0 2.5 0"]);
    }

    #[test]
    fn sonneborn_berger_decides_between_equal_buchholz_scores() {
        let rounds = [
            [encounter([0, 2], [4, 0]), encounter([1, 3], [4, 0])],
            [encounter([0, 3], [2, 2]), encounter([1, 2], [2, 2])],
            [encounter([0, 1], [2, 2]), encounter([2, 3], [4, 0])],
        ];
        let rounds = rounds.map(|round| SwissRound { encounters: round.to_vec(), bye: None });
        let found = shown(&tournament(4, 2, rounds.to_vec()));
        assert_eq!(found, ["1. 0 4 8 5.5", "2. 1 4 8 4.5", "3. 2 3 9 3", "4. 3 1 11 2"]);
    }

    #[test]
    fn bye_is_a_won_encounter_against_an_equal_opponent() {
        let rounds = vec![SwissRound { encounters: vec![encounter([0, 1], [1, 1])], bye: Some(2) }];
        let tournament = tournament(3, 1, rounds);
        assert_eq!(shown(&tournament), ["1. 2 1 1 1", "2. 0 0.5 0.5 0.25", "2. 1 0.5 0.5 0.25"]);
        assert_eq!(tournament.standings()[0].byes, 1);
    }

    #[test]
    fn all_share_the_first_place_before_the_first_round() {
        assert_eq!(shown(&tournament(3, 1, Vec::new())), ["1. 0 0 0 0", "1. 1 0 0 0", "1. 2 0 0 0"]);
    }
}
