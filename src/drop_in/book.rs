//! The openings of a command line, in fastchess' order.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use anyhow::Context;

use super::settings::{Book, BookOrder};
use crate::input::by_name;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_games::opening::{Opening, OpeningOrder, OpeningSelection};

/// The openings of this number of rounds. Without a book every game begins at the start position.
pub(super) fn openings(book: &Book, seed: Option<u64>, rounds: usize) -> anyhow::Result<Vec<Opening>> {
    let Some(file) = &book.file else {
        return Ok(vec![Opening { line: GamePosition::start_position(), eco: None, name: None }]);
    };
    let found = by_name::book(file)?;
    let format = match &book.format {
        Some(given) => given.parse().with_context(|| format!("Error: book format {given}"))?,
        None => found.format,
    };
    let plies = book.plies.filter(|&plies| plies > 0).map(Ply);
    let selection = OpeningSelection { order: order(book, seed), start: book.start, most: rounds };
    found
        .read_selected(format, plies, |size| selection.indices(size))
        .with_context(|| format!("Error: {}", found.name))
}

fn order(book: &Book, seed: Option<u64>) -> OpeningOrder {
    match book.order {
        BookOrder::Sequential => OpeningOrder::Sequential,
        BookOrder::Random => OpeningOrder::Fastchess { seed: seed.unwrap_or_else(random_seed) },
    }
}

/// A seed that differs from run to run. The journal has the openings, so a run can be resumed all the same.
fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    fn book(order: BookOrder) -> Book {
        Book { file: None, format: None, order, plies: None, start: NonZeroUsize::MIN }
    }

    #[test]
    fn random_order_is_that_of_fastchess_with_the_seed() {
        assert_eq!(order(&book(BookOrder::Sequential), Some(7)), OpeningOrder::Sequential);
        assert_eq!(order(&book(BookOrder::Random), Some(7)), OpeningOrder::Fastchess { seed: 7 });
        let [one, other] = [(), ()].map(|()| order(&book(BookOrder::Random), None));
        assert_ne!(one, other);
    }

    #[test]
    fn games_without_a_book_begin_at_the_start_position() {
        let openings = openings(&book(BookOrder::Random), None, 5).expect("no file");
        assert_eq!(openings, [Opening { line: GamePosition::start_position(), eco: None, name: None }]);
    }
}
