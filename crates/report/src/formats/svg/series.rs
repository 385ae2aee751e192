//! Values over runs, oldest first: one curve for each series, with intervals where there are any, and a
//! vertical line at each change.

use maud::{Markup, html};

use super::axis::Axis;
use super::frame::{Frame, px};
use super::widths::{NARROW, WIDE};

/// A value of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesPoint {
    /// The index of the run.
    pub run: usize,
    /// The value.
    pub value: f64,
    /// The ends of its interval, if it has one.
    pub ends: Option<[f64; 2]>,
    /// The figures, as a text.
    pub title: String,
}

/// The plot of one or several series.
pub struct SeriesPlot<'p> {
    /// Text alternative.
    pub text: &'p str,
    /// What is on the vertical axis, with its unit.
    pub unit: &'static str,
    /// A date for each run, such as `2026-01-31`.
    pub dates: &'p [String],
    /// The first runs after a change.
    pub changes: &'p [usize],
    /// A value that the vertical axis includes, whatever the values are.
    pub includes: Option<f64>,
    /// Its size on a wide page.
    pub size: PlotSize,
}

/// The size of a plot on a wide page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlotSize {
    /// As wide as the page.
    Full,
    /// Two of them have room in a row.
    Half,
}

/// Pixels.
const HEIGHT: f64 = 220.0;

/// The width of half a page, in pixels.
const HALF: f64 = 460.0;

/// The most dates on the axis.
const DATES: usize = 4;

/// The most points that are drawn as dots.
const DOTS: usize = 120;

impl SeriesPlot<'_> {
    /// Draws each series, with its number among the colours of the page.
    pub fn draw(&self, series: &[(usize, Vec<SeriesPoint>)]) -> Markup {
        let wide = match self.size {
            PlotSize::Full => WIDE,
            PlotSize::Half => HALF,
        };
        html! {
            div class="wide" { (self.draw_at(wide, series)) }
            div class="narrow" { (self.draw_at(NARROW, series)) }
        }
    }

    fn draw_at(&self, width: f64, series: &[(usize, Vec<SeriesPoint>)]) -> Markup {
        let ends = |point: &SeriesPoint| point.ends.unwrap_or([point.value; 2]);
        let numbers = || series.iter().flat_map(|(_, points)| points).flat_map(ends);
        let all = || numbers().chain(self.includes);
        let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        let frame = Frame {
            width,
            height: HEIGHT,
            left: 62.0,
            x: Axis::marked(-0.5, self.dates.len() as f64 - 0.5, self.marks()),
            y: Some(Axis::around(low, high)),
            x_label: "runs, oldest first",
            y_label: self.unit,
        };
        let content = html! {
            @if low < 0.0 && high > 0.0 { (level(&frame, "bound zero", 0.0)) }
            @for &run in self.changes {
                @let x = px(frame.across(run as f64 - 0.5));
                line class="bound change" x1=(x) x2=(x) y1=(px(Frame::ceiling())) y2=(px(frame.floor())) {
                    title { "change" }
                }
            }
            @for (number, points) in series { (curve(&frame, *number, points)) }
        };
        frame.draw(self.text, &content)
    }

    /// Evenly spread runs with their dates, each date once. None is at an end, where the edge would cut it.
    fn marks(&self) -> Vec<(f64, String)> {
        let last = self.dates.len().saturating_sub(1);
        let mut marks: Vec<(f64, String)> = Vec::new();
        for mark in 0..DATES {
            let run = last * (2 * mark + 1) / (2 * DATES);
            let date = self.dates.get(run).cloned().unwrap_or_default();
            if marks.iter().all(|(_, known)| *known != date) {
                marks.push((run as f64, date));
            }
        }
        marks
    }
}

fn level(frame: &Frame, class: &str, value: f64) -> Markup {
    let y = px(frame.up(value));
    html! { line class=(class) x1=(px(frame.left)) x2=(px(frame.end())) y1=(y) y2=(y) {} }
}

fn curve(frame: &Frame, number: usize, points: &[SeriesPoint]) -> Markup {
    let path = frame.path(points.iter().map(|point| (point.run as f64, point.value)));
    html! {
        g class=(format!("series-{}", number % 6)) {
            path class=(format!("curve series-{}", number % 6)) d=(path) {}
            @for point in points.iter().filter(|_| points.len() <= DOTS) {
                @let x = px(frame.across(point.run as f64));
                @if let Some([low, high]) = point.ends {
                    line class="whisker" x1=(x) x2=(x) y1=(px(frame.up(low))) y2=(px(frame.up(high))) {}
                }
                circle class="dot" cx=(x) cy=(px(frame.up(point.value))) r="3.5" { title { (point.title) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(run: usize, value: f64, ends: Option<[f64; 2]>) -> SeriesPoint {
        SeriesPoint { run, value, ends, title: format!("run {run}") }
    }

    fn drawn(dates: &[String], changes: &[usize], points: Vec<SeriesPoint>) -> String {
        let plot = SeriesPlot { text: "t", unit: "u", dates, changes, includes: None, size: PlotSize::Half };
        plot.draw_at(480.0, &[(1, points)]).into_string()
    }

    #[test]
    fn series_has_its_curve_intervals_and_changes() {
        let dates: Vec<String> = (1..=4).map(|day| format!("2026-01-0{day}")).collect();
        let points = vec![point(0, 0.0, None), point(3, 10.0, Some([5.0, 12.0]))];
        let drawn = drawn(&dates, &[2], points);
        assert_eq!(drawn.matches("class=\"whisker\"").count(), 1, "{drawn}");
        assert_eq!(drawn.matches("class=\"dot\"").count(), 2, "{drawn}");
        // The change is half-way between the second and the third of four runs, in the middle of the plot.
        assert!(drawn.contains(r#"class="bound change" x1="262.0" x2="262.0""#), "{drawn}");
        assert!(drawn.contains("2026-01-03</text>"), "{drawn}");
    }

    #[test]
    fn dates_are_written_once_and_long_series_have_no_dots() {
        let dates = vec!["2026-01-01".to_owned(); 400];
        let drawn = drawn(&dates, &[], (0..400).map(|run| point(run, 1.0, None)).collect());
        assert_eq!(drawn.matches("2026-01-01").count(), 1);
        assert_eq!(drawn.matches("<circle").count(), 0);
    }
}
