//! Correction history: past errors of the static evaluation in similar positions.
//!
//! Each counter is a running mean of search value minus static evaluation, weighted by depth. Similar
//! positions share the pawns, the pieces of one side, or the last two moves.

use cozy_chess::{Board, Color};

use super::feature_keys::{pawn_structure, pieces_of};
use super::history::PieceTo;

const SLOTS: usize = 16_384;
/// The tables: pawns, White's pieces, Black's pieces.
const PARTS: usize = 3;
/// Counter units per centipawn.
const GRAIN: i32 = 64;
/// The limit of a counter, in centipawns. Larger differences are tactics, not errors of the evaluation.
const MOST: i32 = 200;
/// Weights of pawns, either side's pieces, and last moves in the correction, in 256ths.
const SHARES: [i32; 4] = [96, 64, 64, 64];
/// The step of a counter towards the result of a search of depth 1, in 256ths.
const STEP: i32 = 2;

/// The keys of a position.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct CorrectionKeys {
    /// The slots of the parts in `by_part`.
    slots: [usize; PARTS],
    line: Option<usize>,
}

impl CorrectionKeys {
    /// From a position and the last two moves.
    pub(in crate::search) fn new(board: &Board, last: [Option<PieceTo>; 2]) -> Self {
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
    /// By side to move, part and slot.
    by_part: Vec<i16>,
    lines: Vec<i16>,
    /// Whether a counter may differ from zero.
    is_used: bool,
}

impl Corrections {
    pub(in crate::search) fn new() -> Self {
        Self {
            by_part: vec![0; Color::NUM * PARTS * SLOTS],
            lines: vec![0; PieceTo::NUM * PieceTo::NUM],
            is_used: false,
        }
    }

    pub(in crate::search) fn clear(&mut self) {
        if !std::mem::take(&mut self.is_used) {
            return;
        }
        self.by_part.fill(0);
        self.lines.fill(0);
    }

    /// The correction in centipawns.
    pub(in crate::search) fn correction(&self, like: CorrectionKeys) -> i32 {
        let mut sum = like.line.map_or(0, |line| SHARES[3] * i32::from(self.lines[line]));
        for (slot, share) in like.slots.into_iter().zip(SHARES) {
            sum += share * i32::from(self.by_part[slot]);
        }
        sum / (256 * GRAIN)
    }

    /// Records the error of the evaluation, in centipawns, found by a search of this depth.
    pub(in crate::search) fn learn(&mut self, like: CorrectionKeys, error: i32, depth: i32) {
        self.is_used = true;
        // Deep results are better founded; but no single one moves a counter by more than an eighth of the
        // way.
        let step = (STEP * depth).min(32);
        let target = error.clamp(-MOST, MOST) * GRAIN;
        let approach = |counter: &mut i16| {
            let now = i32::from(*counter);
            // The counter stays within `MOST * GRAIN`, which fits in 16 bits.
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
    fn correction_follows_a_constant_error() {
        let mut corrections = Corrections::new();
        let like = CorrectionKeys::new(&Board::startpos(), [None, None]);
        assert_eq!(corrections.correction(like), 0);
        for (error, from, to) in [(80, 50, 80), (0, -5, 5), (-5_000, -200, -150)] {
            for _ in 0..500 {
                corrections.learn(like, error, 8);
            }
            let learnt = corrections.correction(like);
            assert!((from..=to).contains(&learnt), "{error}: {learnt}");
        }
    }
}
