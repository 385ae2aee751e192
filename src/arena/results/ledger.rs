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
            add(&mut table.encounter(first, second).single, &single);
            if first < second {
                add(table.encounter(first, second).pairs.as_flattened_mut(), pairs.as_flattened());
            } else {
                let pairs = from_the_other_side(pairs);
                add(table.encounter(second, first).pairs.as_flattened_mut(), pairs.as_flattened());
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
