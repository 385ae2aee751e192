//! Drawings as SVG inside a page: boards and plots.
//!
//! They are made of shapes with class names and take their colours from the page's style, so the same drawing
//! is readable on light and dark ground. That, and the tables with the same numbers,
//! is why they are drawn here and not by a plotting library that writes colours into the file.

mod axis;
mod board;
mod by_move;
mod chart_file;
mod elo_curve;
mod frame;
mod means;
mod node_curve;
mod plots;

pub use board::board;
pub use by_move::{ByMove, Course, clock_use};
pub use chart_file::ChartFile;
pub use elo_curve::{Dot, deviation, elo_curve};
pub use frame::legend;
pub use means::{Means, means};
pub use node_curve::node_curve;
pub use plots::{LabelledRate, differences, evidence, pass_rates, ratings, ratios};

/// The width of a plot that has a page's width to itself, in pixels.
const WIDTH: f64 = 940.0;
