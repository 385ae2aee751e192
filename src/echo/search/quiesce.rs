//! The quiescence search: at the horizon only captures are followed, so that no judgement is passed in the
//! middle of an exchange. In check moves are left out only once one is known that isn't mated, so that a mate
//! claimed here is a mate.

use cozy_chess::{Move, Piece};

use super::node::{Exit, Node, Search, Window};
use super::order::{Hints, Picker, Stage, is_noisy, price};
use super::pvs::{Outcome, hash_move};
use crate::echo::budget::Stopped;
use crate::echo::lab::Feature;
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

    fn quiet_value_of(&mut self, node: &Node, mut window: Window) -> Result<Value, Exit> {
        self.enter(node)?;
        let known = self.probe_table(node, window)?;
        let outlook = self.look_still(node, known);
        let standing = outlook.estimate;
        let mut outcome = Outcome { best: standing.unwrap_or_else(|| self.mated(node)), mv: None };
        if let Some(standing) = standing {
            if standing >= window.beta {
                if known.is_none() {
                    self.remember_quiet(node, Bound::Lower, outlook.raw, &outcome);
                }
                return Ok(standing);
            }
            window.alpha = window.alpha.max(standing);
        }
        self.follow_noise(node, window, standing, hash_move(node, known), &mut outcome)?;
        let bound = if outcome.best >= window.beta { Bound::Lower } else { Bound::Upper };
        self.remember_quiet(node, bound, outlook.raw, &outcome);
        Ok(outcome.best)
    }

    /// Every capture that doesn't lose material, and queening; in check every move.
    fn follow_noise(
        &mut self,
        node: &Node,
        mut window: Window,
        standing: Option<Value>,
        hash: Option<Move>,
        outcome: &mut Outcome,
    ) -> Result<(), Stopped> {
        let hash = hash.filter(|&mv| standing.is_none() || is_noisy(&node.board, mv));
        let hints = Hints { hash, killers: self.frames[node.ply].killers, occasion: self.occasion(node) };
        let made = &self.mind.made;
        let mut picker = match standing {
            Some(_) => Picker::noisy(made, hints, self.seed),
            None => Picker::all(made, hints, self.seed),
        };
        while let Some((mv, stage)) = picker.next(&mut self.mind.made, &node.board, &self.mind.histories) {
            if let Some(standing) = standing {
                if stage == Stage::Losing {
                    break;
                }
                if self.is_out_of_reach(node, mv, standing, window) {
                    continue;
                }
            } else if stage == Stage::Quiet
                && !outcome.best.is_loss()
                && self.lab.has(Feature::EvasionPruning)
            {
                picker.skip_quiets();
                continue;
            }
            let after = self.play(node, mv);
            let value = self.quiesce(&after, window.turned());
            self.keys.pop();
            let value = -value?;
            if value > outcome.best {
                outcome.best = value;
                if value > window.alpha {
                    self.raise(node, &mut window, value, mv);
                    outcome.mv = Some(mv);
                }
            }
            if value >= window.beta {
                break;
            }
        }
        picker.end(&mut self.mind.made);
        Ok(())
    }

    /// Is even what a move takes too little?
    fn is_out_of_reach(&self, node: &Node, mv: Move, standing: Value, window: Window) -> bool {
        let victim = node.board.piece_on(mv.to).map_or(price(Piece::Pawn), price);
        mv.promotion.is_none()
            && standing.raw() + victim + DELTA <= window.alpha.raw()
            && self.lab.has(Feature::DeltaPruning)
    }

    fn remember_quiet(&self, node: &Node, bound: Bound, evaluation: Option<Value>, outcome: &Outcome) {
        let entry = Entry {
            best: outcome.mv,
            value: outcome.best.to_table(node.ply, self.seed),
            evaluation,
            depth: 0,
            bound,
            age: 0,
        };
        self.table.store(node.key, entry);
    }
}
