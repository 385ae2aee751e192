//! Tests that stop when the results have said enough.
//!
//! [`sprt`] holds the test, [`likelihood`] the laws it compares, [`approximation`] the same ratio from moments.
//! [`running`] is a test under way: it follows the ratio ([`pursuit`]) and corrects for [`overshoot`]. [`stopped`]
//! says what a test's end tells of the difference, by the law of [`brownian`] motion.

pub mod sprt;

pub mod approximation;
pub mod expected_score;
pub mod likelihood;

pub mod overshoot;
pub mod pursuit;
pub mod running;

pub mod brownian;
pub mod stopped;

#[cfg(test)]
mod tests;

pub use expected_score::hypotheses;
pub use overshoot::Overshoot;
pub use running::{Conduct, Counts, Look, Running};
pub use sprt::{Bounds, Footing, InvalidSprt, Judgement, Model, Risks, Sprt};
pub use stopped::Stopped;
