//! What a test will cost, before it starts, and whether it keeps what it promises.

// What pairs are like.
pub mod pair_distribution;
pub mod pair_sampler;

// What a test costs, and what a budget sees.
pub mod detectable;
pub mod forecast;
pub mod operating_point;
pub mod random_walk;
pub mod remainder;

// Tests and intervals tried out.
pub mod fast_sprt;
pub mod interval_coverage;
pub mod simulation;

// What they claim, and whether it holds.
pub mod exact_error;
pub mod verification;

pub use detectable::{DetectableDifferences, Difference};
pub use forecast::{Forecast, ForecastError};
pub use operating_point::{Openings, OperatingPoint, operating_point};
pub use pair_distribution::{PairDistribution, ReferencePairs};
pub use random_walk::{OutcomeChances, RandomWalk};
pub use remainder::remainder;
