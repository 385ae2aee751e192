//! Pages counted in order: who met whom, with which results, and which games are pairs.
//!
//! Two games of the same players with colours swapped are a pair if they say so: by their round (see
//! [`Label`]) and the same opening; or, where rounds don't count their games, by following one another from
//! the same position. Which games are found to be pairs changes errors, never ratings.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, DefaultHasher, Hasher};

use super::page::{Game, Label, Numbered, Page};
use crate::stats::GameResult;
use crate::stats::rating::{Crosstable, Encounter, Seat};

/// Games that wait for their partner, before the oldest are taken to have none. Partners are written a few
/// games apart; this bounds the memory for files in which no game has one.
const WAITING: usize = 1 << 18;

/// A player, in the order of appearance.
type Player = usize;

/// A table whose order nobody sees, with the same hashes in every run.
type Table<K, V> = HashMap<K, V, BuildHasherDefault<DefaultHasher>>;

/// The same for keys of a few numbers, which are asked for with every game.
type NumberTable<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// Wyhash's step for a word: the two halves of a long product, folded.
#[derive(Debug, Default)]
struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0xa076_1d64_78bd_642f) * 0xe703_7ed1_a0b4_28db;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

/// Whose games count.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Choice {
    /// Everybody's.
    #[default]
    All,
    /// Games between any two of these.
    Only(BTreeSet<String>),
    /// Games with none of these.
    Except(BTreeSet<String>),
}

impl Choice {
    fn holds(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.contains(name),
            Self::Except(names) => !names.contains(name),
        }
    }
}

/// Pages counted so far.
#[derive(Debug, Default)]
pub struct Ledger {
    choice: Choice,
    /// Every name seen; none for a player whose games don't count.
    players: Table<String, Option<Player>>,
    chosen: usize,
    /// Pairs by the player with the lower number, the pair of players in that order; single games by White
    /// and Black.
    meetings: NumberTable<(Player, Player), Encounter>,
    /// The last game, if it has no partner yet.
    last: Option<Waiting>,
    /// Games without a partner so far, by White, Black and what the partner will share.
    waiting: NumberTable<(Player, Player, u64), GameResult>,
    /// The same, but longer.
    waiting_long: NumberTable<(Player, Player, u64), GameResult>,
    census: Census,
}

/// How many games there are of each sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Census {
    /// Found in the files.
    pub read: u64,
    /// In the table.
    pub counted: u64,
    /// Sound, but of players that were not chosen.
    pub left_out: u64,
    /// Complete pairs among those counted.
    pub pairs: u64,
}

/// All that was counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// The players by name, and their games.
    pub table: Crosstable,
    /// How many games there are.
    pub census: Census,
    /// Players seen whose games don't count, by name.
    pub left_out: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
struct Waiting {
    white: Player,
    black: Player,
    result: GameResult,
    label: Label,
}

impl Waiting {
    /// Are these two, one after the other in a file, a pair?
    fn is_partner(&self, next: &Self) -> bool {
        let swapped = self.white == next.black && self.black == next.white;
        let same_round = self.label.meeting.is_some() && self.label.meeting == next.label.meeting;
        let unnumbered = [self.label.numbered, next.label.numbered] == [Numbered::No; 2];
        let same_opening = self.label.opening.is_some() && self.label.opening == next.label.opening;
        swapped && (same_round || unnumbered && same_opening)
    }
}

impl Ledger {
    /// A ledger for these players' games.
    pub fn of(choice: Choice) -> Self {
        Self { choice, ..Self::default() }
    }

    /// Counts the next page.
    pub fn count(&mut self, page: &Page) {
        let players: Vec<Option<Player>> = page.names.iter().map(|name| self.player(name)).collect();
        for &Game { white, black, result, label } in &page.games {
            match (players[white], players[black]) {
                (Some(white), Some(black)) => self.place(Waiting { white, black, result, label }),
                (None, _) | (_, None) => self.census.left_out += 1,
            }
        }
        self.census.read += page.read;
    }

