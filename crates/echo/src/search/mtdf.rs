//! MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): zero-window searches converge to the root's value. The
//! transposition table makes the repetitions cheap.

use cozy_chess::Move;

use super::node::{Node, Search};
use super::pvs::hash_move;
use super::root::RootMove;
use super::window::Window;
use crate::budget::SearchStopped;
use crate::position::{Key, key_of};
use crate::value::Value;
use threefold_chess::score::Bound;

/// Searches in one direction before the steps grow.
const SEARCHES_BEFORE_GROWTH: i32 = 2;

/// How far the next guess is beyond the last value.
#[derive(Debug, Default)]
struct Steps {
    /// The direction of the last search, if there was one.
    upwards: Option<bool>,
    /// The number of searches in this direction.
    passes: i32,
}

impl Steps {
    /// The step in granules after a search whose value lies in this direction.
    fn after(&mut self, upwards: bool) -> i32 {
        self.passes = if self.upwards == Some(upwards) { self.passes + 1 } else { 1 };
        self.upwards = Some(upwards);
        self.passes / SEARCHES_BEFORE_GROWTH
    }
}

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// Converges to the value of the moves from `rank` on; the best of them moves to the front.
    ///
    /// Bounds are multiples of the granularity. If the value keeps lying beyond, steps grow by one granule
    /// after every two searches; after an overshoot the next step is minimal again.
    pub(super) fn converge(
        &mut self,
        root: &Node,
        moves: &mut [RootMove],
        rank: usize,
    ) -> Result<(), SearchStopped> {
        // Each search shows on which side of its beta the value is, and so raises `low` or lowers `high`.
        let grain = self.mode().scoring.grain.centipawns();
        let (mut low, mut high) = (Value::MINUS_INFINITE, Value::INFINITE);
        let expected = moves[rank].value;
        let mut guess = if expected.is_infinite() { Value::DRAW } else { expected };
        let mut steps = Steps::default();
        while low < high {
            let guessed = Value::from_raw(self.mode().scoring.grain.round(guess.raw()));
            // Only a beta above `low`, and at most `high`, can move one of the bounds.
            let beta = if guessed <= low { Value::from_raw(low.raw() + grain) } else { guessed }.min(high);
            let value = self.search_root(root, moves, rank, Window::above(beta.next_below()))?;
            let above = value >= beta;
            // A selective search may contradict an earlier bound. Then both bounds become the new value, and
            // the loop ends.
            (low, high) = if above { (value, high.max(value)) } else { (low.min(value), value) };
            let step = steps.after(above) * grain;
            guess = Value::from_raw(value.raw() + if above { step } else { -step });
            if self.features.counts() {
                self.counters.passes += 1;
            }
        }
        let chosen = &mut moves[rank];
        (chosen.value, chosen.bound) = (low, Bound::Exact);
        // Zero-window searches have no principal variation, so it is read from the table.
        self.lengthen(root, &mut chosen.line);
        Ok(())
    }

    /// Extends a principal variation by moves from the transposition table, without repetitions.
    fn lengthen(&self, root: &Node, line: &mut Vec<Move>) {
        let mut board = root.board.clone();
        let mut met: Vec<Key> = vec![root.key];
        line.truncate(1);
        board.play_unchecked(line[0]);
        while line.len() < root.depth as usize {
            let key = key_of(&board, self.bug);
            let node = Node::root(&board, key);
            let Some(mv) = hash_move(&node, self.table.probe(self.table_key(&board, key)))
                .filter(|_| !met.contains(&key))
            else {
                break;
            };
            met.push(key);
            line.push(mv);
            board.play_unchecked(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_grow_after_every_two_searches_and_begin_again_after_a_turn() {
        let mut steps = Steps::default();
        let (up, down) = (true, false);
        let taken =
            [up, up, up, up, up, up, down, down, down, up, down].map(|direction| steps.after(direction));
        assert_eq!(taken, [0, 1, 1, 2, 2, 3, 0, 1, 1, 0, 0]);
    }
}
