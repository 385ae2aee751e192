//! The Elo curve of a strength option: measured levels, the confidence band, and the fitted curve.

use maud::{Markup, html};

use super::axis::Axis;
use super::frame::{Frame, px};
use super::widths::at_both_widths;
use threefold_run::calibration::EloCurve;

/// Points of the drawn curve.
const STEPS: u32 = 160;

/// A level by its own games.
pub struct Dot {
    /// The value of the strength option.
    pub level: f64,
    /// Elo.
    pub elo: f64,
    /// Half of its 95 % interval, in Elo.
    pub error: f64,
}

/// What is drawn over the levels.
struct Drawn {
    /// The ordinate of a level with an Elo.
    height: fn(f64, f64) -> f64,
    /// Draw the line on which measured and requested Elo are equal?
    called_by_elo: bool,
    label: &'static str,
    /// Pixels.
    pixels: f64,
    /// Text alternative.
    text: &'static str,
}

/// Measured Elo over levels; if levels are requested Elo, with the line on which the two are equal.
pub fn elo_curve(curve: &EloCurve, measured: &[Dot], called_by_elo: bool) -> Markup {
    let drawn = Drawn {
        height: |_, elo| elo,
        called_by_elo,
        label: "measured Elo",
        pixels: 420.0,
        text: "Measured Elo over levels with a simultaneous 95 % band",
    };
    draw(curve, measured, &drawn)
}

/// Measured minus requested Elo.
pub fn deviation(curve: &EloCurve, measured: &[Dot]) -> Markup {
    let drawn = Drawn {
        height: |level, elo| elo - level,
        called_by_elo: true,
        label: "error, Elo",
        pixels: 280.0,
        text: "Measured minus requested Elo over levels, with a simultaneous 95 % band",
    };
    draw(curve, measured, &drawn)
}

fn draw(curve: &EloCurve, measured: &[Dot], drawn: &Drawn) -> Markup {
    at_both_widths(|width| draw_at(width, curve, measured, drawn))
}

fn draw_at(width: f64, curve: &EloCurve, measured: &[Dot], drawn: &Drawn) -> Markup {
    let Drawn { height, called_by_elo, label, pixels, text } = *drawn;
    let levels: Vec<f64> = curve.levels.iter().copied().map(f64::from).collect();
    let (first, last) = (levels[0], levels[levels.len() - 1]);
    let end = |elos: &[f64]| -> Vec<(f64, f64)> {
        levels.iter().zip(elos).map(|(&level, &elo)| (level, height(level, elo))).collect()
    };
    let (lower, upper) = (end(&curve.band.low), end(&curve.band.high));
    let line = called_by_elo.then(|| [first, last].map(|level| (level, height(level, level))));
    let interval =
        |dot: &Dot| [dot.elo - dot.error, dot.elo + dot.error].map(|elo| (dot.level, height(dot.level, elo)));
    let heights = || {
        let drawn = lower.iter().chain(&upper).chain(line.iter().flatten()).copied();
        drawn.chain(measured.iter().flat_map(interval)).map(|(_, height)| height)
    };
    let frame = Frame {
        width,
        height: pixels,
        left: 58.0,
        x: Axis::exact(first, last),
        y: Some(Axis::around(
            heights().fold(f64::INFINITY, f64::min),
            heights().fold(f64::NEG_INFINITY, f64::max),
        )),
        x_label: "level",
        y_label: label,
    };
    let smooth = (0..=STEPS).map(|step| {
        let level = first + (last - first) * f64::from(step) / f64::from(STEPS);
        (level, height(level, curve.elo(level)))
    });
    let content = html! {
        path class="band series-0" d=(frame.path(upper.iter().chain(lower.iter().rev()).copied()) + "Z") {}
        @if let Some(line) = line { path class="bound zero" d=(frame.path(line)) {} }
        path class="curve series-0" d=(frame.path(smooth)) {}
        @for dot in measured {
            path class="whisker" d=(frame.path(interval(dot))) {}
            circle class="dot" cx=(px(frame.across(dot.level))) cy=(px(frame.up(height(dot.level, dot.elo)))) r="4.5" {
                title { (dot.level) ": " (format!("{:.0} ± {:.0}", dot.elo, dot.error)) }
            }
        }
    };
    frame.draw(text, &content)
}
