//! The search: iterative deepening around a principal-variation search.
//!
//! `pvs` is the principal-variation search, `quiescence` the quiescence search. `static_bounds` and
//! `node_eval` bound and evaluate a node before its first move; `node_pruning` prunes whole nodes,
//! `move_pruning` moves; `search_move` searches one move, with `reductions` and `singular` extensions.
//! `node_result` is a node's result; `update_histories` stores it, and `table_access` finds it. `root` has
//! the root moves; `iterative_deepening` controls depth, window and end of the search, and `unsearched_moves`
//! completes depth 1; `mtdf` is an alternative driver; `limited_strength` chooses moves below full strength.
//! `endgame_knowledge` uses recognisers and tablebases. `node` has the node itself and everything that
//! happens on entering one; `window` is the alpha-beta window. `seeded_bugs` has what the seeded bugs change.

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
mod seeded_bugs;
mod singular;
mod static_bounds;
mod table_access;
mod thread_data;
mod unsearched_moves;
mod update_histories;
mod window;

#[cfg(test)]
mod alpha_beta_tests;

pub(super) use search_mode::SearchMode;
pub(super) use thread_data::{ScoreContext, SearchMemory};
