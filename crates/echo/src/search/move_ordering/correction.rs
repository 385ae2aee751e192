//! Corrections: by how much the static evaluation was wrong in positions like this one.
//!
//! Each counter is a running mean of the difference between what a search found and what the evaluation
//! said, the deeper the search the weightier. "Like" means the same pawns, the same pieces of one side, or
//! the same last two moves.

use cozy_chess::{Board, Color};

use super::feature_keys::{pawn_structure, pieces_of};
use super::history::PieceTo;

const SLOTS: usize = 16_384;
/// Pawns, and each side's pieces.
const PARTS: usize = 3;
/// Parts of a centipawn that a counter counts.
const GRAIN: i32 = 64;
/// No counter goes beyond so many centipawns.
const MOST: i32 = 200;
/// Shares of pawns, of either side's pieces, and of the last moves in the correction, in 256ths.
const SHARES: [i32; 4] = [96, 64, 64, 64];
/// Part of the way that a counter goes to what was found by a search one ply deep, in 256ths.
const STEP: i32 = 2;

/// What a position is like.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct CorrectionKeys {
    /// In each part, among all of `by_part`.
    slots: [usize; PARTS],
    line: Option<usize>,
}

impl CorrectionKeys {
    /// Of a position and the last two moves before it.
    pub(in crate::search) fn of(board: &Board, last: [Option<PieceTo>; 2]) -> Self {
        let names = [pawn_structure(board), pieces_of(board, Color::White), pieces_of(board, Color::Black)];
        let first = board.side_to_move() as usize * PARTS * SLOTS;
        let slots = [0, 1, 2].map(|part| first + part * SLOTS + names[part] as usize % SLOTS);
        let line = match last {
            [Some(last), Some(before)] => Some(last.index() * PieceTo::NUM + before.index()),
            [_, _] => None,
        };
        Self { slots, line }
    }
}

/// All counters.
pub(in crate::search) struct Corrections {
    /// For either side to move, for each part, slot by slot.
    by_part: Vec<i16>,
    lines: Vec<i16>,
}

impl Corrections {
    pub(in crate::search) fn new() -> Self {
        Self { by_part: vec![0; Color::NUM * PARTS * SLOTS], lines: vec![0; PieceTo::NUM * PieceTo::NUM] }
    }

    pub(in crate::search) fn clear(&mut self) {
        self.by_part.fill(0);
        self.lines.fill(0);
    }

    /// Centipawns to add to the evaluation.
    pub(in crate::search) fn of(&self, like: CorrectionKeys) -> i32 {
        let mut sum = like.line.map_or(0, |line| SHARES[3] * i32::from(self.lines[line]));
        for (slot, share) in like.slots.into_iter().zip(SHARES) {
            sum += share * i32::from(self.by_part[slot]);
        }
        sum / (256 * GRAIN)
    }

    /// A search of so many plies found so many centipawns more than the evaluation.
    pub(in crate::search) fn learn(&mut self, like: CorrectionKeys, error: i32, depth: i32) {
        let step = (STEP * depth).min(32);
        let target = error.clamp(-MOST, MOST) * GRAIN;
        let approach = |counter: &mut i16| {
            let now = i32::from(*counter);
            *counter = (now + (target - now) * step / 256) as i16;
        };
        for slot in like.slots {
            approach(&mut self.by_part[slot]);
        }
        if let Some(line) = like.line {
            approach(&mut self.lines[line]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_error_is_corrected_and_forgotten_again() {
        let mut corrections = Corrections::new();
        let like = CorrectionKeys::of(&Board::startpos(), [None, None]);
        assert_eq!(corrections.of(like), 0);
        for (error, from, to) in [(80, 50, 80), (0, -5, 5), (-5_000, -200, -150)] {
            for _ in 0..500 {
                corrections.learn(like, error, 8);
            }
            let learnt = corrections.of(like);
            assert!((from..=to).contains(&learnt), "{error}: {learnt}");
        }
    }
}
