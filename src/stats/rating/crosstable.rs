//! Who met whom, and what came of it.

use std::collections::{BTreeMap, BTreeSet};

use super::super::pentanomial::GameResult;

/// A player's place in a crosstable, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub usize);

/// All games between two players in which the first of the two had White, or that belong to a pair which began so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Encounter {
    /// Complete pairs by the first player's results: rows, its game with White; columns, its game with Black.
    /// Each is loss, draw, win.
    pub pairs: [[u64; 3]; 3],
    /// Games without a partner, the first player having White, by its result: loss, draw, win.
    pub single: [u64; 3],
}

impl Encounter {
    /// Each result of the first player with its count.
    fn results(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let pairs = self.pairs.iter().enumerate().flat_map(|(white, row)| {
            row.iter().enumerate().flat_map(move |(black, &count)| [(white, count), (black, count)])
        });
        pairs.chain(self.single.iter().copied().enumerate())
    }
}

/// The players and their encounters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crosstable {
    names: Vec<String>,
    encounters: BTreeMap<(Seat, Seat), Encounter>,
}

/// Games of one colour distribution: so many with the same White and Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Games {
    pub(super) white: Seat,
    pub(super) black: Seat,
    /// By White's result: loss, draw, win.
    pub(super) results: [u64; 3],
}

impl Crosstable {
    /// A table of these players, without games.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { names: names.into_iter().map(Into::into).collect(), encounters: BTreeMap::new() }
    }

    /// The players, in the order of their seats.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The seats, in order.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.names.len()).map(Seat)
    }

    /// The games of `first` with White against `second`, and the pairs that began with `first` having White.
    ///
    /// # Panics
    /// If a seat is not in the table, or both are the same: seats come from the table's own players.
    pub fn encounter(&mut self, first: Seat, second: Seat) -> &mut Encounter {
        assert!(first != second && first.max(second).0 < self.names.len(), "{first:?} can't meet {second:?}");
        self.encounters.entry((first, second)).or_default()
    }

    /// Counts a pair of games from one opening, by `first`'s results: with White, then with Black.
    pub fn record_pair(&mut self, first: Seat, second: Seat, results: [GameResult; 2]) {
        let [with_white, with_black] = results.map(GameResult::half_points);
        self.encounter(first, second).pairs[with_white][with_black] += 1;
    }

    /// Counts a game that has no partner, by White's result.
    pub fn record_game(&mut self, white: Seat, black: Seat, result: GameResult) {
        self.encounter(white, black).single[result.half_points()] += 1;
    }

    /// All results between two players by `a`'s: losses, draws, wins.
    pub fn head_to_head(&self, a: Seat, b: Seat) -> [u64; 3] {
        let results = |first, second| {
            let mut sum = [0; 3];
            for (result, count) in
                self.encounters.get(&(first, second)).into_iter().flat_map(Encounter::results)
            {
                sum[result] += count;
            }
            sum
        };
        let ([losses, draws, wins], [their_losses, their_draws, their_wins]) = (results(a, b), results(b, a));
        [losses + their_wins, draws + their_draws, wins + their_losses]
    }

    pub(super) fn encounters(&self) -> impl Iterator<Item = (Seat, Seat, &Encounter)> {
        self.encounters.iter().map(|(&(first, second), encounter)| (first, second, encounter))
    }

    /// Every game once, by colours.
    pub(super) fn games(&self) -> impl Iterator<Item = Games> + '_ {
        self.encounters().flat_map(|(first, second, encounter)| {
            let mut with_white = encounter.single;
            let mut with_black = [0; 3];
            for (white_result, row) in encounter.pairs.iter().enumerate() {
                for (black_result, count) in row.iter().enumerate() {
                    with_white[white_result] += count;
                    with_black[2 - black_result] += count; // told by White, who is `second` here
                }
            }
            [
                Games { white: first, black: second, results: with_white },
                Games { white: second, black: first, results: with_black },
            ]
        })
    }

    /// Groups of players that no game connects, largest first; one group if all are connected.
    pub(super) fn islands(&self) -> Vec<Vec<Seat>> {
        let mut met = vec![BTreeSet::new(); self.names.len()];
        for games in self.games().filter(|games| games.results.iter().any(|&count| count > 0)) {
            met[games.white.0].insert(games.black);
            met[games.black.0].insert(games.white);
        }
        let mut unseen: BTreeSet<Seat> = self.seats().collect();
        let mut islands = Vec::new();
        while let Some(&seat) = unseen.first() {
            let island = reachable(&met, seat);
            unseen.retain(|seat| !island.contains(seat));
            islands.push(island.into_iter().collect::<Vec<_>>());
        }
        islands.sort_by_key(|island| std::cmp::Reverse(island.len()));
        islands
    }

    /// A smallest group of players that lost every game against all others, if there is one.
    pub(super) fn swept(&self) -> Option<BTreeSet<Seat>> {
        let mut took_points_off = vec![BTreeSet::new(); self.names.len()];
        for Games { white, black, results: [losses, draws, wins] } in self.games() {
            if draws + wins > 0 {
                took_points_off[white.0].insert(black);
            }
            if draws + losses > 0 {
                took_points_off[black.0].insert(white);
            }
        }
        self.seats()
            .map(|seat| reachable(&took_points_off, seat))
            .filter(|group| group.len() < self.names.len())
            .min_by_key(BTreeSet::len)
    }
}

fn reachable(edges: &[BTreeSet<Seat>], from: Seat) -> BTreeSet<Seat> {
    let mut reached = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(seat) = open.pop() {
        open.extend(edges[seat.0].iter().copied().filter(|&next| reached.insert(next)));
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::super::super::pentanomial::GameResult::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn pairs_are_told_by_the_first_player_and_games_by_white() {
        let mut table = Crosstable::new(["A", "B"]);
        table.record_pair(Seat(0), Seat(1), [Win, Loss]);
        table.record_pair(Seat(0), Seat(1), [Draw, Win]);
        table.record_game(Seat(1), Seat(0), Draw);
        let games: Vec<_> = table.games().map(|games| (games.white.0, games.results)).collect();
        assert_eq!(games, [(0, [0, 1, 1]), (1, [1, 0, 1]), (1, [0, 1, 0]), (0, [0, 0, 0])]);
    }

    #[test]
    fn islands_and_sweeps_are_found() {
        let mut table = Crosstable::new(["A", "B", "C", "D"]);
        table.record_game(Seat(0), Seat(1), Win);
        table.record_game(Seat(2), Seat(3), Draw);
        assert_eq!(table.islands(), [[Seat(0), Seat(1)], [Seat(2), Seat(3)]]);
        table.record_game(Seat(1), Seat(2), Draw);
        assert_eq!(table.islands().len(), 1);
        assert_eq!(table.swept(), Some(BTreeSet::from([Seat(1), Seat(2), Seat(3)])), "A lost no point");
        table.record_game(Seat(3), Seat(0), Draw);
        assert_eq!(table.swept(), None);
    }
}
