//! A chart of curves over the same steps, as an SVG file of its own.

use maud::{Markup, html};

use super::axis::Axis;
use super::frame::{Frame, px};

/// The drawing is a file of its own, so it includes its colours.
const STYLE: &str = "text{font:12px sans-serif;fill:#666}.grid{stroke:#ccc;stroke-width:.5}\
    .curve{fill:none;stroke-width:2}.series-0{stroke:#2a78d6}.series-1{stroke:#c4511d}\
    text.series-0{fill:#2a78d6;stroke:none}text.series-1{fill:#c4511d;stroke:none}";

/// What is drawn: at most two curves, each a value for each step from 0.
#[derive(Debug, Clone, Copy)]
pub struct ChartFile<'c> {
    /// Text alternative.
    pub title: &'c str,
    /// What the steps are.
    pub x_label: &'static str,
    /// What the values are.
    pub y_label: &'static str,
    /// The curves with their names.
    pub curves: [(&'c str, &'c [f64]); 2],
}

impl ChartFile<'_> {
    /// The file's text.
    pub fn svg_text(&self) -> String {
        let heights = || self.curves.iter().flat_map(|(_, curve)| *curve).copied();
        let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(0.0, f64::max));
        let steps = self.curves.iter().map(|(_, curve)| curve.len()).max().unwrap_or_default();
        let last = steps.saturating_sub(1) as f64;
        let frame = Frame {
            width: 940.0,
            height: 300.0,
            left: 72.0,
            x: Axis::exact(0.0, last),
            y: Some(Axis::around(low.min(high), high)),
            x_label: self.x_label,
            y_label: self.y_label,
        };
        let content: Markup = html! {
            @for (index, (name, curve)) in self.curves.iter().enumerate() {
                path class=(format!("curve series-{index}"))
                    d=(frame.path((0_u32..).map(f64::from).zip(curve.iter().copied()))) {}
                @if let Some(&end) = curve.last() {
                    text class=(format!("series-{index}")) text-anchor="end" dy="-0.6em"
                        x=(px(frame.across(last))) y=(px(frame.up(end))) { (name) }
                }
            }
            style { (STYLE) }
        };
        // An SVG file needs the namespace, which an `svg` inside HTML does not have.
        let drawn = frame.draw(self.title, &content).into_string();
        drawn.replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1) + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_curves_are_drawn() {
        let curves = [("fitted to", &[0.1, 0.05, 0.03][..]), ("held out", &[0.1; 3])];
        let drawn = ChartFile { title: "Loss", x_label: "epoch", y_label: "error", curves }.svg_text();
        assert!(drawn.starts_with("<svg xmlns="));
        assert_eq!(drawn.matches("<path ").count(), 2);
        assert_eq!(drawn.matches("held out").count(), 1);
    }
}
