//! The root moves, each with its result.

use cozy_chess::Move;

use super::move_ordering::{Killers, MovePicker, OrderingHints, Stage, is_noisy, victim_of};
use super::node::{Node, Search};
use super::node_eval::NodeEval;
use super::pvs::hash_move;
use super::search_move::MoveContext;
use super::window::Window;
use crate::budget::SearchStopped;
use crate::value::Value;
use threefold_chess::score::Bound;

/// A root move.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub value: Value,
    pub bound: Bound,
    /// Its index at the start of the search.
    pub number: usize,
    /// Nodes spent on it in this search.
    pub nodes: u64,
    /// Nodes spent on it before this iteration.
    pub before: u64,
    /// The principal variation that begins with it.
    pub line: Vec<Move>,
}

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// The allowed root moves, in move-ordering order.
    pub(super) fn root_moves(&mut self, root: &Node, allowed: impl Fn(Move) -> bool) -> Vec<RootMove> {
        let hash = hash_move(root, self.table.probe(self.table_key(&root.board, root.key)));
        let hints =
            OrderingHints { hash, killers: Killers::default(), history_context: self.history_context(root) };
        let mut picker = MovePicker::all(&self.thread.move_stack, hints, self.bug);
        let mut moves = Vec::new();
        while let Some((mv, _)) =
            picker.next(&mut self.thread.move_stack, &root.board, &self.thread.histories)
        {
            if allowed(mv) {
                // This value marks a move without a result: `value_unsearched` looks for it.
                let (value, bound) = (Value::MINUS_INFINITE, Bound::Upper);
                let number = moves.len();
                moves.push(RootMove { value, bound, number, nodes: 0, before: 0, line: vec![mv] });
            }
        }
        picker.end(&mut self.thread.move_stack);
        moves
    }

    /// Prepares the root for an iteration and evaluates it.
    pub(super) fn begin_root(&mut self, root: &Node) -> NodeEval {
        let known = self.known_entry(root).map(|known| known.entry);
        let eval = self.static_eval(root, known);
        self.stack[0].history_context = self.history_context(root);
        // `begin_moves` clears the ply two below its node, so the root clears ply 1 as well.
        for frame in &mut self.stack[1..=2] {
            (frame.killers, frame.refuted) = (Killers::default(), 0);
        }
        eval
    }

    /// Searches the moves from `rank` on. A new best one is moved to the front of them at once, so that the first
    /// move is the one to play whenever the search is stopped.
    pub(super) fn search_root(
        &mut self,
        root: &Node,
        moves: &mut [RootMove],
        rank: usize,
        mut window: Window,
    ) -> Result<Value, SearchStopped> {
        let eval = self.begin_root(root);
        let first = moves[rank].line[0];
        // The root is searched without a hash move: the best move of the last iteration is first instead.
        let hash_takes = victim_of(&root.board, first).is_some();
        let mut best = Value::MINUS_INFINITE;
        for index in rank..moves.len() {
            let mv = moves[index].line[0];
            // The picker's stages are of no use here: moves are in the order of the last iteration.
            let stage = if is_noisy(&root.board, mv) { Stage::Winning } else { Stage::Quiet };
            let candidate = self.candidate(root, mv, stage, (index - rank + 1) as u16);
            let before = self.budget.own_nodes();
            let after = self.play(root, mv);
            let context = MoveContext { window, eval, best, hash_takes };
            // A stopped search returns here and leaves the move on the path; `return_to_root` takes it back.
            let value = self.search_move(root, after, candidate, context)?.value;
            self.repetitions.pop();
            moves[index].nodes += self.budget.own_nodes() - before;
            best = best.max(value);
            // A later move up to alpha has a bound that depends on the moves before it; its old value says
            // more.
            if index == rank || value > window.alpha {
                let chosen = &mut moves[index];
                chosen.value = value;
                chosen.bound = if value >= window.beta {
                    Bound::Lower
                } else if value <= window.alpha {
                    Bound::Upper
                } else {
                    Bound::Exact
                };
            }
            if value > window.alpha {
                self.thread.lines.extend(0, mv);
                let line = &mut moves[index].line;
                line.clear();
                line.extend_from_slice(self.thread.lines.line(0));
                // A rotation, not a swap: the moves before it keep their order.
                moves[rank..=index].rotate_right(1);
                window.alpha = value;
            }
            self.budget.watch(moves.iter().map(|choice| (choice.number, choice.nodes)));
            if value >= window.beta {
                break;
            }
        }
        Ok(best)
    }
}
