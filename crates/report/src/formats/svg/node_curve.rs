//! A calibration curve by nodes: measured ratings, the confidence band, and the fitted curve.

use maud::{Markup, html};

use super::axis::Axis;
use super::frame::{Frame, px};
use super::widths::at_both_widths;
use crate::format;
use threefold_run::calibration::{NodeCurve, NodeLevel};

/// Points of the drawn curve.
const STEPS: u32 = 120;

/// Elo over nodes, which grow to the right by doubling.
pub fn node_curve(curve: &NodeCurve) -> Markup {
    let doublings = |level: &NodeLevel| (level.nodes as f64).log2();
    let marks: Vec<(f64, String)> =
        curve.levels.iter().map(|level| (doublings(level), format::grouped(level.nodes))).collect();
    let (first, last) = (marks[0].0, marks[marks.len() - 1].0);
    let heights = || curve.levels.iter().flat_map(|level| [level.low, level.high, level.measured]);
    let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
    at_both_widths(|width| {
        let frame = Frame {
            width,
            height: 300.0,
            left: 52.0,
            x: Axis::marked(first, last, marks.clone()),
            y: Some(Axis::around(low, high)),
            x_label: "nodes per move",
            y_label: "Elo above the smallest budget",
        };
        let upper = curve.levels.iter().map(|level| (doublings(level), level.high));
        let lower = curve.levels.iter().rev().map(|level| (doublings(level), level.low));
        let smooth = (0..=STEPS).map(|step| {
            let x = first + (last - first) * f64::from(step) / f64::from(STEPS);
            (x, curve.elo(x.exp2()))
        });
        let content = html! {
            path class="band series-0" d=(frame.path(upper.chain(lower)) + "Z") {}
            path class="curve series-0" d=(frame.path(smooth)) {}
            @for level in &curve.levels {
                circle class="dot" cx=(px(frame.across(doublings(level)))) cy=(px(frame.up(level.measured))) r="4.5" {
                    title { (format::grouped(level.nodes)) " nodes: " (format!("{:+.0}", level.measured)) }
                }
            }
        };
        frame.draw("Elo over nodes with a simultaneous 95 % band", &content)
    })
}
