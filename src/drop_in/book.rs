//! The openings of a command line, in fastchess' order.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use anyhow::Context;

use super::settings::{Book, BookOrder};
use crate::inputs;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_harness::arena::opening::{self, Opening, OpeningOrder};

/// The openings of this number of rounds. Without a book every game begins at the start position.
pub(super) fn openings(book: &Book, seed: Option<u64>, rounds: usize) -> anyhow::Result<Vec<Opening>> {
    let Some(file) = &book.file else {
        return Ok(vec![Opening { line: GamePosition::start_position(), eco: None, name: None }]);
    };
    let (name, format, bytes) = inputs::openings(file)?;
    let format = match &book.format {
        Some(given) => given.parse().with_context(|| format!("Error: book format {given}"))?,
        None => format,
    };
    let select = |size| selected(book, seed, rounds, size);
    opening::read_selected(&bytes, format, book.plies.filter(|&plies| plies > 0).map(Ply), select)
        .with_context(|| format!("Error: {name}"))
}

/// The indices of the openings that are played: shuffled, then rotated to the first one, then cut to the rounds.
fn selected(book: &Book, seed: Option<u64>, rounds: usize, size: usize) -> Vec<usize> {
    let order = match book.order {
        BookOrder::Sequential => OpeningOrder::Sequential,
        BookOrder::Random => OpeningOrder::Fastchess { seed: seed.unwrap_or_else(random_seed) },
    };
    let mut indices = order.arrange(size);
    indices.rotate_left((book.start.get() - 1) % size.max(1));
    indices.truncate(rounds);
    indices
}

/// A seed that differs from run to run. The journal has the openings, so a run can be resumed all the same.
fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    fn book(order: BookOrder, start: usize) -> Book {
        let start = NonZeroUsize::new(start).expect("not zero");
        Book { file: None, format: None, order, plies: None, start }
    }

    #[test]
    fn openings_are_shuffled_rotated_and_cut() {
        let select = |order, start, rounds| selected(&book(order, start), Some(7), rounds, 8);
        assert_eq!(select(BookOrder::Sequential, 1, 3), [0, 1, 2]);
        assert_eq!(select(BookOrder::Sequential, 7, 9), [6, 7, 0, 1, 2, 3, 4, 5]);
        assert_eq!(select(BookOrder::Random, 1, 9), [7, 5, 2, 4, 1, 3, 0, 6]);
        assert_eq!(select(BookOrder::Random, 11, 4), [2, 4, 1, 3], "the start wraps around");
        assert!(selected(&book(BookOrder::Random, 1), None, 9, 0).is_empty());
    }

    #[test]
    fn games_without_a_book_begin_at_the_start_position() {
        let openings = openings(&book(BookOrder::Random, 1), None, 5).expect("no file");
        assert_eq!(openings, [Opening { line: GamePosition::start_position(), eco: None, name: None }]);
    }
}