    fn player(&mut self, name: &str) -> Option<Player> {
        if let Some(&player) = self.players.get(name) {
            return player;
        }
        let player = self.choice.holds(name).then_some(self.chosen);
        self.chosen += usize::from(player.is_some());
        self.players.insert(name.to_owned(), player);
        player
    }

    /// Finds a game's partner among the earlier ones, or lets it wait for a later one.
    fn place(&mut self, game: Waiting) {
        self.census.counted += 1;
        if let Some(last) = self.last.take() {
            if last.is_partner(&game) {
                return self.count_pair(&game, last.result);
            }
            self.wait(last);
        }
        match self.partner(&game) {
            Some(earlier) => self.count_pair(&game, earlier),
            None => self.last = Some(game),
        }
    }

    fn partner(&mut self, game: &Waiting) -> Option<GameResult> {
        let wanted = (game.black, game.white, game.label.meeting?);
        [&mut self.waiting, &mut self.waiting_long]
            .into_iter()
            .filter(|games| !games.is_empty()) // which would be asked in vain, and mostly is
            .find_map(|games| games.remove(&wanted))
    }

    fn wait(&mut self, game: Waiting) {
        let Some(meeting) = game.label.meeting else { return self.count_single(&game) };
        if self.waiting.len() >= WAITING {
            let given_up = std::mem::replace(&mut self.waiting_long, std::mem::take(&mut self.waiting));
            self.count_singles(given_up);
        }
        match self.waiting.entry((game.white, game.black, meeting)) {
            Entry::Vacant(place) => _ = place.insert(game.result),
            // The same game of the same round again, as a match that is resumed may write it.
            Entry::Occupied(_) => self.count_single(&game),
        }
    }

    fn count_single(&mut self, game: &Waiting) {
        let encounter = self.meetings.entry((game.white, game.black)).or_default();
        encounter.single[game.result.half_points()] += 1;
    }

    fn count_singles(&mut self, games: NumberTable<(Player, Player, u64), GameResult>) {
        for ((white, black, _), result) in games {
            self.meetings.entry((white, black)).or_default().single[result.half_points()] += 1;
        }
    }

