//! The kinds of case, one file each. `suite::KINDS` is the table of them.

pub mod best_move;
pub mod calibration;
pub mod conversion;
pub mod defence;
pub mod depth_limit;
pub mod detector;
pub mod determinism;
pub mod effort;
pub mod hash_pollution;
pub mod mate;
pub mod perft;
pub mod policy;
pub mod repetition;
pub mod rule;
pub mod signature;
pub mod time_control;
