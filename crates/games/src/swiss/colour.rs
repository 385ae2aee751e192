//! Who has White more often in an encounter of single games, or of games without a change of colours.

use super::cost::Criteria;
use super::history::PlayerRecord;

/// By how many encounters a player had White more often than Black.
fn surplus(record: &PlayerRecord) -> i64 {
    record.colours.iter().sum()
}

/// The part of the criteria that is about colours, if the player with the smaller surplus of White gets White.
pub(super) fn criteria(one: &PlayerRecord, other: &PlayerRecord) -> Criteria {
    /// The surplus that a player may have.
    const MOST: i64 = 2;
    let (less, more) = (surplus(one).min(surplus(other)), surplus(one).max(surplus(other)));
    let surpluses = [less + 1, more - 1];
    Criteria {
        colour_excess: surpluses.iter().map(|surplus| (surplus.abs() - MOST).max(0)).sum(),
        colours: surpluses.iter().map(|surplus| surplus * surplus).sum(),
        ..Criteria::default()
    }
}

/// Does the player of higher rank get White on this board, counted from 0? The player with the smaller surplus
/// of White does. If the surpluses are equal, the players exchange the colours of the last round in which they
/// had different ones; if there is none, it depends on the board.
pub(super) fn higher_has_white(higher: &PlayerRecord, lower: &PlayerRecord, board: usize) -> bool {
    let earlier = higher.colours.iter().zip(&lower.colours).rev();
    let last = earlier.map(|(higher, lower)| lower - higher).find(|difference| *difference != 0);
    match surplus(lower) - surplus(higher) {
        0 => last.map_or(board.is_multiple_of(2), |difference| difference > 0),
        difference => difference > 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(colours: &[i64]) -> PlayerRecord {
        PlayerRecord { colours: colours.to_vec(), ..PlayerRecord::default() }
    }

    #[test]
    fn white_goes_to_the_player_who_had_it_less() {
        let table: [(&[i64], &[i64], usize, bool); 8] = [
            // the player of higher rank, the other, board, does the higher one get White?
            (&[], &[], 0, true),
            (&[], &[], 1, false),
            (&[1], &[-1], 0, false),
            (&[-1], &[1], 1, true),
            (&[1, -1], &[-1, 1], 1, true),
            (&[-1, 1], &[1, -1], 0, false),
            (&[0, 1], &[1, 1], 1, true),
            (&[1, 0], &[0, 1], 1, true),
        ];
        for (higher, lower, board, expected) in table {
            let found = higher_has_white(&record(higher), &record(lower), board);
            assert_eq!(found, expected, "{higher:?} {lower:?} on board {board}");
        }
    }

    #[test]
    fn equal_surpluses_of_a_colour_cost_most() {
        let cost = |one: &[i64], other: &[i64]| {
            let Criteria { colour_excess, colours, .. } = criteria(&record(one), &record(other));
            (colour_excess, colours)
        };
        assert_eq!(cost(&[1], &[-1]), (0, 0));
        assert_eq!(cost(&[1], &[1]), (0, 4));
        assert_eq!(cost(&[1, 1], &[1, 1]), (1, 10));
        assert_eq!(cost(&[-1, -1], &[-1, -1, 1]), (0, 5));
        assert_eq!(cost(&[-1, -1], &[-1, -1]), (1, 10));
    }
}
