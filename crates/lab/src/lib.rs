//! The laboratory: training games of Echo, evaluation tuning, mutation tests, pairs of real commits, and the reports of studies.

pub mod commit_pairs;
pub mod fit;
pub mod fleet_simulation;
pub mod games;
pub mod mutants;
pub mod runner_benchmark;
pub mod studies;
pub mod survey;
pub mod training_data;
