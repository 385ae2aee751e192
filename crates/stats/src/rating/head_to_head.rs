//! The games of two players by colours, with their virtual draws.
//!
//! A fit uses head-to-heads, never single games: a million games between twenty players are 190 sums.

use std::collections::BTreeMap;

use super::crosstable::{Crosstable, PairCounts, PlayerIndex};

/// The games of two players.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct HeadToHead {
    pub(super) players: [PlayerIndex; 2],
    /// By White's result, loss, draw, win: the first player having White, then the second.
    pub(super) results: [[u64; 3]; 2],
    /// Virtual draws with either colour.
    pub(super) prior_draws: f64,
}

impl HeadToHead {
    pub(super) fn games(&self) -> u64 {
        self.results.iter().flatten().sum()
    }

    /// The weights of the results in the fit, by colours as in [`results`](Self::results).
    pub(super) fn weights(&self) -> [[f64; 3]; 2] {
        self.results.map(|[loss, draw, win]| [loss as f64, draw as f64 + self.prior_draws, win as f64])
    }

    /// The results of the player at this position: losses, draws, wins.
    pub(super) fn results_of(&self, place: usize) -> [u64; 3] {
        let [loss, draw, win] = self.results[place];
        let [other_loss, other_draw, other_win] = self.results[1 - place];
        [loss + other_win, draw + other_draw, win + other_loss]
    }
}

/// All head-to-heads with games, in order of index, without virtual draws.
pub(super) fn head_to_heads(table: &Crosstable) -> Vec<HeadToHead> {
    let mut met = BTreeMap::<[PlayerIndex; 2], HeadToHead>::new();
    for (first, second, encounter) in table.encounters() {
        let players = [first.min(second), first.max(second)];
        let meeting =
            met.entry(players).or_insert(HeadToHead { players, results: [[0; 3]; 2], prior_draws: 0.0 });
        let first_place = usize::from(first != players[0]);
        let [with_white, with_black] = by_colours(encounter);
        for (result, count) in with_white.into_iter().enumerate() {
            meeting.results[first_place][result] += count;
        }
        for (result, count) in with_black.into_iter().enumerate() {
            meeting.results[1 - first_place][result] += count;
        }
    }
    met.into_values().filter(|meeting| meeting.games() > 0).collect()
}

/// Adds this many virtual draws per player, distributed over its opponents by games, as BayesElo does: a
/// head-to-head gets a share from either player, half of it with each colour.
pub(super) fn add_prior(head_to_heads: &mut [HeadToHead], players: usize, draws: f64) {
    let mut games = vec![0; players];
    for meeting in &*head_to_heads {
        meeting.players.iter().for_each(|seat| games[seat.0] += meeting.games());
    }
    for meeting in head_to_heads {
        let share = |seat: PlayerIndex| meeting.games() as f64 / games[seat.0] as f64;
        // A draw is one of both players, so each adds half of its share, and half of that for each colour.
        meeting.prior_draws = draws / 4.0 * meeting.players.map(share).iter().sum::<f64>();
    }
}

/// An encounter's games by White's result: the first player having White, then the second.
fn by_colours(encounter: &PairCounts) -> [[u64; 3]; 2] {
    let mut with_white = encounter.single;
    let mut with_black = [0; 3];
    for (white, row) in encounter.pairs.iter().enumerate() {
        for (black, count) in row.iter().enumerate() {
            with_white[white] += count;
            with_black[2 - black] += count; // counted for White, the second player here
        }
    }
    [with_white, with_black]
}

#[cfg(test)]
mod tests {
    use super::super::super::pentanomial::GameResult::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn head_to_head_counts_pairs_by_first_player_and_games_by_white() {
        let mut table = Crosstable::new(["A", "B", "C"]);
        table.record_pair(PlayerIndex(0), PlayerIndex(1), [Win, Loss]);
        table.record_pair(PlayerIndex(1), PlayerIndex(0), [Draw, Win]);
        table.record_game(PlayerIndex(1), PlayerIndex(0), Draw);
        table.encounter(PlayerIndex(0), PlayerIndex(2));
        let mut all = head_to_heads(&table);
        let [only] = &all[..] else { panic!("A and C have no game: {all:?}") };
        assert_eq!((only.players, only.results), ([PlayerIndex(0), PlayerIndex(1)], [[1, 0, 1], [0, 2, 1]]));
        assert_eq!([only.results_of(0), only.results_of(1)], [[2, 2, 1], [1, 2, 2]]);
        assert_eq!(only.results_of(0), table.head_to_head(PlayerIndex(0), PlayerIndex(1)));
        add_prior(&mut all, 3, 2.0);
        assert_eq!(
            all[0].weights(),
            [[1.0, 1.0, 1.0], [0.0, 3.0, 1.0]],
            "two draws each: four halves with either colour"
        );
    }
}
