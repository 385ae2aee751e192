//! Counts the results of games in order: by pairing, and by pairs of games.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::block_results::{BlockResults, CountedGame};
use super::pair_matcher::{NumberTable, PairMatcher, PlayerNumber, SingleGame, UnpairedGame};
use super::repeated_games::{RepeatedGames, SeenGames};
use threefold_stats::GameResult;
use threefold_stats::rating::{Crosstable, PairCounts, PlayerIndex};

/// Selects players.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum PlayerFilter {
    /// All players.
    #[default]
    All,
    /// Games between any two of these.
    Only(BTreeSet<String>),
    /// Games with none of these.
    Except(BTreeSet<String>),
}

impl PlayerFilter {
    fn includes(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.contains(name),
            Self::Except(names) => !names.contains(name),
        }
    }
}

/// What is done with drawn games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Draws {
    /// They count.
    #[default]
    Counted,
    /// They are ignored, as Ordo's `-X` does. The other game of a pair is a single game.
    Ignored,
}

/// Results counted so far.
#[derive(Debug, Default)]
pub struct ResultCounter {
    choice: PlayerFilter,
    /// The main name of each other name.
    synonyms: HashMap<String, String>,
    draws: Draws,
    repeats: RepeatedGames,
    seen: SeenGames,
    /// Every main name seen; `None` for a player that the filter excludes.
    players: HashMap<String, Option<PlayerNumber>>,
    chosen: usize,
    /// By players, the lower number first, for pairs; by White and Black for single games.
    meetings: NumberTable<(PlayerNumber, PlayerNumber), PairCounts>,
    partners: PairMatcher,
    census: GameCounts,
}

/// Numbers of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameCounts {
    /// Found in the files.
    pub read: u64,
    /// In the table.
    pub counted: u64,
    /// Valid, but of players that are not selected.
    pub left_out: u64,
    /// Valid, but of two names of one player.
    pub between_synonyms: u64,
    /// Valid, but drawn, where draws are ignored.
    pub drawn: u64,
    /// Valid, but the same as an earlier game, and not counted again.
    pub repeated: u64,
    /// Games that equal an earlier one, and are counted again.
    pub counted_again: u64,
    /// Complete pairs among the counted games.
    pub pairs: u64,
}

/// The final counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// The players by name, and their games.
    pub table: Crosstable,
    /// Numbers of games.
    pub counts: GameCounts,
    /// Players excluded by the filter, by name.
    pub left_out: Vec<String>,
}

impl ResultCounter {
    /// A counter for the games of these players.
    pub fn new(choice: PlayerFilter) -> Self {
        Self { choice, ..Self::default() }
    }

    /// Counts the games of each name in `synonyms` for its main name.
    #[must_use]
    pub fn with_synonyms(self, synonyms: HashMap<String, String>) -> Self {
        Self { synonyms, ..self }
    }

    /// Counts or ignores drawn games.
    #[must_use]
    pub fn with_draws(self, draws: Draws) -> Self {
        Self { draws, ..self }
    }

    /// Counts games that are the same as an earlier one once, or each time.
    #[must_use]
    pub fn with_repeats(self, repeats: RepeatedGames) -> Self {
        Self { repeats, ..self }
    }

    /// Counts the games of the next block.
    pub fn count(&mut self, block_results: &BlockResults) {
        let players: Vec<Option<PlayerNumber>> =
            block_results.names.iter().map(|name| self.player(name)).collect();
        for &CountedGame { white, black, result, moves, label } in &block_results.games {
            match (players[white], players[black]) {
                (Some(white), Some(black)) if white == black => self.census.between_synonyms += 1,
                (Some(_), Some(_)) if result == GameResult::Draw && self.draws == Draws::Ignored => {
                    self.census.drawn += 1;
                }
                (Some(white), Some(black)) => {
                    let is_new = moves.is_none_or(|moves| self.seen.is_new([white, black], result, moves));
                    if !is_new && self.repeats == RepeatedGames::Once {
                        self.census.repeated += 1;
                        continue;
                    }
                    self.census.counted_again += u64::from(!is_new);
                    self.count_game(UnpairedGame { white, black, result, label });
                }
                (None, _) | (_, None) => self.census.left_out += 1,
            }
        }
        self.census.read += block_results.read;
    }

