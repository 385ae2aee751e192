//! The bracket of a knockout tournament as a pure function of the winners so far.
//!
//! Players are numbered by seed, the best first. The first round is the standard bracket: of eight players 1
//! meets 8, 4 meets 5, 2 meets 7, and 3 meets 6, so that the best two can meet in the final only. If the
//! number of players is no power of two, the best seeds have a bye in the first round. Neighbours of a round
//! meet in the next one.

use std::num::NonZeroUsize;

use threefold_stats::GameResult;

/// The most pairs, or single games, that an encounter is lengthened by while it is level. Engines that always
/// play the same game never decide it otherwise.
pub const MOST_EXTRA_PAIRS: usize = 50;

/// The most players of a tournament.
pub const MOST_PLAYERS: usize = 1024;

/// A place of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// This player goes on without a game.
    Bye(usize),
    /// Two players meet.
    Meeting {
        /// The players, the better seed first.
        players: [usize; 2],
        /// Who goes on; `None` while it is not decided.
        winner: Option<usize>,
    },
}

impl Place {
    /// Who goes on; `None` while it is not decided.
    pub const fn winner(&self) -> Option<usize> {
        match *self {
            Self::Bye(player) => Some(player),
            Self::Meeting { winner, .. } => winner,
        }
    }
}

/// The known rounds of a bracket. A round is known once all encounters of the round before it are decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bracket {
    rounds: Vec<Vec<Place>>,
}

impl Bracket {
    /// The bracket of this number of players, at least one. `winner` gets each encounter once, in order: its
    /// number from 0 in the tournament and its players, the better seed first. It returns who goes on, or
    /// `None` while that is not decided.
    pub fn play(players: usize, mut winner: impl FnMut(usize, [usize; 2]) -> Option<usize>) -> Self {
        let size = players.max(1).next_power_of_two();
        let seeds: Vec<Option<usize>> =
            seed_order(size).into_iter().map(|seed| (seed < players).then_some(seed)).collect();
        let mut rounds: Vec<Vec<Place>> = Vec::new();
        let mut entrants = seeds;
        let mut number = 0;
        while entrants.len() > 1 {
            let place = |two: &[Option<usize>]| match *two {
                [Some(one), Some(other)] => {
                    let players = [one.min(other), one.max(other)];
                    number += 1;
                    Some(Place::Meeting { players, winner: winner(number - 1, players) })
                }
                [one, other] => one.or(other).map(Place::Bye),
                _ => None,
            };
            let round: Vec<Place> = entrants.chunks(2).filter_map(place).collect();
            let winners: Vec<Option<usize>> = round.iter().map(Place::winner).collect();
            rounds.push(round);
            if winners.contains(&None) {
                break;
            }
            entrants = winners;
        }
        Self { rounds }
    }

    /// The known rounds, the first one first, each from top to bottom.
    pub fn rounds(&self) -> &[Vec<Place>] {
        &self.rounds
    }

    /// The known encounters in order: the round from 0, and the players, the better seed first.
    pub fn encounters(&self) -> impl Iterator<Item = (usize, [usize; 2])> {
        self.rounds.iter().enumerate().flat_map(|(round, places)| {
            places.iter().filter_map(move |place| match *place {
                Place::Meeting { players, .. } => Some((round, players)),
                Place::Bye(_) => None,
            })
        })
    }

    /// The winner of the tournament; `None` while the final is not decided.
    pub fn champion(&self) -> Option<usize> {
        match &self.rounds.last()?[..] {
            [last] => last.winner(),
            _ => None,
        }
    }
}

/// The number of rounds of a tournament of this number of players.
pub fn rounds(players: usize) -> usize {
    players.max(1).next_power_of_two().ilog2() as usize
}

/// The seeds from 0 from top to bottom of a bracket whose size is a power of two. Each seed of the bracket of
/// half the size meets the one that adds up with it to the size less one.
fn seed_order(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let size = 2 * order.len();
        order = order.into_iter().flat_map(|seed| [seed, size - 1 - seed]).collect();
    }
    order
}

