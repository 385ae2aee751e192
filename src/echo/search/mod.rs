//! The search: iterative deepening around a principal-variation search.
//!
//! Values are found in `pvs` and, at the horizon, in `quiesce`. `outlook` judges a node before its first move,
//! `prune` cuts whole nodes, `leave_out` moves; `attempt` searches one move, reduced by `reduce` or extended by
//! `singular`; `learn` keeps what came out, which a `verdict` is. `root` keeps the moves to choose from; `deepen` decides how deep, how wide a window
//! and when it is enough. `solved` asks tables of endings, where files are given. What a node is, and everything that happens on entering one, stands in `node`.

mod attempt;
pub(super) mod deepen;
mod learn;
mod leave_out;
mod line;
mod memory;
mod mtdf;
pub(super) mod node;
mod order;
mod outlook;
mod probable;
mod prune;
mod pvs;
mod quiesce;
mod reduce;
mod root;
mod singular;
mod solved;
mod verdict;

#[cfg(test)]
mod plain;

pub(super) use memory::Memory;
pub use mtdf::SearchDriver;
