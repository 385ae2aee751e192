//! Repetitions: which ones the search scores as draws, how it finds them, and those it sees coming.
//!
//! The positions from the start of the game to the node that is searched are a [`Path`]. A [`Detector`] says how
//! often the one on top of it occurred before; a [`RepetitionPolicy`] says whether that is a draw, and on which
//! ancestor that draw hangs ([`PathDependence`]).

pub mod detector;
pub mod occurrences;
pub mod path;
pub mod path_dependence;
pub mod policy;

mod cuckoo;
mod hash_set;
mod move_trace;
mod open_flag;

pub use detector::Detector;
pub(super) use detector::Repetitions;
pub use occurrences::Occurrences;
pub use path::Path;
pub use path_dependence::PathDependence;
pub use policy::RepetitionPolicy;

#[cfg(test)]
mod tests;
