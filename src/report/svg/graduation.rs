//! The graduation of a dial: measured levels, the band around them, and the curve through them.

use maud::{Markup, html};

use super::WIDTH;
use super::axis::Axis;
use super::frame::{Frame, px};
use crate::calibration::Graduation;

/// Points of the drawn curve.
const STEPS: u32 = 160;

/// Elo over levels; where levels are called by their Elo, with the line on which each is what it is called.
pub(in crate::report) fn graduation(
    graduation: &Graduation,
    measured: &[(f64, f64)],
    called_by_elo: bool,
) -> Markup {
    let levels: Vec<f64> = graduation.levels.iter().copied().map(f64::from).collect();
    let (first, last) = (levels[0], levels[levels.len() - 1]);
    let band = &graduation.band;
    let heights = || band.low.iter().chain(&band.high).copied().chain(measured.iter().map(|(_, elo)| *elo));
    let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
    let frame = Frame {
        width: WIDTH,
        height: 420.0,
        left: 58.0,
        x: Axis::exact(first, last),
        y: Some(Axis::around(low, high)),
        x_label: "level asked for",
        y_label: "Elo measured",
    };
    let upper = levels.iter().copied().zip(band.high.iter().copied());
    let lower = levels.iter().copied().zip(band.low.iter().copied()).rev();
    let smooth = (0..=STEPS).map(|step| {
        let level = first + (last - first) * f64::from(step) / f64::from(STEPS);
        (level, graduation.elo(level))
    });
    let (from, to) = (first.max(low), last.min(high));
    let content = html! {
        path class="band" d=(frame.path(upper.chain(lower)) + "Z") {}
        @if called_by_elo && from < to {
            line class="bound zero" x1=(px(frame.across(from))) y1=(px(frame.up(from)))
                x2=(px(frame.across(to))) y2=(px(frame.up(to))) {}
        }
        path class="curve series-0" d=(frame.path(smooth)) {}
        @for (level, elo) in measured {
            circle class="dot" cx=(px(frame.across(*level))) cy=(px(frame.up(*elo))) r="4.5" {
                title { (level) ": " (format!("{elo:.0}")) }
            }
        }
    };
    frame.draw("Elo over levels with a 95 % band for all levels at once", &content)
}
