//! Moves followed back until they cancel out, without any keys (Stanback and Kerrigan; TSCP until 1.7).
//!
//! Walking back over the reversible moves, each square remembers whether a piece came or went. Whenever no
//! square remembers anything, the placement is that of now. It is told wrong by two unlike pieces that have
//! changed places; by an odd number of moves, after which the other side is to move; by a capture or pawn move
//! at the far end, which is walked over too; and by rights to castle or to capture en passant, which nobody looks
//! at. All of it is kept as it was: this detector is here to be held against the others.

use cozy_chess::Square;

use super::{Occurrences, Path};

/// Fewer reversible moves repeat nothing.
const FEWEST: usize = 4;

/// How often the position on top occurred before, by the moves that led to it.
pub(super) fn seen(path: &Path) -> Occurrences {
    let mut seen = Occurrences::default();
    let top = path.len() - 1;
    if path.reach() < FEWEST {
        return seen;
    }
    let mut moved = [0_i8; Square::NUM];
    let mut unsettled = 0;
    // One move too far, as it was written down.
    for back in 1..=path.reach() + 1 {
        let Some(before) = top.checked_sub(back) else { break };
        let Some(mv) = path.at(before + 1).led_by else { break };
        for (square, came) in [(mv.from, 1), (mv.to, -1)] {
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
