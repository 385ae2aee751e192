//! Sequential tests.
//!
//! [`sprt`] has the test, [`max_likelihood`] the distributions that it compares, [`approximation`] approximate
//! ratios from moments. [`sprt_state`] is a running test: it updates the ratio ([`warm_start`]) and corrects
//! for [`overshoot`]. [`stopped`] estimates the difference after a stop, by the distribution of [`brownian`]
//! motion.

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
