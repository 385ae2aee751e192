//! SPSA: tunes parameters of an engine by games against itself.
//!
//! In each iteration every parameter is moved by ±c, and the engine with these values plays the engine with
//! the opposite ones. The parameters then move towards the winner. Source: J. C. Spall, IEEE Transactions on
//! Automatic Control 37 (1992); the schedule is that of OpenBench, which follows fishtest.
//!
//! With I iterations and the ratio A, the constants of a parameter and its gains in iteration i, from 1, are
//!
//! ```text
//! c₀ = c_end · I^γ        a₀ = r_end · c_end² · (A·I + I)^α
//! c  = c₀ / i^γ           r  = a₀ / (A·I + i)^α / c²
//! ```
//!
//! where c is at least ½ for a whole number. The value moves by r · c · flip · (won games - lost games), and
//! stays between its bounds.

mod effect;
mod gains;
mod parameter;
mod perturbation;
mod schedule;
mod tune;

pub use effect::ParameterEffect;
pub use gains::{Gains, StartGains};
pub use parameter::{Parameter, ParameterError, ParameterKind, Parameters};
pub use perturbation::{Flip, Perturbation, perturbations};
pub use schedule::{Schedule, ScheduleError};
pub use tune::{IterationResult, Tune, TuneSettings};
