//! Singular extensions (Anantharaman, Campbell and Hsu 1990, in the form with the hash move): if every other
//! move falls short of what the hash move promises, the hash move is looked into deeper.
//!
//! The same shallow search tells more: several moves above the window settle the node (multicut), and a hash
//! move that is not needed is looked into less.

use cozy_chess::Move;

use super::exit::Exit;
use super::node::{Node, Search, Window};
use super::verdict::Verdict;
use crate::lab::Feature;
use crate::table::Entry;
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
    pub(super) fn extension_of_hash(
        &mut self,
        node: &Node,
        window: Window,
        known: Option<Entry>,
        hash: Option<Move>,
    ) -> Result<i32, Exit> {
        let (Some(entry), Some(mv)) = (known, hash) else { return Ok(0) };
        let Some((value, bound)) = entry.range.bound() else { return Ok(0) };
        let value = self.mode().scoring.from_table(value, node.ply);
        if node.depth < LEAST_DEPTH
            || node.excluded.is_some()
            || bound == Bound::Upper
            || i32::from(entry.depth) < node.depth - SHALLOWER
            || value.is_mate()
            || node.ply >= 2 * self.iteration.max(1) as usize
            || !self.lab.has(Feature::Singular)
        {
            return Ok(0);
        }
        let goal = Value::from_raw(value.raw() - MARGIN * node.depth);
        let without = node.again((node.depth - 1) / 2, node.cut, Some(mv));
        let others = self.verdict_on(&without, Window::above(goal.next_below()));
        let Verdict { value: others, anchor, .. } = Exit::or_settled(others)?;
        if others < goal {
            let twice = !window.is_wide() && others.raw() < goal.raw() - DOUBLE_MARGIN;
            return Ok(1 + i32::from(twice));
        }
        if goal >= window.beta && !window.is_wide() && !window.beta.is_mate() {
            return Err(Exit::Settled(Verdict::hanging(goal, anchor)));
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
