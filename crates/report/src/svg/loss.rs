//! The loss of a fit over its epochs: of what was learnt, and of what was held out.

use maud::{Markup, html};

use super::axis::Axis;
use super::frame::{Frame, px};
use threefold_lab::fit::Loss;

/// The drawing stands alone in its file, so it brings its colours along.
const STYLE: &str = "text{font:12px sans-serif;fill:#666}.grid{stroke:#ccc;stroke-width:.5}\
    .curve{fill:none;stroke-width:2}.series-0{stroke:#2a78d6}.series-1{stroke:#c4511d}\
    text.series-0{fill:#2a78d6;stroke:none}text.series-1{fill:#c4511d;stroke:none}";

/// A file with both curves.
pub(crate) fn loss(losses: &[Loss]) -> String {
    let both = [("fitted to", losses.iter().map(|loss| loss.training).collect::<Vec<f64>>()), {
        ("held out", losses.iter().map(|loss| loss.held_out).collect())
    }];
    let heights = || both.iter().flat_map(|(_, curve)| curve).copied();
    let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(0.0, f64::max));
    let last = losses.len().saturating_sub(1) as f64;
    let frame = Frame {
        width: 940.0,
        height: 300.0,
        left: 72.0,
        x: Axis::exact(0.0, last),
        y: Some(Axis::around(low.min(high), high)),
        x_label: "epoch",
        y_label: "mean square error",
    };
    let content: Markup = html! {
        @for (index, (name, curve)) in both.iter().enumerate() {
            path class=(format!("curve series-{index}"))
                d=(frame.path((0_u32..).map(f64::from).zip(curve.iter().copied()))) {}
            @if let Some(&end) = curve.last() {
                text class=(format!("series-{index}")) text-anchor="end" dy="-0.6em"
                    x=(px(frame.across(last))) y=(px(frame.up(end))) { (name) }
            }
        }
        style { (STYLE) }
    };
    let drawn = frame.draw("Loss over epochs", &content).into_string();
    drawn.replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_curves_are_drawn() {
        let losses = [0, 1, 2].map(|epoch| Loss { epoch, training: 0.1 / (epoch + 1) as f64, held_out: 0.1 });
        let drawn = loss(&losses);
        assert!(drawn.starts_with("<svg xmlns="));
        assert_eq!(drawn.matches("<path ").count(), 2);
        assert_eq!(drawn.matches("held out").count(), 1);
    }
}
