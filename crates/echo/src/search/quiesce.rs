//! The quiescence search: at the horizon only captures are followed, so that no judgement is passed in the
//! middle of an exchange. In check moves are left out only once one is known that isn't mated, so that a mate
//! claimed here is a mate.

use cozy_chess::{Move, Piece};

use super::ahead::Ahead;
use super::exit::Exit;
use super::node::{Node, Search, Window};
use super::order::{Hints, Picker, Stage, is_noisy, price};
use super::pvs::hash_move;
use super::verdict::{Outcome, Verdict};
use crate::budget::Stopped;
use crate::lab::Feature;
use crate::value::Value;

/// What a capture may win beyond its victim.
const DELTA: i32 = 180;

impl<const SHIPPED: bool> Search<'_, SHIPPED> {
    /// The value of a node at the horizon; see [`Self::visit`].
    pub(super) fn quiesce(&mut self, node: &Node, window: Window) -> Result<Value, Stopped> {
        self.tell_upwards(node, window, Self::quiet_verdict_on)
    }

    /// The verdict on a node at the horizon, found for the node itself: nobody above is told.
    pub(super) fn quiet_verdict_on(&mut self, node: &Node, asked: Window) -> Result<Verdict, Exit> {
        self.enter(node)?;
        if !self.lab.has(Feature::Quiescence) {
            return Ok(Verdict::free(self.stand(&node.board)));
        }
        let mut ahead = Ahead::nothing(asked);
        self.look_and_follow(node, &mut ahead).map_err(|exit| ahead.lift(exit))
    }

    fn look_and_follow(&mut self, node: &Node, ahead: &mut Ahead) -> Result<Verdict, Exit> {
        let asked = ahead.asked;
        self.foresee(node, ahead)?;
        let known = self.probe_table(node, ahead.window)?;
        self.recognise(node, ahead)?;
        let mut window = ahead.window;
        // What isn't above the window is kept as no better than it is: the next search may look for more.
        let at_most = Window::above(asked.beta.next_below());
        let outlook = self.look_still(node, known);
        let standing = outlook.estimate;
        let mut outcome = self.begin(ahead);
        let least = standing.unwrap_or_else(|| self.mode().scoring.mated_at(node.ply));
        outcome.best = outcome.best.max(least);
        if self.mode().shades {
            outcome.take(Verdict::exactly(least));
        }
        if let Some(standing) = standing {
            if standing >= window.beta {
                outcome.cut();
                self.finish(ahead, &mut outcome);
                if known.is_none() {
                    self.keep(node, 0, at_most, outlook.raw, &outcome);
                }
                return Ok(self.conclude(node, asked, &outcome));
            }
            window.alpha = window.alpha.max(standing);
        }
        self.follow_noise(node, window, standing, hash_move(node, known), &mut outcome)?;
        self.finish(ahead, &mut outcome);
        self.keep(node, 0, at_most, outlook.raw, &outcome);
        Ok(self.conclude(node, asked, &outcome))
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
            self.repetitions.pop();
            let verdict = -self.told(value?);
            let value = verdict.value;
            if self.mode().shades {
                outcome.take(verdict);
            }
            if value > outcome.best {
                outcome.best = value;
                if value > window.alpha {
                    self.raise(node, &mut window, value, mv);
                    outcome.mv = Some(mv);
                }
            }
            if value >= window.beta {
                outcome.cut();
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
}
