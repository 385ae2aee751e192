//! Detects repetitions by following moves back until they cancel out, without keys (Stanback and Kerrigan;
//! TSCP until 1.7).
//!
//! Going back over the reversible moves, each square records whether a piece left or arrived. When nothing is
//! recorded, the placement equals the current one. The method is wrong for two different pieces that have
//! exchanged places; after an odd number of moves, with the other side to move; for a capture or pawn move at
//! the far end, which is included; and for castling and en passant rights, which are ignored. These errors
//! are kept deliberately: this detector exists for comparison.

use cozy_chess::Square;

use super::{Occurrences, Path};

/// With fewer reversible moves nothing can repeat.
const FEWEST: usize = 4;

/// The occurrences of the top position, by the moves that led to it.
pub(super) fn seen(path: &Path) -> Occurrences {
    let mut seen = Occurrences::default();
    let top = path.len() - 1;
    if path.reach() < FEWEST {
        return seen;
    }
    let mut moved = [0_i8; Square::NUM];
    let mut unsettled = 0;
    // One move too far, as in the original.
    for back in 1..=path.reach() + 1 {
        let Some(before) = top.checked_sub(back) else { break };
        let Some(mv) = path.entry(before + 1).led_by else { break };
        for (square, came) in [(mv.from, 1), (mv.to, -1)] {
            // Without captures and castling a square is left and entered by turns, so its sum is -1, 0 or 1.
            let memory = &mut moved[square as usize];
            *memory += came;
            unsettled += if *memory == 0 { -1 } else { 1 };
        }
        if unsettled == 0 {
            seen.count(before, path.game());
        }
    }
    seen
}
