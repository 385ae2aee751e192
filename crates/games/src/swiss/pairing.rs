//! Who meets in the next round of a Swiss tournament.
//!
//! The pairing is a perfect matching of minimum cost (Ólafsson, Weighted matching in chess tournaments, Journal
//! of the Operational Research Society 41, 1990). The criteria are those of the Dutch system of FIDE (Handbook,
//! C.04.3) in a simpler form, the most important first:
//!
//! 1. No player has a second bye. There is always one who had none, since [`most_rounds`] limits the rounds.
//! 2. As few players as possible meet again. In the first n / 2 rounds of n players none do: each has met so
//!    few that everyone can have a new opponent (Dirac's theorem).
//! 3. The bye goes to a player with the fewest points.
//! 4. No player has one colour three times more often than the other.
//! 5. The differences of points are small: the sum of their squares is.
//! 6. Colours are balanced.
//! 7. Players with equal points are ranked by seed, and those of the upper half of their group meet those of
//!    the lower half.
//! 8. They do so in the same order. Between two groups the nearest ranks meet. The lowest rank has the bye.
//!
//! The criteria about colours matter only if an encounter gives one player White more often.
//!
//! [`most_rounds`]: super::most_rounds

use integer_blossom::{Weight, min_weight_perfect_matching};

use super::colour::{self, higher_has_white};
use super::cost::{Cost, Criteria};
use super::history::{MoreWhite, PlayerRecord, SwissTournament};

/// The encounters of a round, and who has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwissPairing {
    /// The players of each encounter, in the order of the schedule of their games. The encounter of the player
    /// with the highest rank is first.
    pub encounters: Vec<[usize; 2]>,
    /// The player without an opponent, if the number of players is odd.
    pub bye: Option<usize>,
}

/// A player among all, by points and then by seed.
struct Ranked {
    player: usize,
    record: PlayerRecord,
    /// The number of players with as many points.
    group: usize,
    /// The place among them, from 0.
    place: usize,
}

impl Ranked {
    const fn is_in_the_upper_half(&self) -> bool {
        self.place < self.group / 2
    }
}

impl SwissTournament {
    /// The next round, after rounds that are all over.
    pub fn next_round(&self) -> SwissPairing {
        let ranking = self.ranking();
        let places = ranking.len() + ranking.len() % 2;
        let mates = min_weight_perfect_matching(&self.costs(&ranking), places);
        let (mut encounters, mut bye) = (Vec::new(), None);
        // Each encounter is there from both sides. The bye has the last rank, so it is always the mate.
        for (rank, &mate) in mates.iter().enumerate().filter(|(rank, mate)| rank < *mate) {
            match ranking.get(mate) {
                Some(other) => {
                    let board = encounters.len();
                    encounters.push(self.in_order([&ranking[rank], other], board));
                }
                None => bye = Some(ranking[rank].player),
            }
        }
        SwissPairing { encounters, bye }
    }

    /// All players, most points first; players with equal points by seed.
    fn ranking(&self) -> Vec<Ranked> {
        let records = self.records();
        let among = |records: &[PlayerRecord], points: u64| {
            records.iter().filter(|it| it.half_points == points).count()
        };
        let mut ranking: Vec<Ranked> = records
            .iter()
            .enumerate()
            .map(|(player, record)| Ranked {
                player,
                record: record.clone(),
                group: among(&records, record.half_points),
                place: among(&records[..player], record.half_points),
            })
            .collect();
        // The sort is stable, so players with equal points stay in the order of their seeds.
        ranking.sort_by_key(|ranked| std::cmp::Reverse(ranked.record.half_points));
        ranking
    }

    /// The costs of all encounters, as a matrix of ranks. If the number of players is odd, the last rank is the
    /// bye.
    fn costs(&self, ranking: &[Ranked]) -> Vec<Cost> {
        let places = ranking.len() + ranking.len() % 2;
        let mut costs = vec![Cost::ZERO; places * places];
        for rank in 0..ranking.len() {
            // The matching reads only the upper triangle of the matrix.
            for mate in rank + 1..places {
                let criteria = match ranking.get(mate) {
                    Some(_) => self.encounter(ranking, rank, mate),
                    None => bye(ranking, rank),
                };
                costs[rank * places + mate] = Cost::from(criteria);
            }
        }
        costs
    }

    /// What an encounter of these ranks costs; the first is the higher one.
    fn encounter(&self, ranking: &[Ranked], rank: usize, mate: usize) -> Criteria {
        let (higher, lower) = (&ranking[rank], &ranking[mate]);
        let met = higher.record.opponents.iter().filter(|opponent| **opponent == lower.player).count();
        // Ranks are in the order of points, so the difference is not negative.
        let difference = signed(higher.record.half_points - lower.record.half_points);
        let (same_half, preferred) = if difference == 0 {
            (higher.is_in_the_upper_half() == lower.is_in_the_upper_half(), higher.group / 2)
        } else {
            (false, 1)
        };
        let colours = match self.rules.white {
            MoreWhite::Neither => Criteria::default(),
            MoreWhite::First | MoreWhite::Second => colour::criteria(&higher.record, &lower.record),
        };
        Criteria {
            earlier_encounters: square(signed(met)),
            points: square(difference),
            same_half: i64::from(same_half),
            distance: square(signed(mate - rank) - signed(preferred)),
            ..colours
        }
    }

    /// The players of an encounter in the order in which the right one has White more often; the higher rank
    /// first if neither has.
    fn in_order(&self, [higher, lower]: [&Ranked; 2], board: usize) -> [usize; 2] {
        let gets_white = higher_has_white(&higher.record, &lower.record, board);
        let higher_is_first = match self.rules.white {
            MoreWhite::Neither => true,
            MoreWhite::First => gets_white,
            MoreWhite::Second => !gets_white,
        };
        if higher_is_first { [higher.player, lower.player] } else { [lower.player, higher.player] }
    }
}

/// What the bye of this rank costs.
fn bye(ranking: &[Ranked], rank: usize) -> Criteria {
    let record = &ranking[rank].record;
    Criteria {
        earlier_byes: signed(record.byes),
        bye_points: signed(record.half_points),
        distance: square(signed(ranking.len() - 1 - rank)),
        ..Criteria::default()
    }
}

/// A count of a tournament, for the difference of two.
fn signed<N: TryInto<i64>>(count: N) -> i64 {
    count.try_into().unwrap_or_else(|_| unreachable!("a tournament has fewer players and games"))
}

const fn square(number: i64) -> i64 {
    number * number
}

#[cfg(test)]
#[path = "pairing_tests.rs"]
mod tests;
