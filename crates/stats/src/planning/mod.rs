//! Planning of tests: expected length and error, and verification of their guarantees.

// Distributions of pairs.
pub mod pair_distribution;
pub mod pair_sampler;

// Expected costs, and detectable differences.
pub mod detectable;
pub mod forecast;
pub mod operating_point;
pub mod random_walk;
pub mod remainder;

// Simulation.
pub mod deadline_simulation;
pub mod false_passes;
pub mod fast_sprt;
pub mod interval_coverage;
pub mod simulation;
pub mod takes;

// Claims, and their verification.
pub mod exact_error;
pub mod takes_table;
pub mod verification;

pub use detectable::{DetectableDifferences, EloDifference};
pub use forecast::{Forecast, ForecastError};
pub use operating_point::{ExpectedLength, Openings, OperatingPoint, operating_point};
pub use pair_distribution::{PairDistribution, ReferencePairs};
pub use random_walk::{OutcomeChances, RandomWalk};
pub use remainder::remainder;
