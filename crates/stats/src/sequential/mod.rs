//! Tests that stop when the results have said enough.
//!
//! [`sprt`] holds the test, [`max_likelihood`] the laws it compares, [`approximation`] the same ratio from moments.
//! [`sprt_state`] is a test under way: it follows the ratio ([`warm_start`]) and corrects for [`overshoot`]. [`stopped`]
//! says what a test's end tells of the difference, by the law of [`brownian`] motion.

pub mod sprt;

pub mod approximation;
pub mod expected_score;
pub mod max_likelihood;

pub mod overshoot;
pub mod sprt_state;
pub mod warm_start;

pub mod brownian;
pub mod stopped;

#[cfg(test)]
mod tests;

pub use expected_score::hypotheses;
pub use overshoot::Overshoot;
pub use sprt::{Bounds, EloModel, InvalidSprt, Judgement, LlrBasis, Risks, Sprt};
pub use sprt_state::{Look, SprtConfig, SprtState, TrialUnit};
pub use stopped::StoppedEstimate;
