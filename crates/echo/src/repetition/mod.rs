//! Repetitions: policies, detectors, and upcoming repetitions.
//!
//! The positions from the start of the game to the current node are a [`Path`]. A [`Detector`] finds how
//! often the top one occurred before; a [`RepetitionPolicy`] decides whether that is a draw, and on which
//! ancestor the draw depends ([`PathDependence`]).

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
pub(super) use path::PerpetualCheck;
pub use path_dependence::PathDependence;
pub use policy::RepetitionPolicy;

#[cfg(test)]
mod tests;
