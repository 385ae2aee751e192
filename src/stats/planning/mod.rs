//! What a test will cost, before it starts.

pub mod law;
pub mod prospect;

pub use law::{PairLaw, Proband};
pub use prospect::{Openings, Prospect, hypotheses, prospect};
