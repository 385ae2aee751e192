//! Tuning of an engine's parameters by SPSA: a match of the engine against itself, with other options in each
//! iteration, and a test of the result.
//!
//! The first part of such a run is the match, and its iterations follow each other in the schedule. The flips
//! and the roundings of an iteration follow from the seed of the run and the number of the iteration, so the
//! journal has no row for them: a run that is resumed, or done by several machines, computes the same values
//! from the same results. The second part, the test, is added when the match is over. The formulas are in
//! [`threefold_stats::spsa`].

pub mod engine_options;
pub mod parameter_file;
mod parts;

pub use parts::{RESULT_TEST, engine_text, next_round, spec};
