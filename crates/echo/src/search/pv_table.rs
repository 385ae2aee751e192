//! The triangular PV table: for each ply the best continuation found.
//!
//! It is separate from the transposition table, where later moves of a line may have been overwritten.

use cozy_chess::{Move, Square};

use crate::value::MAX_PLY;

const ROWS: usize = MAX_PLY + 1;
const NO_MOVE: Move = Move { from: Square::A1, to: Square::A1, promotion: None };

/// The triangular table.
pub(super) struct PvTable {
    moves: Vec<[Move; ROWS]>,
    lengths: [usize; ROWS + 1],
}

impl PvTable {
    pub(super) fn new() -> Self {
        Self { moves: vec![[NO_MOVE; ROWS]; ROWS], lengths: [0; ROWS + 1] }
    }

    /// Clears the line from this ply on.
    pub(super) fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// Sets the line at this ply: the move, followed by the line of the next ply.
    pub(super) fn extend(&mut self, ply: usize, mv: Move) {
        let length = self.lengths[ply + 1];
        let (above, below) = self.moves.split_at_mut(ply + 1);
        let row = &mut above[ply];
        row[0] = mv;
        if let Some(next) = below.first() {
            row[1..=length].copy_from_slice(&next[..length]);
        }
        self.lengths[ply] = length + 1;
    }

    /// The line from this ply on.
    pub(super) fn line(&self, ply: usize) -> &[Move] {
        &self.moves[ply][..self.lengths[ply]]
    }
}
