//! The commands, one per file.

pub mod bench_runner;
pub mod fleet_simulation;
pub mod instant_engine;
pub mod mutants;
pub mod positions;
pub mod strength_curve;
pub mod study;
pub mod tune;
pub mod verify_statistics;
