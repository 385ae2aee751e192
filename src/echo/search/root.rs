//! The root: the moves to choose from, each with what the search last made of it.

use cozy_chess::Move;

use super::node::{Node, Search, Window};
use super::order::{Hints, Killers, Picker, Stage};
use super::prune::{Candidate, Outlook};
use super::pvs::gives_check;
use crate::echo::budget::Stopped;
use crate::echo::eval;
use crate::echo::request::Bound;
use crate::echo::value::Value;

/// A move to choose.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub value: Value,
    pub bound: Bound,
    /// The line of play that begins with it.
    pub line: Vec<Move>,
}

impl Search<'_> {
    /// The moves to choose from, the most promising first.
    pub(super) fn root_moves(&mut self, root: &Node, allowed: impl Fn(Move) -> bool) -> Vec<RootMove> {
        let hash = self.memory.table.probe(root.key).and_then(|entry| entry.best);
        let hints = Hints { hash, killers: Killers::default(), occasion: self.occasion(root) };
        let memory = &mut *self.memory;
        let mut picker = Picker::all(&mut memory.moves, &root.board, &hints, &memory.histories, self.seed);
        let mut moves = Vec::new();
        while let Some((mv, _)) = picker.next(&mut memory.moves, &root.board) {
            if allowed(mv) {
                moves.push(RootMove { value: Value::MINUS_INFINITE, bound: Bound::Upper, line: vec![mv] });
            }
        }
        picker.end(&mut memory.moves);
        moves
    }

    /// Searches these moves. Whichever is found better than what was best so far comes to the front at once,
    /// so that the front move is the one to play whenever the search is called off.
    pub(super) fn search_root(
        &mut self,
        root: &Node,
        moves: &mut [RootMove],
        mut window: Window,
    ) -> Result<Value, Stopped> {
        let evaluation = (!root.in_check()).then(|| eval::evaluate(&root.board));
        self.frames[0].evaluation = evaluation;
        let outlook = Outlook { evaluation, improving: true };
        let mut best = Value::MINUS_INFINITE;
        for index in 0..moves.len() {
            let mv = moves[index].line[0];
            let takes = root.board.colors(!root.board.side_to_move()).has(mv.to);
            let candidate = Candidate {
                mv,
                stage: if takes || mv.promotion.is_some() { Stage::Winning } else { Stage::Quiet },
                number: (index + 1) as u16,
                gives_check: gives_check(&root.board, mv),
            };
            let after = self.play(root, mv);
            let value = self.try_move(root, after, window, candidate, outlook)?;
            self.keys.pop();
            best = best.max(value);
            if index == 0 || value > window.alpha {
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
                self.memory.lines.extend(0, mv);
                let line = &mut moves[index].line;
                line.clear();
                line.extend_from_slice(self.memory.lines.from(0));
                moves[..=index].rotate_right(1);
                window.alpha = value;
            }
            if value >= window.beta {
                break;
            }
        }
        Ok(best)
    }
}
