//! Singular extensions (Anantharaman, Campbell and Hsu 1990, in the form for the hash move): if all other
//! moves are below the hash move's value by a margin, the hash move is extended.
//!
//! The same reduced search also allows multicut (several moves above beta cut the node) and negative
//! extensions.

use cozy_chess::Move;

use super::cutoff::Cutoff;
use super::node::{Node, Search};
use super::node_result::NodeResult;
use super::window::Window;
use crate::feature_switches::Feature;
use crate::search_constants::SearchConstant;
use crate::table::TtEntry;
use crate::value::Value;
use threefold_chess::score::Bound;

/// Below this depth the extra search costs more than the extension gains.
const LEAST_DEPTH: i32 = 7;
/// The largest depth difference between node and entry.
const SHALLOWER: i32 = 3;
/// The margin in centipawns per ply.
const MARGIN: i32 = 2;

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// The extension of the hash move in plies.
    pub(super) fn singular_extension(
        &mut self,
        node: &Node,
        window: Window,
        known: Option<TtEntry>,
        hash: Option<Move>,
    ) -> Result<i32, Cutoff> {
        let (Some(entry), Some(mv)) = (known, hash) else { return Ok(0) };
        let Some((value, bound)) = entry.range.bound() else { return Ok(0) };
        let value = self.mode().scoring.from_table(value, node.ply);
        if !self.features.has(Feature::Singular)
            || node.depth < LEAST_DEPTH
            || node.excluded.is_some()
            // An upper bound does not show that the hash move is good.
            || bound == Bound::Upper
            || i32::from(entry.depth) < node.depth - SHALLOWER
            || value.is_mate()
            // Extensions must not make a line endless.
            || node.ply >= 2 * self.iteration.max(1) as usize
        {
            return Ok(0);
        }
        let goal = Value::from_raw(value.raw() - MARGIN * node.depth);
        let without = node.again((node.depth - 1) / 2, node.cut, Some(mv));
        let others = self.result_of(&without, Window::above(goal.next_below()));
        let NodeResult { value: others, dependence, .. } = Cutoff::or_result(others)?;
        // Singular: the other moves lose the value of the hash move. By a large margin, it is the only move.
        if others < goal {
            let twice = !window.is_wide()
                && others.raw() < goal.raw() - self.constants.get(SearchConstant::DoubleExtensionMargin);
            return Ok(1 + i32::from(twice));
        }
        // Multicut (Björnsson and Marsland 1999): even without the hash move a move exceeds beta.
        if goal >= window.beta && !window.is_wide() && !window.beta.is_mate() {
            return Err(Cutoff::Settled(NodeResult::path_dependent(goal, dependence)));
        }
        // Negative extension: the hash move is one good move of several, so less depends on it.
        Ok(if value >= window.beta {
            -2
        } else if node.cut {
            -1
        } else {
            0
        })
    }
}
