//! Echo, the engine. It uses cozy-chess, and every published treatment of repetitions is one of its options.

pub mod bench;
pub mod eval;
pub mod feature_switches;
pub mod mutants;
pub mod options;
pub mod position;
pub mod processor;
pub mod recognise;
pub mod repetition;
pub mod scoring;
pub mod search_constants;
pub mod search_counters;
pub mod strength;
pub mod table;
pub mod timeman;
pub mod value;

mod budget;
mod engine;
mod machine_memory;
mod move_conversion;
mod perft;
mod range;
mod request;
mod root_node_counts;
mod search;
mod search_driver;
mod syzygy;

/// The engine's name (`id name`).
pub const NAME: &str = concat!("Echo ", env!("CARGO_PKG_VERSION"));
/// The engine's author (`id author`).
pub const AUTHOR: &str = "the authors of threefold";

pub use engine::{Echo, perft};
pub use options::{OptionError, OptionKind, OptionRow};
pub use request::{DEEPEST_PERFT, RequestError, SearchReport, SearchRequest, SearchResult};
pub use search_driver::SearchDriver;
pub use threefold_chess::score::Bound;

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
