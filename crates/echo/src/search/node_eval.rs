//! The static evaluation of a node, corrected by the correction history, and whether it is improving.

use super::node::{Node, Search};
use crate::feature_switches::Feature;
use crate::mutants::Mutant;
use crate::table::TtEntry;
use crate::value::Value;
use threefold_chess::score::Bound;

/// The static evaluation of a node in its forms.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeEval {
    /// The raw static evaluation; `None` in check.
    pub raw: Option<Value>,
    /// With the correction history.
    pub evaluation: Option<Value>,
    /// The corrected evaluation, or a better bound from the table.
    pub estimate: Option<Value>,
    /// Whether the evaluation is better than two plies ago.
    pub improving: bool,
}

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// Evaluates a node, with its table entry.
    pub(super) fn static_eval(&mut self, node: &Node, known: Option<TtEntry>) -> NodeEval {
        let eval = self.static_eval_quiescence(node, known);
        self.stack[node.ply].evaluation = eval.evaluation;
        // Two plies ago the same side was to move; if it was in check, two plies before that.
        let before = |back: usize| node.ply.checked_sub(back).and_then(|ply| self.stack[ply].evaluation);
        let improving = match (eval.evaluation, before(2).or_else(|| before(4))) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        };
        NodeEval { improving, ..eval }
    }

    /// Evaluates a node of the quiescence search, without comparing it with earlier plies.
    pub(super) fn static_eval_quiescence(&mut self, node: &Node, known: Option<TtEntry>) -> NodeEval {
        // In check the static evaluation does not see the threat, and a mate is not an evaluation.
        if node.in_check() && !self.bug.is(Mutant::StandsPatInCheck) {
            return NodeEval { raw: None, evaluation: None, estimate: None, improving: false };
        }
        // The table has the raw evaluation: the correction may have changed since the entry was stored.
        let raw = known.and_then(|entry| entry.evaluation).unwrap_or_else(|| self.evaluate(&node.board));
        let error = if self.features.has(Feature::Correction) {
            self.thread.corrections.correction(self.correction_keys(node))
        } else {
            0
        };
        let evaluation = self.mode().scoring.evaluation(raw.raw() + error);
        let estimate = known.and_then(|entry| self.better_estimate(node, entry, evaluation));
        NodeEval {
            raw: Some(raw),
            evaluation: Some(evaluation),
            estimate: estimate.or(Some(evaluation)),
            improving: false,
        }
    }

    /// The table's value, if its bound contradicts the evaluation: it comes from a search, however shallow.
    fn better_estimate(&self, node: &Node, entry: TtEntry, evaluation: Value) -> Option<Value> {
        let (value, bound) = entry.range.bound()?;
        let value = self.mode().scoring.from_table(value, node.ply);
        let contradicts = match bound {
            Bound::Exact => true,
            Bound::Lower => value > evaluation,
            Bound::Upper => value < evaluation,
        };
        (contradicts && !value.is_mate() && self.features.has(Feature::TableEstimate)).then_some(value)
    }
}
