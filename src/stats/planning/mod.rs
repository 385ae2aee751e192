//! What a test will cost, before it starts.

pub mod exactness;
pub mod law;
pub mod lot;
pub mod prospect;
pub mod simulation;
pub mod verification;
pub mod vigil;
pub mod watched;

pub use law::{PairLaw, Proband};
pub use prospect::{Openings, Prospect, hypotheses, prospect};
