//! Lines of play: a triangle of moves, one row for each ply, each the best continuation found there.
//!
//! It is kept apart from the hash table, where the rest of a line may have been overwritten.

use cozy_chess::{Move, Square};

use crate::value::MAX_PLY;

const ROWS: usize = MAX_PLY + 1;
const NO_MOVE: Move = Move { from: Square::A1, to: Square::A1, promotion: None };

/// The triangle.
pub(super) struct PvTable {
    moves: Vec<[Move; ROWS]>,
    lengths: [usize; ROWS + 1],
}

impl PvTable {
    pub(super) fn new() -> Self {
        Self { moves: vec![[NO_MOVE; ROWS]; ROWS], lengths: [0; ROWS + 1] }
    }

    /// Nothing is known of the play from this ply on.
    pub(super) fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// This move, then what is best after it.
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

    /// The play from this ply on.
    pub(super) fn from(&self, ply: usize) -> &[Move] {
        &self.moves[ply][..self.lengths[ply]]
    }
}
