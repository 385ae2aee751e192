//! Singular extensions (Anantharaman, Campbell and Hsu 1990, in the form with the hash move): if every other
//! move falls short of what the hash move promises, the hash move is looked into deeper.
//!
//! The same shallow search tells more: several moves above the window settle the node (multicut), and a hash
//! move that is not needed is looked into less.

use cozy_chess::Move;

use super::cutoff::Cutoff;
use super::node::{Node, Search, Window};
use super::node_result::NodeResult;
use crate::feature_switches::Feature;
use crate::table::TtEntry;
use crate::value::Value;
use threefold_chess::score::Bound;

const LEAST_DEPTH: i32 = 7;
/// An entry may be so much shallower than the node.
const SHALLOWER: i32 = 3;
/// Centipawns a ply by which the others have to fall short.
const MARGIN: i32 = 2;
/// Falling short by so many more extends by two plies.
const DOUBLE_MARGIN: i32 = 24;

impl<const SHIPPED: bool> Search<'_, SHIPPED> {
    /// How much deeper the hash move is to be searched.
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
        if node.depth < LEAST_DEPTH
            || node.excluded.is_some()
            || bound == Bound::Upper
            || i32::from(entry.depth) < node.depth - SHALLOWER
            || value.is_mate()
            || node.ply >= 2 * self.iteration.max(1) as usize
            || !self.features.has(Feature::Singular)
        {
            return Ok(0);
        }
        let goal = Value::from_raw(value.raw() - MARGIN * node.depth);
        let without = node.again((node.depth - 1) / 2, node.cut, Some(mv));
        let others = self.result_of(&without, Window::above(goal.next_below()));
        let NodeResult { value: others, dependence, .. } = Cutoff::or_result(others)?;
        if others < goal {
            let twice = !window.is_wide() && others.raw() < goal.raw() - DOUBLE_MARGIN;
            return Ok(1 + i32::from(twice));
        }
        if goal >= window.beta && !window.is_wide() && !window.beta.is_mate() {
            return Err(Cutoff::Settled(NodeResult::path_dependent(goal, dependence)));
        }
        Ok(if value >= window.beta {
            -2
        } else if node.cut {
            -1
        } else {
            0
        })
    }
}
