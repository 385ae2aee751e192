//! One game between two players, as a state machine without I/O.

pub mod adjudication;
pub mod outcome;

pub use adjudication::{Adjudication, RuleKind};
pub use outcome::Outcome;
