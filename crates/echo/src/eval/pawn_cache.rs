//! A cache of the pawn and king terms.
//!
//! Most moves are by neither a pawn nor a king, so most positions share pawns and kings with a recent one.
//! The squares themselves are compared, not a hash, so a hit is always correct, and the evaluation does not
//! depend on the cache.

use cozy_chess::{BitBoard, Color, Square};

use super::context::EvalContext;
use super::pawn_score;
use super::phase::Tapered;

/// The number of slots, chosen to fit a processor cache.
const SLOTS: usize = 4096;

#[derive(Debug, Clone, Copy)]
struct Slot {
    pawns: [BitBoard; 2],
    kings: [Square; 2],
    score: Tapered,
}

impl Slot {
    /// Never matches: two kings on one square.
    const EMPTY: Self = Self { pawns: [BitBoard::EMPTY; 2], kings: [Square::A1; 2], score: Tapered::ZERO };
}

/// The cache of one thread.
#[derive(Debug)]
pub struct PawnCache(Box<[Slot; SLOTS]>);

impl Default for PawnCache {
    fn default() -> Self {
        Self::new()
    }
}

impl PawnCache {
    /// An empty cache.
    pub fn new() -> Self {
        let slots = vec![Slot::EMPTY; SLOTS].into_boxed_slice();
        Self(slots.try_into().expect("as many as were made"))
    }

    /// White's terms minus Black's, from the cache or computed.
    pub(super) fn score(&mut self, context: &EvalContext<'_>) -> Tapered {
        let sides = [Color::White, Color::Black].map(|color| context.side(color));
        let (pawns, kings) = (sides.map(|side| side.pawns), sides.map(|side| side.king));
        let slot = &mut self.0[place(pawns, kings)];
        if slot.pawns != pawns || slot.kings != kings {
            *slot = Slot { pawns, kings, score: pawn_score(context) };
        }
        slot.score
    }
}

/// Multiplicative hashing; the index is taken from the high bits.
fn place(pawns: [BitBoard; 2], kings: [Square; 2]) -> usize {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let [white, black] = pawns.map(|pawns| pawns.0);
    let kings = kings[0] as u64 * 64 + kings[1] as u64;
    let mixed = (white.wrapping_mul(ODD) ^ black.rotate_left(32)).wrapping_add(kings).wrapping_mul(ODD);
    (mixed >> (u64::BITS - SLOTS.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use cozy_chess::Board;
    use proptest::prelude::*;

    use super::*;
    use crate::eval::{evaluate, evaluate_with};

    proptest! {
        #[test]
        fn pawn_cache_does_not_change_the_evaluation(games in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..120), 1..8)) {
            let mut cache = PawnCache::new();
            for choices in games {
                let mut board = Board::startpos();
                for choice in choices {
                    let legal = crate::position::legal_moves(&board);
                    let Some(&mv) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
                    board.play_unchecked(mv);
                    prop_assert_eq!(evaluate_with(&board, &mut cache), evaluate(&board), "{}", board);
                }
            }
        }
    }
}