    fn player(&mut self, name: &str) -> Option<PlayerNumber> {
        let name = self.synonyms.get(name).map_or(name, String::as_str);
        if let Some(&player) = self.players.get(name) {
            return player;
        }
        let player = self.choice.includes(name).then_some(self.chosen);
        self.chosen += usize::from(player.is_some());
        self.players.insert(name.to_owned(), player);
        player
    }

    /// Counts a game: together with its partner if that was seen before, else when the partner follows.
    fn count_game(&mut self, game: UnpairedGame) {
        self.census.counted += 1;
        let Self { partners, meetings, .. } = self;
        if let Some(earlier) = partners.take(game, &mut |single| count_single(meetings, &single)) {
            self.count_pair(&game, earlier);
        }
    }

    /// Counts a game together with an earlier one; `earlier` is the earlier game's result from its White.
    fn count_pair(&mut self, game: &UnpairedGame, earlier: GameResult) {
        self.census.pairs += 1;
        let (white, black) = (game.result, earlier.reversed()); // both of this game's White
        if game.white < game.black {
            let encounter = self.meetings.entry((game.white, game.black)).or_default();
            encounter.pairs[white.half_points()][black.half_points()] += 1;
        } else {
            let encounter = self.meetings.entry((game.black, game.white)).or_default();
            encounter.pairs[earlier.half_points()][white.reversed().half_points()] += 1;
        }
    }

    /// Ends the count. The same games give the same result in any order, if the round tags identify the
    /// pairs.
    pub fn close(mut self) -> Results {
        let Self { partners, meetings, .. } = &mut self;
        partners.flush(&mut |single| count_single(meetings, &single));
        let (players, left_out): (BTreeMap<_, _>, BTreeMap<_, _>) =
            self.players.into_iter().partition(|(_, player)| player.is_some());
        // Numbers are in the order of appearance. The table is by name, so that the order of the games has no
        // effect.
        let mut seats = vec![PlayerIndex(0); self.chosen];
        for (seat, player) in players.values().flatten().enumerate() {
            seats[*player] = PlayerIndex(seat);
        }
        let mut table = Crosstable::new(players.into_keys());
        for ((first, second), PairCounts { single, pairs }) in self.meetings {
            let (first, second) = (seats[first], seats[second]);
            let (low, high, pairs) = if first < second {
                (first, second, pairs)
            } else {
                (second, first, from_the_other_side(pairs))
            };
            // An encounter without games would be an encounter nevertheless.
            if single != [0; 3] {
                add(&mut table.encounter(first, second).single, &single);
            }
            if pairs != [[0; 3]; 3] {
                add(table.encounter(low, high).pairs.as_flattened_mut(), pairs.as_flattened());
            }
        }
        Results { table, counts: self.census, left_out: left_out.into_keys().collect() }
    }
}

fn count_single(meetings: &mut NumberTable<(PlayerNumber, PlayerNumber), PairCounts>, game: &SingleGame) {
    meetings.entry((game.white, game.black)).or_default().single[game.result.half_points()] += 1;
}

fn add(counts: &mut [u64], more: &[u64]) {
    for (count, more) in counts.iter_mut().zip(more) {
        *count += more;
    }
}

