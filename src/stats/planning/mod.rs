//! What a test will cost, before it starts.

pub mod prospect;

pub use prospect::{Openings, Prospect, hypotheses, prospect};
