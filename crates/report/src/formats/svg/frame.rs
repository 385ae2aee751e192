//! The frame of a plot: a rectangle in pixels, two axes, their grid and labels.

use maud::{Markup, html};

use super::axis::Axis;

/// Where a plot's numbers come to lie.
pub(super) struct Frame {
    /// Pixels.
    pub(super) width: f64,
    /// Pixels.
    pub(super) height: f64,
    /// Pixels kept free on the left, for labels.
    pub(super) left: f64,
    /// To the right.
    pub(super) x: Axis,
    /// The ordinate; `None` if rows have names instead.
    pub(super) y: Option<Axis>,
    /// What is on the horizontal axis.
    pub(super) x_label: &'static str,
    /// What is on the vertical axis.
    pub(super) y_label: &'static str,
}

const TOP: f64 = 14.0;
const RIGHT: f64 = 18.0;
const BOTTOM: f64 = 42.0;
/// Width of a digit, in pixels.
const DIGIT: f64 = 7.0;

impl Frame {
    /// Pixels from the left.
    pub(super) fn across(&self, value: f64) -> f64 {
        self.left + self.x.share(value) * (self.width - self.left - RIGHT)
    }

    /// Pixels from the top.
    pub(super) fn up(&self, value: f64) -> f64 {
        let share = self.y.as_ref().map_or(0.5, |axis| axis.share(value));
        TOP + (1.0 - share) * (self.floor() - TOP)
    }

    /// The middle of one of several rows, in pixels from the top.
    pub(super) fn row(&self, index: usize, rows: usize) -> f64 {
        TOP + (index as f64 + 0.5) * (self.floor() - TOP) / rows as f64
    }

    /// The height of a plot, from the number and the height of its rows.
    pub(super) fn height_of_rows(rows: usize, pixels: f64) -> f64 {
        TOP + BOTTOM + rows as f64 * pixels
    }

    /// The low end of what is drawn on, in pixels from the top.
    pub(super) fn floor(&self) -> f64 {
        self.height - BOTTOM
    }

    /// Its high end.
    pub(super) const fn ceiling() -> f64 {
        TOP
    }

    /// The right end of what is drawn on, in pixels from the left.
    pub(super) fn end(&self) -> f64 {
        self.width - RIGHT
    }

    /// A path through points.
    pub(super) fn path(&self, points: impl IntoIterator<Item = (f64, f64)>) -> String {
        let steps: Vec<String> =
            points.into_iter().map(|(x, y)| format!("{} {}", px(self.across(x)), px(self.up(y)))).collect();
        if steps.is_empty() { String::new() } else { format!("M{}", steps.join("L")) }
    }

    /// The numbers on the horizontal axis that have room, from the last to the first.
    fn written(&self) -> Vec<String> {
        // From the end: if two numbers collide, the later one is written, which may be the end of the axis.
        let mut free = f64::INFINITY;
        let mut written = Vec::new();
        for (value, text) in self.x.ticks().into_iter().rev() {
            let (middle, half) = (self.within(value, &text), half_width(&text));
            if middle + half <= free {
                free = middle - half - DIGIT;
                written.push(text);
            }
        }
        written
    }

    /// The middle of a number on the horizontal axis, moved inwards if the edge would cut it.
    fn within(&self, value: f64, text: &str) -> f64 {
        let half = half_width(text);
        self.across(value).max(half).min(self.width - half)
    }

    /// The drawing with its axes and a text alternative.
    pub(super) fn draw(&self, text: &str, content: &Markup) -> Markup {
        let (floor, end) = (self.floor(), self.end());
        let written = self.written();
        html! {
            svg class="plot" role="img" aria-label=(text)
                viewBox=(format!("0 0 {} {}", self.width, self.height)) width=(self.width) height=(self.height) {
                @for (value, text) in self.x.ticks() {
                    @let x = px(self.across(value));
                    line class="grid" x1=(x) x2=(x) y1=(px(TOP)) y2=(px(floor)) {}
                    @if written.contains(&text) {
                        text class="tick" x=(px(self.within(value, &text))) y=(px(floor + 17.0)) text-anchor="middle" { (text) }
                    }
                }
                @for (value, text) in self.y.iter().flat_map(Axis::ticks) {
                    @let y = px(self.up(value));
                    line class="grid" x1=(px(self.left)) x2=(px(end)) y1=(y) y2=(y) {}
                    text class="tick" x=(px(self.left - 7.0)) y=(y) dy="0.35em" text-anchor="end" { (text) }
                }
                text class="axis" x=(px(f64::midpoint(self.left, end))) y=(px(self.height - 6.0)) text-anchor="middle" {
                    (self.x_label)
                }
                @if !self.y_label.is_empty() {
                    @let middle = f64::midpoint(TOP, floor);
                    text class="axis" text-anchor="middle"
                        transform=(format!("translate(12 {}) rotate(-90)", px(middle))) { (self.y_label) }
                }
                (content)
            }
        }
    }
}

/// Half the width of a number, in pixels.
fn half_width(text: &str) -> f64 {
    DIGIT * text.chars().count() as f64 / 2.0
}

/// Which curve is which, by its number.
pub fn legend<'n>(names: impl Iterator<Item = (usize, &'n str)>) -> Markup {
    html! {
        p class="legend" {
            @for (index, name) in names { span class=(format!("key series-{}", index % 6)) {} (name) " " }
        }
    }
}

/// A coordinate, to a tenth of a pixel.
pub(super) fn px(value: f64) -> String {
    format!("{value:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_room_and_are_not_cut() {
        let frame = Frame {
            width: 200.0,
            height: 100.0,
            left: 14.0,
            x: Axis::exact(-100_000.0, 400_000.0),
            y: None,
            x_label: "",
            y_label: "",
        };
        assert_eq!(frame.written(), ["400000", "200000", "0"], "from the right, where there is room");
        assert_eq!(frame.within(-100_000.0, "-100000").to_bits(), 24.5_f64.to_bits());
        assert_eq!(frame.within(400_000.0, "400000").to_bits(), 179.0_f64.to_bits());
    }
}
