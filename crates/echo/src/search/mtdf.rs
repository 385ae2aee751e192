//! MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): the root's value is closed in on by asking again and again
//! on which side of a number it lies. The hash table makes it bearable.

use cozy_chess::Move;

use super::node::{Node, Search, Window};
use super::pvs::hash_move;
use super::root::RootMove;
use crate::budget::SearchStopped;
use crate::position::{Key, key_of};
use crate::value::Value;
use threefold_chess::score::Bound;

/// After so many questions in one direction the next steps go further.
const PATIENCE: i32 = 2;

impl<const SHIPPED: bool> Search<'_, SHIPPED> {
    /// Closes in on the value of the moves from `rank` on; the best of them comes to the front.
    ///
    /// Numbers asked about are multiples of the grain. Where the value keeps lying further on, steps grow by a
    /// grain after every two questions; once one goes too far, the next is exact again.
    pub(super) fn converge(
        &mut self,
        root: &Node,
        moves: &mut [RootMove],
        rank: usize,
    ) -> Result<(), SearchStopped> {
        let grain = self.mode().scoring.grain.centipawns();
        let (mut low, mut high) = (Value::MINUS_INFINITE, Value::INFINITE);
        let expected = moves[rank].value;
        let mut guess = if expected.is_infinite() { Value::DRAW } else { expected };
        let (mut upwards, mut requested) = (None, 0);
        while low < high {
            let guessed = Value::from_raw(self.mode().scoring.grain.round(guess.raw()));
            let beta = if guessed <= low { Value::from_raw(low.raw() + grain) } else { guessed }.min(high);
            let value = self.search_root(root, &mut moves[rank..], Window::above(beta.next_below()))?;
            let above = value >= beta;
            (low, high) = if above { (value, high.max(value)) } else { (low.min(value), value) };
            requested = if upwards == Some(above) { requested + 1 } else { 1 };
            upwards = Some(above);
            let step = requested / PATIENCE * grain;
            guess = Value::from_raw(value.raw() + if above { step } else { -step });
        }
        let chosen = &mut moves[rank];
        (chosen.value, chosen.bound) = (low, Bound::Exact);
        self.lengthen(root, &mut chosen.line);
        Ok(())
    }

    /// Goes on with a line of play as far as the hash table knows it and no position comes again.
    fn lengthen(&self, root: &Node, line: &mut Vec<Move>) {
        let mut board = root.board.clone();
        let mut met: Vec<Key> = vec![root.key];
        line.truncate(1);
        board.play_unchecked(line[0]);
        while line.len() < root.depth as usize {
            let key = key_of(&board, self.seed);
            let node = Node::root(&board, key);
            let Some(mv) = hash_move(&node, self.table.probe(key)).filter(|_| !met.contains(&key)) else {
                break;
            };
            met.push(key);
            line.push(mv);
            board.play_unchecked(mv);
        }
    }
}
