//! Tests that stop when the results have said enough.
//!
//! [`sprt`] holds the test, [`likelihood`] the laws it compares; [`approximation`] is the same ratio from moments.

pub mod approximation;
pub mod likelihood;
pub mod sprt;

pub use sprt::{Bounds, InvalidSprt, Judgement, Model, Risks, Sprt};
