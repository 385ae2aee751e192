//! The search: iterative deepening around a principal-variation search.
//!
//! Values are found in `pvs` (with the whole-node cuts of `prune` and the reductions of `reduce`) and, at the
//! horizon, in `quiesce`; `root` keeps the moves to choose from; `deepen` decides how deep, how wide a window
//! and when it is enough. What a node is, and everything that happens on entering one, stands in `node`.

pub(super) mod deepen;
mod line;
mod memory;
pub(super) mod node;
mod order;
mod prune;
mod pvs;
mod quiesce;
mod reduce;
mod root;

pub(super) use memory::Memory;
