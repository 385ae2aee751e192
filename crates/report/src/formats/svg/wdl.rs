//! The plots of a win-draw-loss model: the shares of results over the score, and its two parameters.

use maud::{Markup, html};

use super::axis::Axis;
use super::frame::{Frame, legend, px};
use super::scores::ScorePoint;
use super::widths::at_both_widths;

/// A share of positions with nearly the same score.
#[derive(Debug, Clone, PartialEq)]
pub struct SharePoint {
    /// The mean score.
    pub score: f64,
    /// Per cent.
    pub share: f64,
    /// The figures, as a text.
    pub title: String,
}

/// The shares of one result.
#[derive(Debug, Clone, PartialEq)]
pub struct ShareCurve {
    /// The result.
    pub name: &'static str,
    /// Its number among the colours of the page.
    pub series: usize,
    /// Scores with the model's share, per cent.
    pub model: Vec<(f64, f64)>,
    /// The data.
    pub points: Vec<SharePoint>,
}

/// The shares of the results over the score, from `-reach` to `reach`: the model as curves, the data as dots.
pub fn result_shares(text: &str, reach: f64, curves: &[ShareCurve]) -> Markup {
    let draw = |width: f64| {
        let frame = Frame {
            width,
            height: 280.0,
            left: 52.0,
            x: Axis::exact(-reach, reach),
            y: Some(Axis::exact(0.0, 100.0)),
            x_label: "score x, in units of the engine",
            y_label: "share, per cent",
        };
        let content = html! {
            @for curve in curves {
                path class=(format!("curve series-{}", curve.series)) d=(frame.path(curve.model.iter().copied())) {}
                @for point in &curve.points {
                    circle class=(format!("point series-{}", curve.series)) r="3.5"
                        cx=(px(frame.across(point.score))) cy=(px(frame.up(point.share))) { title { (point.title) } }
                }
            }
        };
        frame.draw(text, &content)
    };
    html! {
        (at_both_widths(draw))
        (legend(curves.iter().map(|curve| (curve.series, curve.name))))
    }
}

/// A parameter of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterCurve {
    /// Its name.
    pub name: &'static str,
    /// Its number among the colours of the page.
    pub series: usize,
    /// m, the value, and half of its interval.
    pub values: Vec<(f64, f64, f64)>,
}

/// Parameters over m with their intervals. `x_label` says what m is.
pub fn model_parameters(text: &str, x_label: &'static str, curves: &[ParameterCurve]) -> Markup {
    let values = || curves.iter().flat_map(|curve| &curve.values);
    let first = values().map(|(m, ..)| *m).fold(f64::INFINITY, f64::min);
    let last = values().map(|(m, ..)| *m).fold(f64::NEG_INFINITY, f64::max);
    // Where there are few positions the interval may be many times the value, which would hide the curves.
    let most = values().map(|&(_, value, half)| value + half.min(value)).fold(1.0, f64::max);
    let draw = |width: f64| {
        let frame = Frame {
            width,
            height: 260.0,
            left: 62.0,
            x: Axis::exact(first, last),
            y: Some(Axis::around(0.0, most)),
            x_label,
            y_label: "units of the engine",
        };
        let content = html! {
            @for ParameterCurve { series, values, .. } in curves {
                @let upper = values.iter().map(|&(m, value, half)| (m, value + half));
                @let lower = values.iter().rev().map(|&(m, value, half)| (m, value - half));
                path class=(format!("band series-{series}")) d=(frame.path(upper.chain(lower)) + "Z") {}
                path class=(format!("curve series-{series}")) d=(frame.path(values.iter().map(|&(m, value, _)| (m, value)))) {}
            }
        };
        frame.draw(text, &content)
    };
    html! {
        (at_both_widths(draw))
        (legend(curves.iter().map(|curve| (curve.series, curve.name))))
    }
}

/// Actual scores over the scores that were claimed, both in per cent from 0 to 100, with the intervals of the actual ones. On
/// the line both are the same.
pub fn claimed_scores(points: &[ScorePoint]) -> Markup {
    let draw = |width: f64| {
        let frame = Frame {
            width,
            height: 320.0,
            left: 52.0,
            x: Axis::exact(0.0, 100.0),
            y: Some(Axis::exact(0.0, 100.0)),
            x_label: "claimed score, per cent",
            y_label: "actual score, per cent",
        };
        let content = html! {
            path class="bound zero" d=(frame.path([(0.0, 0.0), (100.0, 100.0)])) {}
            @for point in points {
                @let ends = [point.actual - point.half, point.actual + point.half].map(|end| (point.expected, end));
                path class="whisker" d=(frame.path(ends)) {}
                circle class="dot" r="4" cx=(px(frame.across(point.expected))) cy=(px(frame.up(point.actual))) {
                    title { (point.title) }
                }
            }
        };
        frame.draw("Actual scores over claimed scores, with 95 % intervals", &content)
    };
    at_both_widths(draw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_have_curves_bands_and_dots() {
        let point = SharePoint { score: 0.0, share: 25.0, title: "25 %".to_owned() };
        let curve = ShareCurve {
            name: "won",
            series: 2,
            model: vec![(-100.0, 0.0), (100.0, 50.0)],
            points: vec![point],
        };
        let drawn = result_shares("t", 100.0, &[curve]).into_string();
        assert_eq!(
            (drawn.matches("<circle").count(), drawn.matches("class=\"curve series-2\"").count()),
            (2, 2)
        );
        let point = ScorePoint { expected: 20.0, actual: 30.0, half: 5.0, title: "20 %".to_owned() };
        let drawn = claimed_scores(&[point]).into_string();
        assert_eq!((drawn.matches("<circle").count(), drawn.matches("class=\"whisker\"").count()), (2, 2));
        let curve =
            ParameterCurve { name: "a", series: 0, values: vec![(17.0, 100.0, 900.0), (78.0, 110.0, 5.0)] };
        let drawn = model_parameters("t", "material", &[curve]).into_string();
        assert_eq!(drawn.matches("class=\"band series-0\"").count(), 2);
        assert!(drawn.contains(">200</text>") && !drawn.contains(">1000</text>"), "{drawn}");
    }
}
