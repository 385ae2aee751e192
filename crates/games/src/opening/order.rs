//! The order in which the openings of a book are played.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::mersenne_twister::MersenneTwister;

/// The order of openings: `sequential`, `random:SEED` or `fastchess:SEED`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpeningOrder {
    /// As in the book.
    Sequential,
    /// Shuffled; the same seed gives the same order on every machine.
    Random {
        /// The seed of the shuffle.
        seed: u64,
    },
    /// Shuffled as fastchess does with `-openings order=random -srand SEED`.
    Fastchess {
        /// The seed of the shuffle.
        seed: u64,
    },
}

/// The text names no order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "order `{given}` is not known; use `sequential`, or `random:SEED` with a whole number, such as `random:1`; \
     `fastchess:SEED` is the order of fastchess"
)]
pub struct OpeningOrderError {
    /// The given text.
    pub given: String,
}

impl OpeningOrder {
    /// The indices of a book of this size, in playing order.
    pub fn arrange(self, size: usize) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..size).collect();
        match self {
            Self::Sequential => {}
            Self::Random { seed } => shuffle(&mut indices, seed),
            Self::Fastchess { seed } => shuffle_as_fastchess(&mut indices, seed),
        }
        indices
    }
}

/// Which openings of a book are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningSelection {
    /// The order in which the openings are used.
    pub order: OpeningOrder,
    /// The first one to play, from 1, in that order. After the last opening follows the first.
    pub start: NonZeroUsize,
    /// The number of openings at most.
    pub most: usize,
}

impl OpeningSelection {
    /// The indices of the selected openings of a book of this size, in playing order.
    pub fn indices(self, size: usize) -> Vec<usize> {
        let mut indices = self.order.arrange(size);
        indices.rotate_left((self.start.get() - 1) % size.max(1));
        indices.truncate(self.most);
        indices
    }
}

/// fastchess' shuffle, seen from its book order: a forward Fisher–Yates shuffle that takes remainders of the
/// 64-bit Mersenne Twister.
fn shuffle_as_fastchess(indices: &mut [usize], seed: u64) {
    let mut random = MersenneTwister::new(seed);
    let size = indices.len();
    for first in 0..size.saturating_sub(1) {
        let drawn = random.next_u64() % (size - first) as u64;
        indices.swap(first, first + drawn as usize);
    }
}

/// A Fisher–Yates shuffle, written out here: a library may change how it draws, and that would change every
/// match that must be reproducible.
fn shuffle(indices: &mut [usize], seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for last in (1..indices.len()).rev() {
        // A 64-bit fraction of the range; the bias is below size / 2⁶⁴.
        let drawn = (u128::from(random.next_u64()) * (last as u128 + 1)) >> 64;
        indices.swap(last, drawn as usize);
    }
}

impl FromStr for OpeningOrder {
    type Err = OpeningOrderError;

    fn from_str(given: &str) -> Result<Self, OpeningOrderError> {
        match given.split_once(':') {
            None if given == "sequential" => Some(Self::Sequential),
            Some(("random", seed)) => seed.parse().ok().map(|seed| Self::Random { seed }),
            Some(("fastchess", seed)) => seed.parse().ok().map(|seed| Self::Fastchess { seed }),
            Some(_) | None => None,
        }
        .ok_or_else(|| OpeningOrderError { given: given.to_owned() })
    }
}

impl fmt::Display for OpeningOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sequential => f.write_str("sequential"),
            Self::Random { seed } => write!(f, "random:{seed}"),
            Self::Fastchess { seed } => write!(f, "fastchess:{seed}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffle_is_a_reproducible_permutation() {
        for seed in 0..20 {
            for size in [0, 1, 2, 7, 500] {
                let mut arranged = OpeningOrder::Random { seed }.arrange(size);
                assert_eq!(arranged, OpeningOrder::Random { seed }.arrange(size));
                arranged.sort_unstable();
                assert_eq!(arranged, OpeningOrder::Sequential.arrange(size));
            }
        }
        // Pinned: a change here changes every seeded match.
        assert_eq!(OpeningOrder::Random { seed: 1 }.arrange(8), [5, 6, 2, 4, 1, 7, 0, 3]);
    }

    /// Computed with `std::mt19937_64` and fastchess' loop in a C++ program.
    #[test]
    fn fastchess_order_is_that_of_its_generator() {
        let arranged = |seed| OpeningOrder::Fastchess { seed }.arrange(8);
        assert_eq!(arranged(7), [7, 5, 2, 4, 1, 3, 0, 6]);
        assert_eq!(arranged(u64::MAX), [4, 7, 1, 2, 6, 5, 0, 3]);
        for size in [0, 1] {
            assert_eq!(OpeningOrder::Fastchess { seed: 1 }.arrange(size).len(), size);
        }
    }

    #[test]
    fn openings_are_shuffled_rotated_and_cut() {
        let select = |order, start, most| {
            let start = NonZeroUsize::new(start).expect("not zero");
            OpeningSelection { order, start, most }.indices(8)
        };
        let fastchess = OpeningOrder::Fastchess { seed: 7 };
        assert_eq!(select(OpeningOrder::Sequential, 1, 3), [0, 1, 2]);
        assert_eq!(select(OpeningOrder::Sequential, 7, 9), [6, 7, 0, 1, 2, 3, 4, 5]);
        assert_eq!(select(fastchess, 1, 9), [7, 5, 2, 4, 1, 3, 0, 6]);
        assert_eq!(select(fastchess, 11, 4), [2, 4, 1, 3], "the start wraps around");
        let all = OpeningSelection { order: fastchess, start: NonZeroUsize::MIN, most: 9 };
        assert!(all.indices(0).is_empty());
    }

    #[test]
    fn opening_orders_parse_and_print() {
        for order in ["sequential", "random:0", "random:18446744073709551615", "fastchess:42"] {
            assert_eq!(order.parse::<OpeningOrder>().expect(order).to_string(), order);
        }
        for given in ["", "random", "random:x", "sequential:1", "fastchess", "fastchess:-1"] {
            let error = given.parse::<OpeningOrder>().expect_err(given).to_string();
            assert!(error.contains("use `sequential`, or `random:SEED`"), "{error}");
        }
    }
}
