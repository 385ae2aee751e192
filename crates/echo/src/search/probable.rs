//! Probable cuts (`ProbCut`, Buro 1995): a capture that lands far above the window in a shallow search would almost surely
//! land above it in a deep one.

use super::exit::Exit;
use super::node::{Node, Search, Window};
use super::order::{Hints, Killers, Picker, Stage, is_noisy, wins_at_least};
use super::outlook::Outlook;
use super::verdict::{Outcome, Verdict};
use crate::budget::Stopped;
use crate::lab::Feature;
use crate::table::Entry;
use crate::value::Value;

const LEAST_DEPTH: i32 = 5;
/// How much less deep the deciding search is.
const SHALLOWER: i32 = 4;
/// How far above the window it has to land, in centipawns.
const MARGIN: i32 = 170;

impl<const SHIPPED: bool> Search<'_, SHIPPED> {
    /// Settles a node where a capture lands far above the window.
    pub(super) fn try_probable_cut(
        &mut self,
        node: &Node,
        window: Window,
        outlook: Outlook,
        known: Option<Entry>,
    ) -> Result<(), Exit> {
        let Some(evaluation) = outlook.evaluation else { return Ok(()) };
        let goal = Value::from_raw(window.beta.raw() + MARGIN - 50 * i32::from(outlook.improving));
        let doubted = known.is_some_and(|entry| {
            let value = entry.range.bound().map(|(value, _)| self.mode().scoring.from_table(value, node.ply));
            i32::from(entry.depth) > node.depth - SHALLOWER && value.is_some_and(|value| value < goal)
        });
        if node.depth < LEAST_DEPTH || doubted || goal.is_mate() || !self.lab.has(Feature::ProbCut) {
            return Ok(());
        }
        let hash = known
            .and_then(|entry| entry.best)
            .filter(|&mv| node.board.is_legal(mv) && is_noisy(&node.board, mv));
        let hints = Hints { hash, killers: Killers::default(), occasion: self.occasion(node) };
        let mut picker = Picker::noisy(&self.mind.made, hints, self.seed);
        let mut found = None;
        while let Some((mv, stage)) = picker.next(&mut self.mind.made, &node.board, &self.mind.histories) {
            if stage == Stage::Losing {
                break;
            }
            if !wins_at_least(&node.board, mv, goal.raw() - evaluation.raw()) {
                continue;
            }
            let mut after = self.play(node, mv);
            after.depth = node.depth - SHALLOWER;
            let landing = self.lands_above(&after, goal);
            self.repetitions.pop();
            let landing = -self.told(-landing?);
            if landing.value >= goal {
                found = Some((mv, landing));
                break;
            }
        }
        picker.end(&mut self.mind.made);
        let Some((mv, landing)) = found else { return Ok(()) };
        if landing.value.is_mate() {
            return Err(Exit::Settled(Verdict::hanging(window.beta, landing.anchor)));
        }
        let mut outcome = Outcome::nothing();
        (outcome.best, outcome.mv) = (landing.value, Some(mv));
        outcome.take(landing);
        outcome.cut();
        self.keep(node, node.depth - SHALLOWER + 1, Window::above(goal.next_below()), outlook.raw, &outcome);
        let value = Value::from_raw(landing.value.raw() - goal.raw() + window.beta.raw());
        Err(Exit::Settled(Verdict::hanging(value, landing.anchor)))
    }

    /// Asks the quiescence search first, which mostly says no.
    fn lands_above(&mut self, after: &Node, goal: Value) -> Result<Value, Stopped> {
        let window = Window::above(goal.next_below()).turned();
        let value = -self.quiesce(after, window)?;
        if value < goal { Ok(value) } else { Ok(-self.visit(after, window)?) }
    }
}
