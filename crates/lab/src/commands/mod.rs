//! The commands, one per file.

pub mod fleet_simulation;
pub mod mutants;
pub mod strength_curve;
pub mod study;
pub mod tune;
