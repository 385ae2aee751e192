//! Makes the positions of the suites, and proves them again.
//!
//! Every trap, mate and opening comes from endgame tables, from exhaustive search or from seeded games, and
//! the same seed gives the same file to the byte. One function derives a case from its position: the miner
//! uses it to find cases, and [`check`] to prove a file's rows again.

pub mod anecdotes;
mod balance;
pub mod best_moves;
pub mod check;
pub mod conversions;
pub mod defences;
mod engine_query;
pub mod fifty;
mod history;
pub mod mates;
pub mod middlegame;
pub mod openings;
pub mod ordered_parallel;
pub mod perpetual_bonus;
pub mod perpetual_draws;
mod perpetuals;
mod pinned_pawns;
mod random_positions;
pub mod reference_search;
pub mod root_returns;
pub mod rules;
mod self_play;
pub mod signatures;
pub mod special_moves;
pub mod static_eval;
pub mod symmetry;
mod table_traps;
pub mod trap;
pub mod traps;
pub mod underpromotions;
pub mod values;

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
