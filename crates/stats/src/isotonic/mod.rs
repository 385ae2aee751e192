//! Calibration curves: what is measured at each level, knowing only that more of it is never less.
//!
//! No formula says how Elo grows with nodes, or how a requested rating turns out; that it never falls is safe to
//! say. So the curve is a weighted monotone regression, its band holds at all levels at once and for any number
//! of games, and data that contradicts monotonicity beyond chance is told as that, not smoothed away.
//!
//! Sources: Barlow, Bartholomew, Bremner and Brunk, "Statistical inference under order restrictions" (1972), for the
//! fit; Fritsch and Carlson, "Monotone piecewise cubic interpolation" (1980), for the curve; Firth and de Menezes,
//! "Quasi-variances" (2004), for weights that don't depend on the anchor. The band is the house's own: every stretch
//! of levels has a mean with a normal error, the union bound or a simulation holds for all of them together whatever
//! ties their errors, and the mean of the levels up to one bounds its value from below. Where levels are so many that
//! a smooth curve through them says more than each alone, `smooth` measures them together first.

mod band;
mod calibration_fit;
mod curve;
mod fit;
mod gaussian;
mod lack_of_fit;
mod measurements;
mod smooth;

pub use band::Band;
pub use calibration_fit::{least_certain_order, rms_error, slope};
pub use curve::MonotoneCurve;
pub use fit::{Block, Isotonic};
pub use lack_of_fit::{LackOfFit, lack_of_fit};
pub use measurements::{MeasurementError, Measurements};
pub use smooth::smooth;
