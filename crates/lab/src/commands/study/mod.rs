//! Studies: Echo against variants of itself, one question a file.

pub mod ablation;
pub mod repetition;
pub mod time;
