//! The crosstable: results of all pairs of players.

use std::collections::BTreeMap;

use super::super::pentanomial::GameResult;

/// A player's place in a crosstable, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerIndex(pub usize);

/// The games of two players in which the first had White, and the pairs that began so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairCounts {
    /// Complete pairs by the first player's results: rows, its game with White; columns, its game with Black.
    /// Each is loss, draw, win.
    pub pairs: [[u64; 3]; 3],
    /// Unpaired games with the first player having White, by its result: loss, draw, win.
    pub single: [u64; 3],
}

impl PairCounts {
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
    encounters: BTreeMap<(PlayerIndex, PlayerIndex), PairCounts>,
}

impl Crosstable {
    /// A table of these players, without games.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { names: names.into_iter().map(Into::into).collect(), encounters: BTreeMap::new() }
    }

    /// The players' names, in order of index.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The players' indices, in order.
    pub fn seats(&self) -> impl Iterator<Item = PlayerIndex> + use<> {
        (0..self.names.len()).map(PlayerIndex)
    }

    /// The games of `first` with White against `second`, and the pairs that began with `first` having White.
    ///
    /// # Panics
    /// If an index is not in the table, or both are equal.
    pub fn encounter(&mut self, first: PlayerIndex, second: PlayerIndex) -> &mut PairCounts {
        assert!(first != second && first.max(second).0 < self.names.len(), "{first:?} can't meet {second:?}");
        self.encounters.entry((first, second)).or_default()
    }

    /// Counts a pair of games from one opening, by `first`'s results: with White, then with Black.
    pub fn record_pair(&mut self, first: PlayerIndex, second: PlayerIndex, results: [GameResult; 2]) {
        let [with_white, with_black] = results.map(GameResult::half_points);
        self.encounter(first, second).pairs[with_white][with_black] += 1;
    }

    /// Counts an unpaired game by White's result.
    pub fn record_game(&mut self, white: PlayerIndex, black: PlayerIndex, result: GameResult) {
        self.encounter(white, black).single[result.half_points()] += 1;
    }

    /// All results between two players by `a`'s: losses, draws, wins.
    pub fn head_to_head(&self, a: PlayerIndex, b: PlayerIndex) -> [u64; 3] {
        let results = |first, second| {
            let mut sum = [0; 3];
            for (result, count) in
                self.encounters.get(&(first, second)).into_iter().flat_map(PairCounts::results)
            {
                sum[result] += count;
            }
            sum
        };
        let ([losses, draws, wins], [their_losses, their_draws, their_wins]) = (results(a, b), results(b, a));
        [losses + their_wins, draws + their_draws, wins + their_losses]
    }

    /// All results by White's: losses, draws, wins.
    pub fn white_results(&self) -> [u64; 3] {
        let mut sum = [0; 3];
        for encounter in self.encounters.values() {
            for (white, row) in encounter.pairs.iter().enumerate() {
                for (black, &count) in row.iter().enumerate() {
                    sum[white] += count;
                    // The first player's result with Black is the reverse of White's.
                    sum[2 - black] += count;
                }
            }
            sum.iter_mut().zip(encounter.single).for_each(|(sum, count)| *sum += count);
        }
        sum
    }

    /// All encounters, in order of index.
    pub fn encounters(&self) -> impl Iterator<Item = (PlayerIndex, PlayerIndex, &PairCounts)> {
        self.encounters.iter().map(|(&(first, second), encounter)| (first, second, encounter))
    }

    /// What [`encounter`](Self::encounter) counted.
    pub(super) fn encounter_of(&self, first: PlayerIndex, second: PlayerIndex) -> PairCounts {
        self.encounters.get(&(first, second)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::pentanomial::GameResult::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn white_results_are_of_the_games_of_all_players() {
        let mut table = Crosstable::new(["A", "B"]);
        table.record_pair(PlayerIndex(0), PlayerIndex(1), [Win, Loss]);
        table.record_pair(PlayerIndex(1), PlayerIndex(0), [Draw, Win]);
        table.record_game(PlayerIndex(1), PlayerIndex(0), Loss);
        assert_eq!(table.white_results(), [2, 1, 2]);
    }

    #[test]
    fn head_to_head_counts_all_games_from_both_sides() {
        let mut table = Crosstable::new(["A", "B"]);
        table.record_pair(PlayerIndex(0), PlayerIndex(1), [Win, Loss]);
        table.record_pair(PlayerIndex(1), PlayerIndex(0), [Draw, Win]);
        table.record_game(PlayerIndex(1), PlayerIndex(0), Draw);
        assert_eq!(table.head_to_head(PlayerIndex(0), PlayerIndex(1)), [2, 2, 1]);
        assert_eq!(table.head_to_head(PlayerIndex(1), PlayerIndex(0)), [1, 2, 2]);
    }
}
