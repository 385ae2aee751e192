//! Studies: Echo against variants of itself, one question per file.

pub mod ablation;
pub mod repetition;
pub mod time;
