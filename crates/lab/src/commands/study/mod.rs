//! Studies: Echo against variants of itself, one question per file.

pub mod ablation;
pub mod dawdling;
pub mod open_flag;
pub mod repetition;
pub mod time;
