//! The kinds of case, one file each. `suite::KINDS` is the table of them.

pub mod mate;
pub mod repetition;
pub mod time_control;
