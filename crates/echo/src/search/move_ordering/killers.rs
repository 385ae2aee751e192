//! Killer moves (Akl and Newborn 1977): the two quiet moves that last caused a cutoff in a sibling node. What
//! refutes one move often refutes another.

use cozy_chess::Move;

/// The last two, the newer first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::search) struct Killers([Option<Move>; 2]);

impl Killers {
    /// Records a move that caused a cutoff.
    pub(in crate::search) fn remember(&mut self, mv: Move) {
        if self.0[0] != Some(mv) {
            self.0 = [Some(mv), self.0[0]];
        }
    }

    /// 2 for the newer killer, 1 for the older, 0 otherwise.
    pub(in crate::search) fn rank(self, mv: Move) -> i32 {
        match self.0 {
            [newer, _] if newer == Some(mv) => 2,
            [_, older] if older == Some(mv) => 1,
            _ => 0,
        }
    }
}
