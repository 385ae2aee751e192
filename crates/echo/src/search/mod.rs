//! The search: iterative deepening around a principal-variation search.
//!
//! Values are found in `pvs` and, at the horizon, in `quiesce`. `ahead` and `outlook` know or judge a node before its
//! first move, `prune` cuts whole nodes, `leave_out` moves; `attempt` searches one move, reduced by `reduce` or extended by
//! `singular`. What came out is a `verdict`; `learn` keeps it. `root` keeps the moves to choose from; `deepen`
//! decides how deep, how wide a window and when it is enough, `mtdf` how else the root's value is found, `handicapped`
//! how a move is chosen below full strength. `solved`
//! knows endings, by heart or from tables. What a node is, and everything that happens on entering one, stands in
//! `node`.

mod ahead;
mod attempt;
pub(super) mod deepen;
mod exit;
mod handicapped;
mod learn;
mod leave_out;
mod line;
mod memory;
mod mode;
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
mod plain_tests;

pub(super) use memory::{Ground, Memory};
pub(super) use mode::Mode;
