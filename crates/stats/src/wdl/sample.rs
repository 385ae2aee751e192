//! The positions that a model is fitted to, game by game.

use std::collections::BTreeMap;

use crate::GameResult;

/// A position in which an engine gave a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WdlPosition {
    /// m: the material or the number of the move.
    pub m: u16,
    /// The score from the view of the side to move.
    pub score: i32,
    /// The result of the game for the side to move.
    pub result: GameResult,
}

/// Positions by games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WdlSample {
    positions: Vec<WdlPosition>,
    /// The number of positions up to the end of each game.
    ends: Vec<usize>,
}

impl WdlSample {
    /// Adds a game. One without positions is not counted.
    pub fn add_game(&mut self, positions: impl IntoIterator<Item = WdlPosition>) {
        self.positions.extend(positions);
        if self.ends.last().copied().unwrap_or(0) < self.positions.len() {
            self.ends.push(self.positions.len());
        }
    }

    /// All positions.
    pub fn positions(&self) -> &[WdlPosition] {
        &self.positions
    }

    /// The positions of each game.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &[WdlPosition]> {
        let begin = |index: usize| if index == 0 { 0 } else { self.ends[index - 1] };
        self.ends.iter().enumerate().map(move |(index, &end)| &self.positions[begin(index)..end])
    }

    /// The games with their numbers of occurrences. Engines that search the same in every run play a game again, which is no
    /// new observation.
    pub(super) fn distinct_games(&self) -> BTreeMap<&[WdlPosition], usize> {
        let mut games: BTreeMap<&[WdlPosition], usize> = BTreeMap::new();
        for game in self.games() {
            *games.entry(game).or_default() += 1;
        }
        games
    }

    /// The number of positions with each result: lost, drawn, won by the side to move.
    pub fn counts(&self) -> [u64; 3] {
        let mut counts = [0; 3];
        for position in &self.positions {
            counts[position.result.half_points()] += 1;
        }
        counts
    }

    /// The same numbers for each m and score.
    pub(super) fn cells(&self) -> BTreeMap<u16, BTreeMap<i32, [u64; 3]>> {
        let mut cells: BTreeMap<u16, BTreeMap<i32, [u64; 3]>> = BTreeMap::new();
        for &WdlPosition { m, score, result } in &self.positions {
            cells.entry(m).or_default().entry(score).or_default()[result.half_points()] += 1;
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_kept_by_game_and_counted() {
        let position = |score, result| WdlPosition { m: 40, score, result };
        let mut sample = WdlSample::default();
        sample.add_game([position(10, GameResult::Win), position(-10, GameResult::Loss)]);
        sample.add_game([]);
        sample.add_game([position(10, GameResult::Draw)]);
        assert_eq!(sample.games().map(<[_]>::len).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(sample.counts(), [1, 1, 1]);
        assert_eq!(sample.cells()[&40][&10], [0, 1, 1]);
    }
}
