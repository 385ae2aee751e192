//! Clocks as values: what a control grants, what a search may spend, when a flag falls.
//!
//! No clock here ticks. Time used comes in as an argument, measured by whoever holds a real clock or counted
//! from nodes, so that every rule can be tested to the millisecond.

pub mod account;
pub mod control;
pub mod decimal;
pub mod duration;
pub mod face;
pub mod limits;
pub mod pace;
mod plausibility;
pub mod stop;

pub use account::{Account, Estimates, SearchEnd};
pub use control::{Control, ControlError, TimeControl};
pub use decimal::{Decimal, NoDecimal};
pub use face::{Face, Flag};
pub use limits::{Clocks, Limits, Remaining};
pub use pace::Pace;
pub use stop::Stop;
