//! The schedule of a match or tournament as a pure function of a game's index.
//!
//! A game's index determines its players, colours and opening. So a run can be resumed, distributed over
//! workers, and judged in schedule order.
//!
//! * Games 2k and 2k + 1 are a pair: one opening, colours reversed. With [`EncounterLength::Single`] each
//!   game has its own opening.
//! * A round has one encounter of every pairing, all from the same opening, so that openings favour no
//!   pairing.
//! * Within a round the pairings follow Berger tables: in any stretch of the schedule the players have nearly
//!   the same number of games.

use std::num::NonZeroUsize;

use super::cutechess_order::{CutechessOrder, CutechessTournament};
use super::knockout::{self, MOST_EXTRA_PAIRS};
use super::tournament::pyramid;
pub use super::tournament::{Colours, EncounterLength, ScheduledGame, TournamentFormat};

/// What a schedule has besides its players and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduleRules {
    /// The games of an encounter.
    pub encounter: EncounterLength,
    /// Who has White.
    pub colours: Colours,
    /// How many players of a gauntlet, from the first, meet all others. A gauntlet of fewer than two more
    /// players is a round robin.
    pub seeds: NonZeroUsize,
    /// The rounds of a Swiss tournament; `None` for the other formats.
    pub rounds: Option<NonZeroUsize>,
    /// The order of cutechess-cli in place of this module's, for its command lines.
    pub cutechess: Option<CutechessOrder>,
}

/// The rounds of a tournament in which who meets depends on the results of earlier rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultRounds {
    /// Their number.
    pub rounds: usize,
    /// The encounters of all rounds.
    pub encounters: usize,
}

impl Default for ScheduleRules {
    fn default() -> Self {
        Self {
            encounter: EncounterLength::Pair,
            colours: Colours::Alternate,
            seeds: NonZeroUsize::MIN,
            rounds: None,
            cutechess: None,
        }
    }
}

impl Colours {
    /// Does the second player have White in the game with this index?
    const fn are_swapped(self, index: usize) -> bool {
        match self {
            Self::Alternate => !index.is_multiple_of(2),
            Self::AlternateReversed => index.is_multiple_of(2),
            Self::Fixed => false,
            Self::FixedReversed => true,
        }
    }
}

/// A match or tournament.
///
/// ```
/// use threefold_games::pairing::{Schedule, ScheduleRules, TournamentFormat};
///
/// let rules = ScheduleRules::default();
/// let schedule = Schedule { players: 2, format: TournamentFormat::RoundRobin, encounters: 3, openings: 2, rules };
/// assert_eq!(schedule.games(), 6);
/// let [first, second] = [0, 1].map(|index| schedule.game(index).expect("scheduled"));
/// assert_eq!((first.white, first.black, first.opening), (0, 1, 0));
/// assert_eq!((second.white, second.black, second.opening), (1, 0, 0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// Number of players; with fewer than two there are no games.
    pub players: usize,
    /// Which players meet.
    pub format: TournamentFormat,
    /// Encounters in total: pairs of games, or single games. Complete rounds need a multiple of
    /// [`Schedule::pairings`]. For a knockout those of an encounter that is not level after them, for a Swiss
    /// tournament those of an encounter.
    pub encounters: usize,
    /// Openings in the book. They are used in order, and again from the first when none is left.
    pub openings: usize,
    /// Everything else.
    pub rules: ScheduleRules,
}

/// The most games of a schedule: far more than are ever played, and few enough to keep each result in memory.
pub const MOST_GAMES: usize = 10_000_000;

impl Schedule {
    /// The number of pairings, and so of encounters, in a round.
    pub const fn pairings(&self) -> usize {
        let others = self.players.saturating_sub(1);
        match self.format {
            TournamentFormat::RoundRobin | TournamentFormat::Pyramid => self.players * others / 2,
            TournamentFormat::Knockout | TournamentFormat::Swiss => {
                if others == 0 {
                    0
                } else {
                    1
                }
            }
            TournamentFormat::Gauntlet => {
                let seeds = self.seeds();
                let seeds_meet = self.rules.cutechess.is_none();
                let among_seeds = if seeds_meet { seeds * seeds.saturating_sub(1) / 2 } else { 0 };
                seeds * (self.players - seeds) + among_seeds
            }
        }
    }