/// When an encounter is over.
///
/// It has N games. It ends earlier once a player has more than half of their points, and is extended while it
/// is level. That is checked after each pair, when both players have had White equally often; after each game
/// if N is odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncounterRule {
    /// Its games before any that it is lengthened by; a multiple of `unit`.
    pub games: usize,
    /// The games after which the points are looked at: 2, or 1.
    pub unit: NonZeroUsize,
}

impl EncounterRule {
    /// The rule of an encounter of this number of games.
    pub const fn with_games(games: usize) -> Self {
        let unit =
            if games.is_multiple_of(2) { NonZeroUsize::MIN.saturating_add(1) } else { NonZeroUsize::MIN };
        Self { games, unit }
    }
}

/// The points of an encounter so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncounterScore {
    rule: EncounterRule,
    games: usize,
    half_points: [u64; 2],
}

impl EncounterScore {
    /// No game yet.
    pub const fn new(rule: EncounterRule) -> Self {
        Self { rule, games: 0, half_points: [0; 2] }
    }

    /// Adds a game; the result is that of the better seed.
    pub const fn add(&mut self, result: GameResult) {
        let won = result.half_points() as u64;
        self.games += 1;
        self.half_points[0] += won;
        self.half_points[1] += 2 - won;
    }

    /// The games so far.
    pub const fn games(&self) -> usize {
        self.games
    }

    /// The points in halves, of the better seed first.
    pub const fn half_points(&self) -> [u64; 2] {
        self.half_points
    }

    /// Which player has won, 0 or 1; `None` while further games are needed.
    pub const fn leader(&self) -> Option<usize> {
        let [one, other] = self.half_points;
        if !self.games.is_multiple_of(self.rule.unit.get()) || one == other {
            return None;
        }
        let (most, leader) = if one > other { (one, 0) } else { (other, 1) };
        // N games have 2N half points, so a player with more than N has won, whatever follows.
        if self.games >= self.rule.games || most > self.rule.games as u64 { Some(leader) } else { None }
    }

