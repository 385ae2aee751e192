//! Actual scores over expected scores, with the line on which they are equal.

use maud::{Markup, html};

use super::axis::Axis;
use super::frame::{Frame, px};
use super::widths::{NARROW, WIDE};

/// A group of games.
#[derive(Debug, Clone, PartialEq)]
pub struct ScorePoint {
    /// The expected score, in per cent.
    pub expected: f64,
    /// The actual score, in per cent.
    pub actual: f64,
    /// Half of the 95 % interval that chance gives around the expected score, in percentage points.
    pub half: f64,
    /// The figures, as a text.
    pub title: String,
}

/// The plot of scores of favourites, from 50 % on.
pub fn scores(points: &[ScorePoint]) -> Markup {
    html! {
        div class="wide" { (draw_at(WIDE, points)) }
        div class="narrow" { (draw_at(NARROW, points)) }
    }
}

fn draw_at(width: f64, points: &[ScorePoint]) -> Markup {
    let lowest = points.iter().map(|point| point.actual.min(point.expected - point.half));
    let frame = Frame {
        width,
        height: 300.0,
        left: 52.0,
        x: Axis::exact(50.0, 100.0),
        y: Some(Axis::around(lowest.fold(50.0, f64::min).max(0.0), 100.0)),
        x_label: "expected score, per cent",
        y_label: "actual score, per cent",
    };
    let content = html! {
        path class="bound zero" d=(frame.path([(50.0, 50.0), (100.0, 100.0)])) {}
        @for ScorePoint { expected, actual, half, title } in points {
            g class="series-0" {
                @let x = px(frame.across(*expected));
                @let [low, high] = [expected - half, expected + half].map(|end| px(frame.up(end)));
                line class="whisker" x1=(x) x2=(x) y1=(low) y2=(high) {}
                circle class="dot" cx=(x) cy=(px(frame.up(*actual))) r="4.5" { title { (title) } }
            }
        }
    };
    frame.draw("Actual score of favourites over the expected score; lines: 95 % by chance", &content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn point_is_on_the_line_if_the_score_is_the_expected_one() {
        let point =
            ScorePoint { expected: 75.0, actual: 75.0, half: 10.0, title: "75 % of 12 games".to_owned() };
        let drawn = draw_at(370.0, &[point]).into_string();
        // The plot is 300 by 244 pixels large; its middle is that of the line.
        assert!(drawn.contains(r#"d="M52.0 258.0L352.0 14.0""#), "{drawn}");
        assert!(drawn.contains(r#"cx="202.0" cy="136.0""#), "{drawn}");
        assert!(drawn.contains(r#"y1="184.8" y2="87.2""#), "{drawn}");
    }
}
