//! The search: iterative deepening around a principal-variation search.
//!
//! Values are found in `pvs` and, at the horizon, in `quiescence`. `static_bounds` and `node_eval` know or judge a node before its
//! first move, `node_pruning` cuts whole nodes, `move_pruning` moves; `search_move` searches one move, reduced by `reductions` or extended by
//! `singular`. What came out is a `node_result`; `update_histories` keeps it. `root` keeps the moves to choose from; `iterative_deepening`
//! decides how deep, how wide a window and when it is enough, `mtdf` how else the root's value is found, `limited_strength`
//! how a move is chosen below full strength. `endgame_knowledge`
//! knows endings, by heart or from tables. What a node is, and everything that happens on entering one, stands in
//! `node`.

mod cutoff;
mod endgame_knowledge;
pub(super) mod iterative_deepening;
mod limited_strength;
mod move_ordering;
mod move_pruning;
mod mtdf;
pub(super) mod node;
mod node_eval;
mod node_pruning;
mod node_result;
mod probcut;
mod pv_table;
mod pvs;
mod quiescence;
mod reductions;
mod root;
mod search_mode;
mod search_move;
mod singular;
mod static_bounds;
mod thread_data;
mod update_histories;

#[cfg(test)]
mod alpha_beta_tests;

pub(super) use search_mode::SearchMode;
pub(super) use thread_data::{ScoreContext, SearchMemory};