    /// The number of games that are known to be needed, unless one player leads by enough before.
    pub const fn horizon(&self) -> usize {
        if self.games < self.rule.games {
            return self.rule.games;
        }
        // An incomplete unit is completed; after a complete one without a leader, another follows.
        let units = self.games / self.rule.unit.get();
        if self.leader().is_some() { self.games } else { (units + 1) * self.rule.unit.get() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// The first round as `1-8 4-5 …`, a bye as the seed alone; seeds from 1.
    fn first_round(players: usize) -> String {
        let places = Bracket::play(players, |_, _| None).rounds()[0].clone();
        let text = places.into_iter().map(|place| match place {
            Place::Bye(player) => (player + 1).to_string(),
            Place::Meeting { players: [one, other], .. } => format!("{}-{}", one + 1, other + 1),
        });
        text.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn bracket_has_the_standard_seeding() {
        for (players, expected) in [
            (2, "1-2"),
            (3, "1 2-3"),
            (4, "1-4 2-3"),
            (5, "1 4-5 2 3"),
            (6, "1 4-5 2 3-6"),
            (8, "1-8 4-5 2-7 3-6"),
            (16, "1-16 8-9 4-13 5-12 2-15 7-10 3-14 6-11"),
        ] {
            assert_eq!(first_round(players), expected, "{players} players");
        }
    }

    #[test]
    fn next_round_waits_for_all_encounters_of_a_round() {
        let bracket = |decided: usize| Bracket::play(8, |number, [one, _]| (number < decided).then_some(one));
        for (decided, rounds, encounters, champion) in [
            (0, 1, 4, None),
            (3, 1, 4, None),
            (4, 2, 6, None),
            (5, 2, 6, None),
            (6, 3, 7, None),
            (7, 3, 7, Some(0)),
        ] {
            let bracket = bracket(decided);
            let found = (bracket.rounds().len(), bracket.encounters().count(), bracket.champion());
            assert_eq!(found, (rounds, encounters, champion), "{decided} decided");
        }
        let all: Vec<_> = bracket(7).encounters().collect();
        let expected =
            [(0, [0, 7]), (0, [3, 4]), (0, [1, 6]), (0, [2, 5]), (1, [0, 3]), (1, [1, 2]), (2, [0, 1])];
        assert_eq!(all, expected);
        assert_eq!([1, 2, 3, 4, 5, 64, 65].map(rounds), [0, 1, 2, 2, 3, 6, 7]);
        assert_eq!(Bracket::play(1, |_, _| None).champion(), None, "there is no final");
    }

    /// The score after these games of the better seed: `w`, `d` or `l`.
    fn score(games: usize, results: &str) -> EncounterScore {
        let mut score = EncounterScore::new(EncounterRule::with_games(games));
        for result in results.chars() {
            score.add(match result {
                'w' => GameResult::Win,
                'd' => GameResult::Draw,
                _ => GameResult::Loss,
            });
        }
        score
    }

    #[test]
    fn encounter_ends_with_a_lead_that_cannot_be_made_up() {
        let table = [
            // games, results; leader, horizon
            (2, "", None, 2),
            (2, "w", None, 2),
            (2, "ww", Some(0), 2),
            (2, "wd", Some(0), 2),
            (2, "wl", None, 4),
            (2, "dd", None, 4),
            (2, "ddl", None, 4),
            (2, "ddld", Some(1), 4),
            (2, "ddlw", None, 6),
            (6, "wwww", Some(0), 6),
            (6, "wwwd", Some(0), 6),
            (6, "wwdd", None, 6),
            (6, "llww", None, 6),
            (1, "d", None, 2),
            (1, "dl", Some(1), 2),
            (3, "ww", Some(0), 3),
        ];
        for (games, results, leader, horizon) in table {
            let score = score(games, results);
            assert_eq!((score.leader(), score.horizon()), (leader, horizon), "{games} games: {results}");
        }
        assert_eq!(score(2, "wdl").half_points(), [3, 3]);
    }

    proptest! {
        #[test]
        fn all_but_the_winner_lose_one_encounter(players in 2..=64_usize, choices in any::<u64>()) {
            let mut lost = vec![0; players];
            let bracket = Bracket::play(players, |number, [one, other]| {
                let (winner, loser) = if choices >> number & 1 == 0 { (one, other) } else { (other, one) };
                lost[loser] += 1;
                Some(winner)
            });
            let champion = bracket.champion().expect("all encounters are decided");
            prop_assert_eq!(bracket.encounters().count(), players - 1);
            prop_assert_eq!(bracket.rounds().len(), rounds(players));
            for (player, &lost) in lost.iter().enumerate() {
                prop_assert_eq!(lost, usize::from(player != champion), "player {}", player);
            }
        }

        #[test]
        fn byes_go_to_the_best_seeds_in_the_first_round(players in 2..=64_usize) {
            let bracket = Bracket::play(players, |_, [one, _]| Some(one));
            let byes = |round: &Vec<Place>| -> BTreeSet<usize> {
                let of = |place: &Place| match place { Place::Bye(player) => Some(*player), Place::Meeting { .. } => None };
                round.iter().filter_map(of).collect()
            };
            prop_assert_eq!(byes(&bracket.rounds()[0]), (0..players.next_power_of_two() - players).collect());
            prop_assert!(bracket.rounds()[1..].iter().all(|round| byes(round).is_empty()));
        }

        #[test]
        fn better_seeds_that_always_win_meet_as_late_as_possible(exponent in 1..=6_u32) {
            let players = 2_usize.pow(exponent);
            let bracket = Bracket::play(players, |_, [one, _]| Some(one));
            for (round, [one, other]) in bracket.encounters() {
                prop_assert_eq!(one + other, (players >> round) - 1);
            }
        }
    }
}
