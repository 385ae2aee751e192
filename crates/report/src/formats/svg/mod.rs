//! Drawings as SVG inside a page: boards and plots.
//!
//! They are made of shapes with class names and take their colours from the page's style, so the same drawing
//! is readable on a light and a dark background. That, and the tables with the same numbers,
//! is why they are drawn here and not by a plotting library that writes colours into the file.

mod axis;
mod board;
mod chart_file;
mod elo_curve;
mod evidence;
mod frame;
mod line_steps;
mod means;
mod move_plot;
mod node_curve;
mod pass_curve;
mod plots;
mod rows;
mod scores;
mod series;
mod takes;
mod tuning;
mod wdl;
mod widths;

pub use board::{Diagram, shapes};
pub use chart_file::ChartFile;
pub use elo_curve::{Dot, deviation, elo_curve};
pub use evidence::{e_values, evidence, ratios};
pub use frame::legend;
pub use means::{Means, means};
pub use move_plot::{Curve, MovePlot, clock_use};
pub use node_curve::node_curve;
pub use pass_curve::{PassCurve, pass_curves};
pub use plots::{LabelledRate, differences, pass_rates, ratings, ratings_in};
pub use scores::{ScorePoint, scores};
pub use series::{PlotSize, SeriesPlot, SeriesPoint};
pub use takes::{TakeCurve, take_curves};
pub use tuning::tuned_value;
pub use wdl::{ParameterCurve, ShareCurve, SharePoint, claimed_scores, model_parameters, result_shares};
