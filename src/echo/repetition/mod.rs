//! Repetitions: which ones the search scores as draws, and how it finds them.

pub mod key_stack;
pub mod policy;

pub use key_stack::KeyStack;
pub use policy::{RepetitionPolicy, Seen};
