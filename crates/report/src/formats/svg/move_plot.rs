//! Line plots of a value over the move number, one curve for each engine.

use maud::{Markup, html};

use super::axis::Axis;
use super::frame::{Frame, legend};
use super::widths::at_both_widths;
use crate::model::report::ClockUse;

/// The curve of one engine.
pub struct Curve<'c> {
    /// The name of the engine.
    pub name: &'c str,
    /// The index of its colour, from 0. The page's style has six, which repeat.
    pub series: usize,
    /// Move numbers from 1, each with its value.
    pub points: &'c [(f64, f64)],
}

/// The size and the labels of a plot of values by move number.
pub struct MovePlot<'c> {
    /// The text alternative, for screen readers.
    pub text: &'c str,
    /// The label of the vertical axis: quantity and unit.
    pub unit: &'static str,
    /// Pixels.
    pub width: f64,
    /// Pixels.
    pub height: f64,
}

impl MovePlot<'_> {
    /// Draws the curves from move 1 to the last move of any curve; the vertical axis starts at 0.
    pub fn draw(&self, curves: &[Curve<'_>]) -> Markup {
        let points = || curves.iter().flat_map(|course| course.points).copied();
        let last = points().map(|(mv, _)| mv).fold(1.0, f64::max);
        let most = points().map(|(_, value)| value).fold(0.0, f64::max);
        let frame = Frame {
            width: self.width,
            height: self.height,
            left: 52.0,
            x: Axis::exact(1.0, last),
            y: Some(Axis::around(0.0, most)),
            x_label: "move of the engine",
            y_label: self.unit,
        };
        let content = html! {
            @for Curve { name, series, points } in curves {
                path class=(format!("curve series-{}", series % 6)) d=(frame.path(points.iter().copied())) {
                    title { (name) }
                }
            }
        };
        frame.draw(self.text, &content)
    }
}

/// The time left after each move.
pub fn clock_use(clocks: &[ClockUse]) -> Markup {
    let points: Vec<Vec<(f64, f64)>> = clocks
        .iter()
        .map(|clock| (1_u32..).map(f64::from).zip(clock.left.iter().copied()).collect())
        .collect();
    let courses = clocks.iter().zip(&points).enumerate();
    let courses: Vec<Curve<'_>> =
        courses.map(|(series, (clock, points))| Curve { name: &clock.name, series, points }).collect();
    let draw = |width| {
        let plot =
            MovePlot { text: "Time left after each move", unit: "seconds left, mean", width, height: 240.0 };
        plot.draw(&courses)
    };
    html! {
        (at_both_widths(draw))
        (legend(clocks.iter().map(|clock| clock.name.as_str()).enumerate()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_share_their_axes() {
        let plot = MovePlot { text: "t", unit: "u", width: 460.0, height: 200.0 };
        let drawn = |courses: &[Curve<'_>]| plot.draw(courses).into_string();
        let course = |series, points| Curve { name: "A", series, points };
        let both = drawn(&[course(0, &[(1.0, 2.0), (11.0, 4.0)]), course(8, &[(1.0, 4.0)]), course(1, &[])]);
        assert!(both.contains(r#"class="curve series-0" d="M52.0 86.0L442.0 14.0""#), "{both}");
        assert!(both.contains(r#"class="curve series-2" d="M52.0 14.0""#), "{both}");
        assert!(drawn(&[]).contains("<svg"), "a plot of nothing is an empty plot");
    }
}
