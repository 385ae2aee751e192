//! Drawings as SVG inside a page: boards and plots.
//!
//! They are made of shapes with class names and take their colours from the page's style, so the same drawing
//! is readable on light and dark ground. That, and that every number in them stands in a table beside them,
//! is why they are drawn here and not by a plotting library that writes colours into the file.

mod axis;
mod board;
mod curve;
mod frame;
mod loss;
mod plots;

pub(super) use board::board;
pub(super) use curve::calibration;
pub(super) use loss::loss;
pub(super) use plots::{LabelledRate, clock_use, differences, evidence, pass_rates, ratings};
