//! Who meets whom: the schedule of a match or tournament as a pure function of a game's index.
//!
//! Nothing is dealt out while playing. A game's index fixes its players, colours and opening, so that a run
//! can be resumed, split among workers and judged in schedule order whatever ended first.
//!
//! * Games 2k and 2k + 1 are a pair: one opening, colours swapped.
//! * A round holds one pair of every meeting, all from the same opening, so that no meeting is favoured by
//!   its openings.
//! * Within a round the meetings stand in the order of Berger's tables: any stretch of the schedule gives
//!   the players as equal a number of games as can be.

threefold_named_enum::named_enum! {
    /// Who meets whom.
    pub enum TournamentFormat {
        /// Everyone meets everyone.
        RoundRobin = "round-robin",
        /// The first player meets each of the others.
        Gauntlet = "gauntlet",
    }
}

/// A match or tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// How many players there are; fewer than two play nothing.
    pub players: usize,
    /// Who meets whom.
    pub format: TournamentFormat,
    /// Pairs of games in all. Whole rounds have a multiple of [`Schedule::meetings`].
    pub pairs: usize,
    /// Openings in the book; they are used in order, and again from the first when they run out.
    pub openings: usize,
}

/// One game of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScheduledGame {
    /// The game's place in the schedule, from 0.
    pub index: usize,
    /// The round, from 1.
    pub round: usize,
    /// The pair, from 0; its games are 2 · `pair` and the one after.
    pub pair: usize,
    /// Who has White.
    pub white: usize,
    /// Who has Black.
    pub black: usize,
    /// Which opening.
    pub opening: usize,
}

/// Games that a schedule may have: far more than anybody plays, and few enough to keep a result of each in memory.
pub const MOST_GAMES: usize = 10_000_000;

impl Schedule {
    /// How many meetings, and so pairs, make a round.
    pub const fn pairings(&self) -> usize {
        match self.format {
            TournamentFormat::RoundRobin => self.players * self.players.saturating_sub(1) / 2,
            TournamentFormat::Gauntlet => self.players.saturating_sub(1),
        }
    }

    /// How many games there are.
    pub const fn games(&self) -> usize {
        if self.pairings() == 0 || self.openings == 0 { 0 } else { 2 * self.pairs }
    }

    /// The game of this index; `None` beyond the schedule.
    pub fn game(&self, index: usize) -> Option<ScheduledGame> {
        if index >= self.games() {
            return None;
        }
        let pair = index / 2;
        let round = pair / self.pairings();
        let meeting = pair % self.pairings();
        let (first, second) = match self.format {
            TournamentFormat::RoundRobin => berger(self.players, meeting),
            TournamentFormat::Gauntlet => (0, meeting + 1),
        };
        let (white, black) = if index.is_multiple_of(2) { (first, second) } else { (second, first) };
        Some(ScheduledGame { index, round: round + 1, pair, white, black, opening: round % self.openings })
    }

    /// Every game, in order.
    pub fn all_games(&self) -> impl Iterator<Item = ScheduledGame> + '_ {
        (0..self.games()).map_while(|index| self.game(index))
    }
}

/// The k-th meeting of Berger's tables, lower number first.
///
/// The players but the last sit in a circle; at each step everyone meets whoever sits opposite, and the one
/// at the end meets the last. An odd number gets an empty last seat, and whoever meets it rests.
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
    fn schedules_are_laid_out() {
        let table = [
            // players, format, pairs, openings; games as round:white-black@opening
            (2, TournamentFormat::RoundRobin, 2, 5, "1:0-1@0 1:1-0@0 2:0-1@1 2:1-0@1"),
            (2, TournamentFormat::Gauntlet, 3, 2, "1:0-1@0 1:1-0@0 2:0-1@1 2:1-0@1 3:0-1@0 3:1-0@0"),
            (3, TournamentFormat::Gauntlet, 3, 9, "1:0-1@0 1:1-0@0 1:0-2@0 1:2-0@0 2:0-1@1 2:1-0@1"),
            (3, TournamentFormat::RoundRobin, 3, 1, "1:1-2@0 1:2-1@0 1:0-2@0 1:2-0@0 1:0-1@0 1:1-0@0"),
            (1, TournamentFormat::RoundRobin, 3, 1, ""),
            (0, TournamentFormat::Gauntlet, 3, 1, ""),
            (2, TournamentFormat::Gauntlet, 3, 0, ""),
        ];
        for (players, format, pairs, openings, expected) in table {
            let schedule = Schedule { players, format, pairs, openings };
            let games: Vec<String> = schedule
                .all_games()
                .map(|game| format!("{}:{}-{}@{}", game.round, game.white, game.black, game.opening))
                .collect();
            assert_eq!(games.join(" "), expected, "{schedule:?}");
            assert_eq!(schedule.game(schedule.games()), None);
        }
    }

    proptest! {
        #[test]
        fn a_round_robin_is_fair_at_every_moment(players in 2..13_usize, rounds in 1..3_usize) {
            let mut schedule = Schedule { players, format: TournamentFormat::RoundRobin, pairs: 0, openings: 7 };
            schedule.pairs = rounds * schedule.pairings();
            let mut met = BTreeMap::new();
            let mut games = vec![0_usize; players];
            for game in schedule.all_games() {
                *met.entry((game.white, game.black)).or_insert(0_usize) += 1;
                games[game.white] += 1;
                games[game.black] += 1;
                if !game.index.is_multiple_of(2) {
                    let spread = games.iter().max().expect("players") - games.iter().min().expect("players");
                    // A pair is two games; an odd number makes somebody rest, once in the old step and once in the new.
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
        fn a_pair_swaps_colours_and_keeps_its_opening(
            players in 2..9_usize, pairs in 1..60_usize, openings in 1..9_usize, gauntlet in any::<bool>(),
        ) {
            let format = if gauntlet { TournamentFormat::Gauntlet } else { TournamentFormat::RoundRobin };
            let schedule = Schedule { players, format, pairs, openings };
            let games: Vec<ScheduledGame> = schedule.all_games().collect();
            prop_assert_eq!(games.len(), 2 * pairs);
            for pair in games.chunks(2) {
                prop_assert_eq!((pair[0].white, pair[0].black), (pair[1].black, pair[1].white));
                prop_assert_eq!((pair[0].opening, pair[0].round, pair[0].pair), (pair[1].opening, pair[1].round, pair[1].pair));
            }
        }
    }
}
