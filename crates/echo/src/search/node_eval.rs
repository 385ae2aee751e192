//! What a node knows of itself before its first move: its static evaluation, corrected by experience, and
//! whether the mover's fortunes rise.

use super::node::{Node, Search};
use crate::feature_switches::Feature;
use crate::mutants::Mutant;
use crate::table::TtEntry;
use crate::value::Value;
use threefold_chess::score::Bound;

/// What a node knows of itself before its first move.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeEval {
    /// The static evaluation as it comes; none in check.
    pub raw: Option<Value>,
    /// The same, corrected.
    pub evaluation: Option<Value>,
    /// The same, or what the hash table knows better.
    pub estimate: Option<Value>,
    /// Does the mover stand better than two plies ago?
    pub improving: bool,
}

impl<const SHIPPED: bool> Search<'_, SHIPPED> {
    /// Looks at a node, with what the table knows of it.
    pub(super) fn static_eval(&mut self, node: &Node, known: Option<TtEntry>) -> NodeEval {
        let eval = self.static_eval_quiescence(node, known);
        self.stack[node.ply].evaluation = eval.evaluation;
        let before = |back: usize| node.ply.checked_sub(back).and_then(|ply| self.stack[ply].evaluation);
        let improving = match (eval.evaluation, before(2).or_else(|| before(4))) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        };
        NodeEval { improving, ..eval }
    }

    /// The same without a look at the plies before.
    pub(super) fn static_eval_quiescence(&mut self, node: &Node, known: Option<TtEntry>) -> NodeEval {
        if node.in_check() && !self.seed.is(Mutant::StandsPatInCheck) {
            return NodeEval { raw: None, evaluation: None, estimate: None, improving: false };
        }
        let raw = known.and_then(|entry| entry.evaluation).unwrap_or_else(|| self.evaluate(&node.board));
        let error = if self.features.has(Feature::Correction) {
            self.thread.corrections.of(self.correction_keys(node))
        } else {
            0
        };
        let evaluation = self.mode().scoring.judged(raw.raw() + error);
        let estimate = known.and_then(|entry| self.better_estimate(node, entry, evaluation));
        NodeEval {
            raw: Some(raw),
            evaluation: Some(evaluation),
            estimate: estimate.or(Some(evaluation)),
            improving: false,
        }
    }

    /// A value of the table that the evaluation contradicts.
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
