//! Calibration curves: a measured value for each level, assumed only to be non-decreasing.
//!
//! No formula says how Elo grows with nodes, or what a requested rating yields; only monotonicity is safe to
//! assume. So the curve is an isotonic regression. Its band is simultaneous over all levels and valid for any
//! number of games. Data that contradicts monotonicity beyond chance is reported as such.
//!
//! Sources: Barlow, Bartholomew, Bremner and Brunk, "Statistical inference under order restrictions" (1972),
//! for the fit; Fritsch and Carlson, "Monotone piecewise cubic interpolation" (1980), for the curve; Firth
//! and de Menezes, "Quasi-variances" (2004), for weights that do not depend on the anchor. The band is our
//! own construction: see `band`. With many levels, `smooth` first combines neighbouring measurements.

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
