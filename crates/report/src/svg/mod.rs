//! Drawings as SVG inside a page: boards and plots.
//!
//! They are made of shapes with class names and take their colours from the page's style, so the same drawing
//! is readable on light and dark ground. That, and that every number in them stands in a table beside them,
//! is why they are drawn here and not by a plotting library that writes colours into the file.

mod axis;
mod board;
mod by_move;
mod curve;
mod frame;
mod graduation;
mod loss;
mod means;
mod plots;

pub(super) use board::board;
pub(super) use by_move::{ByMove, Course, clock_use};
pub(super) use curve::calibration;
pub(super) use frame::legend;
pub(super) use graduation::{Dot, deviation, graduation};
pub(super) use loss::loss;
pub(super) use means::{Means, means};
pub(super) use plots::{LabelledRate, differences, evidence, pass_rates, ratings, ratios};

/// The width of a plot that has a page's width to itself, in pixels.
const WIDTH: f64 = 940.0;
