//! Tests that stop when the results have said enough.
//!
//! [`sprt`] holds the test, [`likelihood`] the laws it compares; [`approximation`] is the same ratio from moments.
//! [`stopped`] says what a test's end tells of the difference, by the law of [`brownian`] motion.

pub mod approximation;
pub mod brownian;
pub mod likelihood;
pub mod sprt;
pub mod stopped;

#[cfg(test)]
mod tests;

pub use sprt::{Bounds, Footing, InvalidSprt, Judgement, Model, Risks, Sprt};
pub use stopped::Stopped;
