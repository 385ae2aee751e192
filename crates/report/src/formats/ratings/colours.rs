//! The games of a cross table by colours.

use std::collections::BTreeMap;

use threefold_stats::rating::{Crosstable, PlayerIndex};

/// Every game once, by White, Black and White's result.
pub(super) type Colours = BTreeMap<(PlayerIndex, PlayerIndex), [u64; 3]>;

pub(super) fn by_colours(table: &Crosstable) -> Colours {
    let mut games = Colours::new();
    for (first, second, encounter) in table.encounters() {
        for (result, count) in encounter.single.into_iter().enumerate() {
            games.entry((first, second)).or_default()[result] += count;
        }
        for (white, row) in encounter.pairs.into_iter().enumerate() {
            for (black, count) in row.into_iter().enumerate() {
                games.entry((first, second)).or_default()[white] += count;
                // In the second game the opponent has White, whose result is the opposite.
                games.entry((second, first)).or_default()[2 - black] += count;
            }
        }
    }
    games
}