    /// The number of players that meet all others; at most all but one, who has met everyone then.
    const fn seeds(&self) -> usize {
        let others = self.players.saturating_sub(1);
        let seeds = self.rules.seeds.get();
        // `Ord::min` cannot be called in a `const fn`.
        if seeds < others { seeds } else { others }
    }

    /// The number of games; for a knockout the largest number, if it is lengthened as far as it can be.
    pub const fn games(&self) -> usize {
        let extra = if matches!(self.format, TournamentFormat::Knockout) { MOST_EXTRA_PAIRS } else { 0 };
        self.games_of(self.encounters + extra)
    }

    /// The number of games without those that level encounters of a knockout are lengthened by.
    pub const fn regular_games(&self) -> usize {
        self.games_of(self.encounters)
    }

    /// The rounds, if who meets depends on results. This schedule is that of each encounter then.
    pub fn result_rounds(&self) -> Option<ResultRounds> {
        match self.format {
            TournamentFormat::RoundRobin | TournamentFormat::Gauntlet | TournamentFormat::Pyramid => None,
            TournamentFormat::Knockout => Some(ResultRounds {
                rounds: knockout::rounds(self.players),
                encounters: self.players.saturating_sub(1),
            }),
            TournamentFormat::Swiss => {
                let rounds = self.rules.rounds.map_or(1, NonZeroUsize::get);
                Some(ResultRounds { rounds, encounters: rounds.saturating_mul(self.players / 2) })
            }
        }
    }

    const fn games_of(&self, pairs: usize) -> usize {
        if self.pairings() == 0 || self.openings == 0 { 0 } else { self.rules.encounter.games() * pairs }
    }

    /// The game with this index; `None` beyond the schedule.
    pub fn game(&self, index: usize) -> Option<ScheduledGame> {
        if index >= self.games() {
            return None;
        }
        if let Some(order) = self.rules.cutechess {
            let tournament = CutechessTournament {
                players: self.players,
                format: self.format,
                pairings: self.pairings(),
                seeds: self.seeds(),
                colours: self.rules.colours,
                encounter: self.rules.encounter,
                openings: self.openings,
            };
            return Some(order.game(&tournament, index));
        }
        let pair = index / self.rules.encounter.games();
        let round = pair / self.pairings();
        let meeting = pair % self.pairings();
        let (first, second) = match self.format {
            TournamentFormat::RoundRobin => berger(self.players, meeting),
            TournamentFormat::Gauntlet => gauntlet(self.players, meeting),
            TournamentFormat::Pyramid => pyramid(meeting),
            TournamentFormat::Knockout | TournamentFormat::Swiss => (0, 1),
        };
        let turn = match self.rules.encounter {
            EncounterLength::Pair => index,
            // In a round, a player meets every other opponent with White. The next round has the colours
            // reversed.
            EncounterLength::Single => round + (first + second + 1) % 2,
        };
        let swapped = self.rules.colours.are_swapped(turn);
        let (white, black) = if swapped { (second, first) } else { (first, second) };
        Some(ScheduledGame {
            index,
            round: round + 1,
            encounter: pair,
            white,
            black,
            // All encounters of a round have one opening, so every player gets it against every opponent.
            opening: round % self.openings,
        })
    }

    /// The number of openings that it uses if the book has enough.
    pub fn openings_needed(&self) -> usize {
        // With so large a book no opening recurs, so the last game has the largest index.
        let endless = Self { openings: usize::MAX, ..*self };
        let last = self.games().checked_sub(1).and_then(|last| endless.game(last));
        last.map_or(0, |game| game.opening + 1)
    }

    /// Every game, in order.
    pub fn all_games(&self) -> impl Iterator<Item = ScheduledGame> + '_ {
        (0..self.games()).map_while(|index| self.game(index))
    }
}

/// The k-th pairing of a gauntlet: each seed meets all players after it.
const fn gauntlet(players: usize, mut meeting: usize) -> (usize, usize) {
    let mut seed = 0;
    while meeting >= players - 1 - seed {
        meeting -= players - 1 - seed;
        seed += 1;
    }
    (seed, seed + 1 + meeting)
}

