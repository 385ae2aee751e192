//! What is proven about a position: by the rules, by tables, by exhaustive search.
//!
//! Everything here stands on shakmaty and shares no rules code with Echo, which plays on cozy-chess: a bug in
//! one can't hide in the other.

pub mod audit;
pub mod census;
mod entry;
pub mod fact;
pub mod facts;
pub mod image;
pub mod index;
mod mapped;
pub mod mate_prover;
pub mod material;
pub mod perpetual;
pub mod proof;
pub mod referee;
mod retrograde;
mod sharing;
pub mod syzygy;
pub mod table;
mod table_maker;
pub mod tables;
pub mod with_counter;
pub mod with_history;

pub use fact::{Fact, Wdl};
pub use mate_prover::MateProver;
pub use material::Material;
pub use perpetual::Perpetual;
pub use proof::Proof;
pub use referee::Referee;
pub use tables::Tables;

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
