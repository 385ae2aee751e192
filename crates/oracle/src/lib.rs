//! Proven facts about positions: the rules, endgame tables, and exhaustive mate search.
//!
//! This crate uses shakmaty and shares no rules code with Echo, which uses cozy-chess: a bug in one cannot
//! hide in the other.

mod entry;
pub mod fifty_move_rule;
pub mod index;
mod mapped_file;
pub mod mate_prover;
pub mod material;
mod parallel;
pub mod perpetual;
pub mod proof;
pub mod proven_value;
pub mod published_statistics;
pub mod referee;
mod retrograde;
pub mod syzygy;
pub mod table;
mod table_builder;
pub mod table_file;
pub mod table_folder;
pub mod tables;
pub mod threefold_rule;
pub mod verification;
pub mod wdl_counts;

pub use mate_prover::MateProver;
pub use material::Material;
pub use perpetual::Perpetual;
pub use proof::Proof;
pub use proven_value::{ProvenValue, Wdl};
pub use referee::Referee;
pub use tables::Tables;

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