/// The k-th pairing of the Berger tables (round-robin circle method), lower number first.
///
/// All players but the last are on a circle. At each step, opposite players meet, and the one at the end
/// meets the last player. With an odd number of players, the last one is a bye.
fn berger(players: usize, meeting: usize) -> (usize, usize) {
    let circle = players - 1 + players % 2;
    let boards = players / 2;
    let (step, board) = (meeting / boards, meeting % boards);
    let (one, other) = match (players.is_multiple_of(2), board) {
        (true, 0) => (step, players - 1),
        (true, seat) => ((step + seat) % circle, (step + circle - seat) % circle),
        (false, seat) => ((step + seat + 1) % circle, (step + circle - seat - 1) % circle),
    };
    (one.min(other), one.max(other))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn schedules_have_the_documented_order() {
        let table = [
            // players, format, pairs, openings; games as round:white-black@opening
            (2, TournamentFormat::RoundRobin, 2, 5, "1:0-1@0 1:1-0@0 2:0-1@1 2:1-0@1"),
            (2, TournamentFormat::Gauntlet, 3, 2, "1:0-1@0 1:1-0@0 2:0-1@1 2:1-0@1 3:0-1@0 3:1-0@0"),
            (3, TournamentFormat::Gauntlet, 3, 9, "1:0-1@0 1:1-0@0 1:0-2@0 1:2-0@0 2:0-1@1 2:1-0@1"),
            (3, TournamentFormat::RoundRobin, 3, 1, "1:1-2@0 1:2-1@0 1:0-2@0 1:2-0@0 1:0-1@0 1:1-0@0"),
            (
                4,
                TournamentFormat::Pyramid,
                6,
                9,
                "1:1-0@0 1:0-1@0 1:2-0@0 1:0-2@0 1:2-1@0 1:1-2@0 1:3-0@0 1:0-3@0 1:3-1@0 1:1-3@0 1:3-2@0 1:2-3@0",
            ),
            (2, TournamentFormat::Pyramid, 2, 9, "1:1-0@0 1:0-1@0 2:1-0@1 2:0-1@1"),
            (1, TournamentFormat::RoundRobin, 3, 1, ""),
            (0, TournamentFormat::Gauntlet, 3, 1, ""),
            (2, TournamentFormat::Gauntlet, 3, 0, ""),
            (1, TournamentFormat::Knockout, 3, 1, ""),
            (4, TournamentFormat::Swiss, 2, 1, "1:0-1@0 1:1-0@0 2:0-1@0 2:1-0@0"),
        ];
        for (players, format, encounters, openings, expected) in table {
            let schedule =
                Schedule { players, format, encounters, openings, rules: ScheduleRules::default() };
            let games: Vec<String> = schedule
                .all_games()
                .map(|game| format!("{}:{}-{}@{}", game.round, game.white, game.black, game.opening))
                .collect();
            assert_eq!(games.join(" "), expected, "{schedule:?}");
            assert_eq!(schedule.game(schedule.games()), None);
        }
    }

    #[test]
    fn encounter_of_a_knockout_can_be_lengthened_in_the_order_of_the_book() {
        let format = TournamentFormat::Knockout;
        let schedule =
            Schedule { players: 2, format, encounters: 2, openings: 3, rules: ScheduleRules::default() };
        assert_eq!((schedule.regular_games(), schedule.games()), (4, 4 + 2 * MOST_EXTRA_PAIRS));
        let games = schedule.all_games().skip(2).take(6);
        let games: Vec<String> = games
            .map(|game| format!("{}:{}-{}@{}", game.round, game.white, game.black, game.opening))
            .collect();
        assert_eq!(games.join(" "), "2:0-1@1 2:1-0@1 3:0-1@2 3:1-0@2 4:0-1@0 4:1-0@0");
    }

    #[test]
    fn schedule_rules_set_encounters_colours_and_seeds() {
        let rules = |encounter, colours, seeds| ScheduleRules {
            encounter,
            colours,
            seeds: NonZeroUsize::new(seeds).expect("not zero"),
            ..ScheduleRules::default()
        };
        let table = [
            // players, rules, encounters; games as round:white-black@opening
            (2, rules(EncounterLength::Single, Colours::Alternate, 1), 3, "1:0-1@0 2:1-0@1 3:0-1@2"),
            (2, rules(EncounterLength::Single, Colours::FixedReversed, 1), 2, "1:1-0@0 2:1-0@1"),
            (2, rules(EncounterLength::Pair, Colours::Fixed, 1), 2, "1:0-1@0 1:0-1@0 2:0-1@1 2:0-1@1"),
            (2, rules(EncounterLength::Pair, Colours::AlternateReversed, 1), 1, "1:1-0@0 1:0-1@0"),
            (
                4,
                rules(EncounterLength::Single, Colours::Fixed, 2),
                5,
                "1:0-1@0 1:0-2@0 1:0-3@0 1:1-2@0 1:1-3@0",
            ),
            (3, rules(EncounterLength::Single, Colours::Fixed, 9), 3, "1:0-1@0 1:0-2@0 1:1-2@0"),
            (3, rules(EncounterLength::Single, Colours::Alternate, 1), 4, "1:0-1@0 1:2-0@0 2:1-0@1 2:0-2@1"),
        ];
        for (players, rules, encounters, expected) in table {
            let format = TournamentFormat::Gauntlet;
            let schedule = Schedule { players, format, encounters, openings: 9, rules };
            let games: Vec<String> = schedule
                .all_games()
                .map(|game| format!("{}:{}-{}@{}", game.round, game.white, game.black, game.opening))
                .collect();
            assert_eq!(games.join(" "), expected, "{rules:?}");
        }
    }

    proptest! {
        #[test]
        fn single_games_share_the_colours_fairly(players in 2..13_usize, rounds in 1..5_usize) {
            let rules = ScheduleRules { encounter: EncounterLength::Single, ..ScheduleRules::default() };
            let format = TournamentFormat::RoundRobin;
            let mut schedule = Schedule { players, format, encounters: 0, openings: 7, rules };
            schedule.encounters = rounds * schedule.pairings();
            let (mut of_pairing, mut of_player) = (BTreeMap::new(), vec![0_i64; players]);
            for game in schedule.all_games() {
                let key = (game.white.min(game.black), game.white.max(game.black));
                *of_pairing.entry(key).or_insert(0_i64) += if game.white < game.black { 1 } else { -1 };
                of_player[game.white] += 1;
                of_player[game.black] -= 1;
            }
            prop_assert!(of_pairing.values().all(|more| more.abs() <= 1), "{of_pairing:?}");
            prop_assert!(of_player.iter().all(|more| more.abs() <= 1), "{of_player:?}");
        }

        #[test]
        fn round_robin_is_balanced_at_every_moment(players in 2..13_usize, rounds in 1..3_usize) {
            let format = TournamentFormat::RoundRobin;
            let mut schedule =
                Schedule { players, format, encounters: 0, openings: 7, rules: ScheduleRules::default() };
            schedule.encounters = rounds * schedule.pairings();
            let mut met = BTreeMap::new();
            let mut games = vec![0_usize; players];
            for game in schedule.all_games() {
                *met.entry((game.white, game.black)).or_insert(0_usize) += 1;
                games[game.white] += 1;
                games[game.black] += 1;
                if !game.index.is_multiple_of(2) {
                    let spread = games.iter().max().expect("players") - games.iter().min().expect("players");
                    // A pair is two games. With an odd number, a player has a bye in the old step and one in
                    // the new.
                    prop_assert!(spread <= 2 + 2 * (players % 2), "{games:?}");
                }
            }
            for white in 0..players {
                for black in (0..players).filter(|&black| black != white) {
                    prop_assert_eq!(met.get(&(white, black)), Some(&rounds));
                }
            }
        }

        #[test]
        fn pair_swaps_colours_and_keeps_its_opening(
            players in 2..9_usize, encounters in 1..60_usize, openings in 1..9_usize, gauntlet in any::<bool>(),
        ) {
            let format = if gauntlet { TournamentFormat::Gauntlet } else { TournamentFormat::RoundRobin };
            let schedule = Schedule { players, format, encounters, openings, rules: ScheduleRules::default() };
            let games: Vec<ScheduledGame> = schedule.all_games().collect();
            prop_assert_eq!(games.len(), 2 * encounters);
            for pair in games.chunks(2) {
                prop_assert_eq!((pair[0].white, pair[0].black), (pair[1].black, pair[1].white));
                prop_assert_eq!((pair[0].opening, pair[0].round, pair[0].encounter), (pair[1].opening, pair[1].round, pair[1].encounter));
            }
        }
    }
}
