//! The kinds of case, one file each. `suite::KINDS` is the table of them.

pub mod mate_distance;
pub mod policy;
pub mod repetition;
pub mod time_control;
