//! What pawns and kings are worth among themselves, kept from one evaluation to the next.
//!
//! Most moves touch neither a pawn nor a king, so nearly every position has the pawns and kings of one that was
//! judged shortly before. They are compared themselves, not by a name: what is found here is never another
//! position's, and an evaluation is the same with the cache and without.

use cozy_chess::{BitBoard, Color, Square};

use super::among_pawns;
use super::context::EvalContext;
use super::phase::Tapered;

/// As many as stay near the processor.
const SLOTS: usize = 4096;

#[derive(Debug, Clone, Copy)]
struct Slot {
    pawns: [BitBoard; 2],
    kings: [Square; 2],
    worth: Tapered,
}

impl Slot {
    /// No two kings stand on one square.
    const EMPTY: Self = Self { pawns: [BitBoard::EMPTY; 2], kings: [Square::A1; 2], worth: Tapered::ZERO };
}

/// One thread's.
#[derive(Debug)]
pub struct PawnCache(Box<[Slot; SLOTS]>);

impl Default for PawnCache {
    fn default() -> Self {
        Self::new()
    }
}

impl PawnCache {
    /// Nothing is known yet.
    pub fn new() -> Self {
        let slots = vec![Slot::EMPTY; SLOTS].into_boxed_slice();
        Self(slots.try_into().expect("as many as were made"))
    }

    /// White's share less Black's, looked up or found out.
    pub(super) fn worth(&mut self, context: &EvalContext<'_>) -> Tapered {
        let sides = [Color::White, Color::Black].map(|color| context.side(color));
        let (pawns, kings) = (sides.map(|side| side.pawns), sides.map(|side| side.king));
        let slot = &mut self.0[place(pawns, kings)];
        if slot.pawns != pawns || slot.kings != kings {
            *slot = Slot { pawns, kings, worth: among_pawns(context) };
        }
        slot.worth
    }
}

/// Multiplying carries every bit upwards, where the place is taken from.
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
        fn nothing_changes_with_a_cache(games in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..120), 1..8)) {
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
