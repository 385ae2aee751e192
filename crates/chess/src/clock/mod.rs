//! Clocks as values: time controls, limits of a search, and time losses.
//!
//! Nothing here reads a real clock. Time used is an argument, measured by the caller or computed from nodes,
//! so every rule can be tested to the millisecond.

pub mod chess_clock;
pub mod clock_source;
pub mod control;
pub mod decimal;
pub mod duration;
pub mod limits;
mod plausibility;
mod seconds;
pub mod stop;
pub mod time_loss;
pub mod time_report;

pub use chess_clock::ChessClock;
pub use clock_source::ClockSource;
pub use control::{Control, ControlError, LimitKey, TimeControl};
pub use decimal::{Decimal, DecimalError};
pub use limits::{Clocks, Limits, Remaining};
pub use stop::Stop;
pub use time_loss::{Delays, Flag, LossCause, LossShares};
pub use time_report::{SearchEnd, TimeEstimates, TimeReport};
