//! ProbCut (Buro 1995; for chess, Jiang and Buro 2003): a capture that exceeds beta by a margin in a shallow
//! search would almost certainly exceed beta in a deep one.

use super::cutoff::Cutoff;
use super::move_ordering::{Killers, MovePicker, OrderingHints, Stage, is_noisy, wins_at_least};
use super::node::{Node, Search};
use super::node_eval::NodeEval;
use super::node_result::{NodeOutcome, NodeResult};
use super::window::Window;
use crate::budget::SearchStopped;
use crate::feature_switches::Feature;
use crate::search_constants::SearchConstant;
use crate::table::TtEntry;
use crate::value::Value;

/// Below this depth the shallow search would be a quiescence search only.
const LEAST_DEPTH: i32 = 5;
/// The depth reduction of the verifying search.
const SHALLOWER: i32 = 4;

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// Returns a cutoff if a capture exceeds the margin.
    pub(super) fn try_probcut(
        &mut self,
        node: &Node,
        window: Window,
        eval: NodeEval,
        known: Option<TtEntry>,
    ) -> Result<(), Cutoff> {
        let Some(evaluation) = eval.evaluation else { return Ok(()) };
        let margin = self.constants.get(SearchConstant::ProbCutMargin);
        let goal = Value::from_raw(window.beta.raw() + margin - 50 * i32::from(eval.improving));
        // The table has searched as deep as this would, and found less.
        let doubted = known.is_some_and(|entry| {
            let value = entry.range.bound().map(|(value, _)| self.mode().scoring.from_table(value, node.ply));
            i32::from(entry.depth) > node.depth - SHALLOWER && value.is_some_and(|value| value < goal)
        });
        if !self.features.has(Feature::ProbCut) || node.depth < LEAST_DEPTH || doubted || goal.is_mate() {
            return Ok(());
        }
        // The picker returns the hash move unchecked, so a quiet or illegal one is dropped here.
        let hash = known
            .and_then(|entry| entry.best)
            .filter(|&mv| node.board.is_legal(mv) && is_noisy(&node.board, mv));
        let hints =
            OrderingHints { hash, killers: Killers::default(), history_context: self.history_context(node) };
        let mut picker = MovePicker::noisy(&self.thread.move_stack, hints, self.bug);
        let mut found = None;
        while let Some((mv, stage)) =
            picker.next(&mut self.thread.move_stack, &node.board, &self.thread.histories)
        {
            if stage == Stage::Losing {
                // All later captures lose material, too.
                break;
            }
            // A capture that does not win enough material is not worth a search.
            if !wins_at_least(&node.board, mv, goal.raw() - evaluation.raw()) {
                continue;
            }
            let mut after = self.play(node, mv);
            after.depth = node.depth - SHALLOWER;
            let landing = self.exceeds_probcut_beta(&after, goal);
            self.repetitions.pop();
            let landing = landing?;
            if landing.value >= goal {
                found = Some((mv, landing));
                break;
            }
        }
        picker.end(&mut self.thread.move_stack);
        let Some((mv, landing)) = found else { return Ok(()) };
        // The shallow search may have pruned the defence, so its mate is no more than a value above beta.
        if landing.value.is_mate() {
            return Err(Cutoff::Settled(NodeResult::path_dependent(window.beta, landing.dependence)));
        }
        let mut outcome = NodeOutcome::new();
        (outcome.best, outcome.mv) = (landing.value, Some(mv));
        outcome.add_move(landing);
        outcome.record_cutoff();
        // The depth of the verifying search, and a ply for the capture itself.
        self.store(node, node.depth - SHALLOWER + 1, Window::above(goal.next_below()), eval.raw, &outcome);
        // A deep search is expected to exceed beta, not `goal`, so the margin is taken off again.
        let value = Value::from_raw(landing.value.raw() - goal.raw() + window.beta.raw());
        Err(Cutoff::Settled(NodeResult::path_dependent(value, landing.dependence)))
    }

    /// The result of a capture that has been made. The quiescence search comes first, because it mostly fails
    /// and costs little.
    fn exceeds_probcut_beta(&mut self, after: &Node, goal: Value) -> Result<NodeResult, SearchStopped> {
        let window = Window::above(goal.next_below()).negated();
        let result = -self.quiescence(after, window)?;
        if result.value < goal { Ok(result) } else { Ok(-self.search(after, window)?) }
    }
}