/// Pairs by the second player's results instead of the first's.
fn from_the_other_side(pairs: [[u64; 3]; 3]) -> [[u64; 3]; 3] {
    let mut turned = [[0; 3]; 3];
    for (white, row) in pairs.iter().enumerate() {
        for (black, &count) in row.iter().enumerate() {
            turned[2 - black][2 - white] = count;
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{BrokenOffGames, FirstTag, scan};
    use super::*;

    /// White, Black, White's result, round, FEN.
    type Written<'g> = (&'g str, &'g str, &'g str, &'g str, &'g str);

    fn pgn(games: &[Written<'_>]) -> String {
        let game = |&(white, black, result, round, fen): &Written<'_>| {
            let fen = if fen.is_empty() { String::new() } else { format!("[FEN \"{fen}\"]\n") };
            format!(
                "[Event \"x\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
                 [Result \"{result}\"]\n{fen}\n{result}\n\n"
            )
        };
        games.iter().map(game).collect()
    }

    fn count(games: &[Written<'_>], choice: PlayerFilter) -> Results {
        let mut counter = ResultCounter::new(choice);
        counter.count(&scan(pgn(games).as_bytes(), FirstTag::Event, BrokenOffGames::Ignored));
        counter.close()
    }

    #[test]
    fn pairs_are_found_in_the_output_of_other_programs() {
        let table: &[(&str, &[Written<'_>], u64)] = &[
            ("one after the other", &[("A", "B", "1-0", "1.1", ""), ("B", "A", "1-0", "1.2", "")], 1),
            ("fastchess", &[("A", "B", "1-0", "1", "f"), ("B", "A", "1-0", "1", "f")], 1),
            (
                "in the order of completion",
                &[
                    ("A", "B", "1-0", "2.1", ""),
                    ("A", "B", "1-0", "1.1", ""),
                    ("B", "A", "1-0", "2.2", ""),
                    ("B", "A", "1-0", "1.2", ""),
                ],
                2,
            ),
            ("a round of its own", &[("A", "B", "1-0", "1", "f"), ("B", "A", "1-0", "2", "f")], 1),
            ("no round", &[("A", "B", "1-0", "?", "f"), ("B", "A", "1-0", "?", "f")], 1),
            (
                "four games a round",
                &[
                    ("A", "B", "1-0", "1.1", ""),
                    ("B", "A", "1-0", "1.4", ""),
                    ("A", "B", "1-0", "1.3", ""),
                    ("B", "A", "1-0", "1.2", ""),
                ],
                2,
            ),
            (
                "a game written twice",
                &[("A", "B", "1-0", "1.1", ""), ("A", "B", "1-0", "1.1", ""), ("B", "A", "1-0", "1.2", "")],
                1,
            ),
            ("from the start position", &[("A", "B", "1-0", "?", ""), ("B", "A", "1-0", "?", "")], 1),
            ("no round", &[("A", "B", "1-0", "-", ""), ("B", "A", "0-1", "-", "")], 1),
            ("rounds that follow", &[("A", "B", "1-0", "1", ""), ("B", "A", "0-1", "2", "")], 1),
            ("another position", &[("A", "B", "1-0", "1", "f"), ("B", "A", "1-0", "1", "g")], 0),
            ("the same colours", &[("A", "B", "1-0", "1.1", "f"), ("A", "B", "1-0", "1.2", "f")], 0),
            ("other rounds", &[("A", "B", "1-0", "1.1", "f"), ("B", "A", "1-0", "2.2", "f")], 0),
            ("other players", &[("A", "B", "1-0", "1.1", "f"), ("B", "C", "1-0", "1.2", "f")], 0),
        ];
        for (case, games, pairs) in table {
            let results = count(games, PlayerFilter::All);
            assert_eq!(
                (results.counts.pairs, results.counts.counted),
                (*pairs, games.len() as u64),
                "{case}"
            );
        }
    }

    #[test]
    fn pair_is_counted_from_the_side_of_its_first_player() {
        let games = [("B", "A", "1-0", "1.1", ""), ("A", "B", "1/2-1/2", "1.2", "")];
        let mut table = count(&games, PlayerFilter::All).table;
        let mut expected = Crosstable::new(["A", "B"]);
        expected.record_pair(PlayerIndex(0), PlayerIndex(1), [GameResult::Draw, GameResult::Loss]);
        assert_eq!(
            table.encounter(PlayerIndex(0), PlayerIndex(1)),
            expected.encounter(PlayerIndex(0), PlayerIndex(1))
        );
        assert_eq!(table.head_to_head(PlayerIndex(1), PlayerIndex(0)), [0, 1, 1]);
    }

    #[test]
    fn ignored_draws_leave_the_other_game_of_a_pair() {
        let games = [
            ("A", "B", "1-0", "1.1", ""),
            ("B", "A", "1/2-1/2", "1.2", ""),
            ("A", "B", "0-1", "2.1", ""),
            ("B", "A", "1-0", "2.2", ""),
        ];
        for (draws, counted, drawn, pairs, results) in
            [(Draws::Counted, 4, 0, 2, [2, 1, 1]), (Draws::Ignored, 3, 1, 1, [2, 0, 1])]
        {
            let mut counter = ResultCounter::default().with_draws(draws);
            counter.count(&scan(pgn(&games).as_bytes(), FirstTag::Event, BrokenOffGames::Ignored));
            let Results { counts, table, .. } = counter.close();
            assert_eq!((counts.counted, counts.drawn, counts.pairs), (counted, drawn, pairs));
            assert_eq!(table.head_to_head(PlayerIndex(0), PlayerIndex(1)), results);
        }
    }

    #[test]
    fn only_selected_players_are_counted() {
        let games = [
            ("A", "B", "1-0", "", ""),
            ("B", "C", "1-0", "", ""),
            ("C", "A", "1-0", "", ""),
            ("C", "D", "1-0", "", ""),
        ];
        let set = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let table = [
            (PlayerFilter::All, 4, 0, "ABCD", ""),
            (PlayerFilter::Only(set(&["A", "B", "X"])), 1, 3, "AB", "CD"),
            (PlayerFilter::Except(set(&["C"])), 1, 3, "ABD", "C"),
        ];
        for (choice, counted, left_out, players, others) in table {
            let results = count(&games, choice);
            assert_eq!((results.counts.counted, results.counts.left_out), (counted, left_out));
            assert_eq!(
                (results.table.names().concat().as_str(), results.left_out.concat().as_str()),
                (players, others)
            );
        }
    }

    proptest! {
        /// Neither the order of games nor their distribution over blocks and files changes the counts.
        #[test]
        fn results_do_not_depend_on_the_order_of_games(
            games in prop::collection::vec((0..4_usize, 1..4_usize, 0..3_usize, any::<bool>()), 0..40),
            order in prop::collection::vec(any::<u32>(), 80),
            cut in any::<prop::sample::Index>(),
        ) {
            let rounds: Vec<[String; 2]> =
                (0..games.len()).map(|round| [format!("{round}.1"), format!("{round}.2")]).collect();
            let mut written = Vec::new();
            for (&(first, step, result, paired), [one, two]) in games.iter().zip(&rounds) {
                let (first, second) = (["A", "B", "C", "D"][first], ["A", "B", "C", "D"][(first + step) % 4]);
                let result = ["1-0", "0-1", "1/2-1/2"][result];
                written.push((first, second, result, one.as_str(), ""));
                if paired {
                    written.push((second, first, result, two.as_str(), ""));
                }
            }
            let straight = count(&written, PlayerFilter::All);
            let mut keyed: Vec<_> = order.iter().zip(&written).collect();
            keyed.sort();
            let shuffled: Vec<Written<'_>> = keyed.into_iter().map(|(_, game)| *game).collect();
            let (one, two) = shuffled.split_at(cut.index(shuffled.len() + 1));
            let mut counter = ResultCounter::default();
            counter.count(&scan(pgn(one).as_bytes(), FirstTag::Event, BrokenOffGames::Ignored));
            counter.count(&scan(pgn(two).as_bytes(), FirstTag::Any, BrokenOffGames::Ignored));
            prop_assert_eq!(counter.close(), straight);
        }
    }
}
