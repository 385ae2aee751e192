//! Sequential tests.
//!
//! [`hypotheses`] has what a test asks, [`judgement`] how it answers. [`sprt`] has the test,
//! [`max_likelihood`] the distributions that it compares, [`approximation`] approximate ratios from moments.
//! [`sprt_state`] is a running test: it updates the ratio ([`warm_start`]) and corrects for [`overshoot`].
//! [`stopped`] estimates the difference after a stop, by the distribution of [`brownian`] motion.

pub mod hypotheses;
pub mod judgement;
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

pub use expected_score::expected_scores;
pub use hypotheses::{EloHypotheses, EloModel, InvalidTest, Risks, TrialUnit};
pub use judgement::{Bounds, Judgement};
pub use overshoot::Overshoot;
pub use sprt::{LlrBasis, Sprt};
pub use sprt_state::{Look, SprtConfig, SprtState};
pub use stopped::StoppedEstimate;