    /// Counts a game together with an earlier one, which its Black won, drew or lost with White.
    fn count_pair(&mut self, game: &Waiting, earlier: GameResult) {
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

    /// Ends the count. The same games give the same result, whatever their order, if their rounds tell the
    /// pairs.
    pub fn close(mut self) -> Results {
        if let Some(last) = self.last.take() {
            self.count_single(&last);
        }
        let waiting = [std::mem::take(&mut self.waiting), std::mem::take(&mut self.waiting_long)];
        waiting.into_iter().for_each(|games| self.count_singles(games));
        let (players, left_out): (BTreeMap<_, _>, BTreeMap<_, _>) =
            self.players.into_iter().partition(|(_, player)| player.is_some());
        let mut seats = vec![Seat(0); self.chosen];
        for (seat, player) in players.values().flatten().enumerate() {
            seats[*player] = Seat(seat);
        }
        let mut table = Crosstable::new(players.into_keys());
        for ((first, second), Encounter { single, pairs }) in self.meetings {
            let (first, second) = (seats[first], seats[second]);
            let (low, high, pairs) = if first < second {
                (first, second, pairs)
            } else {
                (second, first, from_the_other_side(pairs))
            };
            // An encounter without games would be one all the same.
            if single != [0; 3] {
                add(&mut table.encounter(first, second).single, &single);
            }
            if pairs != [[0; 3]; 3] {
                add(table.encounter(low, high).pairs.as_flattened_mut(), pairs.as_flattened());
            }
        }
        Results { table, census: self.census, left_out: left_out.into_keys().collect() }
    }
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

    use super::super::{Head, scan};
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

    fn count(games: &[Written<'_>], choice: Choice) -> Results {
        let mut ledger = Ledger::of(choice);
        ledger.count(&scan(pgn(games).as_bytes(), Head::Event));
        ledger.close()
    }

    #[test]
    fn pairs_are_found_as_the_programs_write_them() {
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
            ("no round and no position", &[("A", "B", "1-0", "?", ""), ("B", "A", "1-0", "?", "")], 0),
            ("another position", &[("A", "B", "1-0", "1", "f"), ("B", "A", "1-0", "1", "g")], 0),
            ("the same colours", &[("A", "B", "1-0", "1.1", "f"), ("A", "B", "1-0", "1.2", "f")], 0),
            ("other rounds", &[("A", "B", "1-0", "1.1", "f"), ("B", "A", "1-0", "2.2", "f")], 0),
            ("other players", &[("A", "B", "1-0", "1.1", "f"), ("B", "C", "1-0", "1.2", "f")], 0),
        ];
        for (case, games, pairs) in table {
            let results = count(games, Choice::All);
            assert_eq!(
                (results.census.pairs, results.census.counted),
                (*pairs, games.len() as u64),
                "{case}"
            );
        }
    }

    #[test]
    fn a_pair_is_told_from_the_side_of_its_first_player() {
        let games = [("B", "A", "1-0", "1.1", ""), ("A", "B", "1/2-1/2", "1.2", "")];
        let mut table = count(&games, Choice::All).table;
        let mut expected = Crosstable::new(["A", "B"]);
        expected.record_pair(Seat(0), Seat(1), [GameResult::Draw, GameResult::Loss]);
        assert_eq!(table.encounter(Seat(0), Seat(1)), expected.encounter(Seat(0), Seat(1)));
        assert_eq!(table.head_to_head(Seat(1), Seat(0)), [0, 1, 1]);
    }

    #[test]
    fn only_the_chosen_are_counted() {
        let games = [
            ("A", "B", "1-0", "", ""),
            ("B", "C", "1-0", "", ""),
            ("C", "A", "1-0", "", ""),
            ("C", "D", "1-0", "", ""),
        ];
        let set = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let table = [
            (Choice::All, 4, 0, "ABCD", ""),
            (Choice::Only(set(&["A", "B", "X"])), 1, 3, "AB", "CD"),
            (Choice::Except(set(&["C"])), 1, 3, "ABD", "C"),
        ];
        for (choice, counted, left_out, players, others) in table {
            let results = count(&games, choice);
            assert_eq!((results.census.counted, results.census.left_out), (counted, left_out));
            assert_eq!(
                (results.table.names().concat().as_str(), results.left_out.concat().as_str()),
                (players, others)
            );
        }
    }

    #[test]
    fn what_waits_too_long_is_a_single_game() {
        let mut ledger = Ledger::default();
        let label = |meeting| Label { meeting: Some(meeting), opening: None, numbered: Numbered::InRound };
        let game =
            |white, black, meeting| Game { white, black, result: GameResult::Draw, label: label(meeting) };
        let names = vec!["A".to_owned(), "B".to_owned()];
        let enough = 2 * WAITING as u64 + 2;
        let mut games: Vec<Game> = (0..=enough).map(|meeting| game(0, 1, meeting)).collect();
        games.push(game(1, 0, 0)); // forgotten
        games.push(game(1, 0, enough - 1)); // still known
        ledger.count(&Page { names, games, ..Page::default() });
        assert!(ledger.waiting.len() + ledger.waiting_long.len() <= 2 * WAITING);
        let results = ledger.close();
        assert_eq!((results.census.pairs, results.census.counted), (1, enough + 3));
        assert_eq!(results.table.head_to_head(Seat(0), Seat(1)), [0, enough + 3, 0], "none is lost");
    }

    proptest! {
        /// Neither the order of games nor how they are spread over pages and files changes what is counted.
        #[test]
        fn the_order_of_games_does_not_matter(
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
            let straight = count(&written, Choice::All);
            let mut keyed: Vec<_> = order.iter().zip(&written).collect();
            keyed.sort();
            let shuffled: Vec<Written<'_>> = keyed.into_iter().map(|(_, game)| *game).collect();
            let (one, two) = shuffled.split_at(cut.index(shuffled.len() + 1));
            let mut ledger = Ledger::default();
            ledger.count(&scan(pgn(one).as_bytes(), Head::Event));
            ledger.count(&scan(pgn(two).as_bytes(), Head::Any));
            prop_assert_eq!(ledger.close(), straight);
        }
    }
}
