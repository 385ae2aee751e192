//! The quiescence search: at the horizon only captures are followed, so that no judgement is passed in the
//! middle of an exchange. In check every move is followed, so that a mate claimed here is a mate.

use super::node::{Exit, Node, Search, Window};
use super::order::{Hints, Picker, Stage, price};
use crate::echo::budget::Stopped;
use crate::echo::eval;
use crate::echo::request::Bound;
use crate::echo::table::Entry;
use crate::echo::value::Value;

/// What a capture may win beyond its victim.
const DELTA: i32 = 180;

impl Search<'_> {
    /// The value of a node at the horizon.
    pub(super) fn quiesce(&mut self, node: &Node, window: Window) -> Result<Value, Stopped> {
        match self.quiet_value_of(node, window) {
            Ok(value) | Err(Exit::Settled(value)) => Ok(value),
            Err(Exit::Stopped) => Err(Stopped),
        }
    }

    fn quiet_value_of(&mut self, node: &Node, window: Window) -> Result<Value, Exit> {
        self.enter(node)?;
        let known = self.probe_table(node, window)?;
        let hash = known.and_then(|entry| entry.best);
        if node.in_check() {
            return Ok(self.evade(node, window, hash)?);
        }
        let standing =
            known.and_then(|entry| entry.evaluation).unwrap_or_else(|| eval::evaluate(&node.board));
        if standing >= window.beta {
            return Ok(standing);
        }
        let value = self.capture(node, window, standing, hash)?;
        self.remember_quiet(node, window, standing, value);
        Ok(value)
    }

    /// Every way out of check.
    fn evade(
        &mut self,
        node: &Node,
        mut window: Window,
        hash: Option<cozy_chess::Move>,
    ) -> Result<Value, Stopped> {
        let wide = window.is_wide();
        let hints = Hints { hash, killers: self.frames[node.ply].killers, occasion: self.occasion(node) };
        let memory = &mut *self.memory;
        let mut picker = Picker::all(&mut memory.moves, &node.board, &hints, &memory.histories, self.seed);
        let mut best = self.mated(node);
        while let Some((mv, _)) = picker.next(&mut self.memory.moves, &node.board) {
            let value = self.follow(node, mv, window)?;
            best = best.max(value);
            if value > window.alpha {
                window.alpha = value;
                if wide {
                    self.memory.lines.extend(node.ply, mv);
                }
            }
            if value >= window.beta {
                break;
            }
        }
        picker.end(&mut self.memory.moves);
        Ok(best)
    }

    /// Every capture that doesn't lose material, and queening.
    fn capture(
        &mut self,
        node: &Node,
        mut window: Window,
        standing: Value,
        hash: Option<cozy_chess::Move>,
    ) -> Result<Value, Stopped> {
        let wide = window.is_wide();
        let mut best = standing;
        window.alpha = window.alpha.max(standing);
        let mut picker = Picker::noisy(&mut self.memory.moves, &node.board, hash);
        while let Some((mv, stage)) = picker.next(&mut self.memory.moves, &node.board) {
            let victim = node.board.piece_on(mv.to).map_or(price(cozy_chess::Piece::Pawn), price);
            let hopeless = mv.promotion.is_none() && standing.raw() + victim + DELTA <= window.alpha.raw();
            if stage == Stage::Losing {
                break;
            }
            if hopeless {
                continue;
            }
            let value = self.follow(node, mv, window)?;
            best = best.max(value);
            if value > window.alpha {
                window.alpha = value;
                if wide {
                    self.memory.lines.extend(node.ply, mv);
                }
            }
            if value >= window.beta {
                break;
            }
        }
        picker.end(&mut self.memory.moves);
        Ok(best)
    }

    fn follow(&mut self, node: &Node, mv: cozy_chess::Move, window: Window) -> Result<Value, Stopped> {
        let after = self.play(node, mv);
        let value = self.quiesce(&after, window.turned());
        self.keys.pop();
        Ok(-value?)
    }

    fn remember_quiet(&mut self, node: &Node, window: Window, standing: Value, value: Value) {
        let bound = if value >= window.beta { Bound::Lower } else { Bound::Upper };
        self.memory.table.store(
            node.key,
            Entry {
                best: None,
                value: value.to_table(node.ply, self.seed),
                evaluation: Some(standing),
                depth: 0,
                bound,
                age: 0,
            },
        );
    }
}
