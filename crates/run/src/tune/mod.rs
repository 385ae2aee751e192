//! Tuning of an engine's parameters by SPSA.
//!
//! The formulas are in [`threefold_stats::spsa`].

pub mod engine_options;
pub mod parameter_file;
