//! Intervals in rows: pass rates, ratings, differences and means.

use maud::{Markup, html};

use super::axis::Axis;
use super::frame::{Frame, px};
use super::widths::{NARROW, at_both_widths};

/// A row: an interval and a dot in it.
pub(super) struct IntervalRow {
    /// What it is an interval of.
    pub(super) label: String,
    /// The style's names for the row.
    pub(super) class: String,
    /// The ends of the interval.
    pub(super) ends: [f64; 2],
    /// Where the dot is; `None` without data.
    pub(super) value: Option<f64>,
    /// The figures, as a text.
    pub(super) title: String,
}

/// A plot of rows.
pub(super) struct IntervalRows<'p> {
    /// Text alternative.
    pub(super) text: &'p str,
    /// What is on the horizontal axis.
    pub(super) unit: &'static str,
    /// The horizontal axis.
    pub(super) axis: Axis,
    /// Pixels for the labels on the left, on a wide page.
    pub(super) left: f64,
    /// Draw a line at 0?
    pub(super) zero: bool,
}

/// Mean width of a bold letter, in pixels.
const LETTER: f64 = 8.2;

impl IntervalRows<'_> {
    /// The plot for wide and for narrow pages.
    pub(super) fn draw(&self, rows: &[IntervalRow]) -> Markup {
        at_both_widths(|width| self.draw_at(width, rows))
    }

    /// The plot at a width. On a narrow one, labels are above their rows.
    pub(super) fn draw_at(&self, width: f64, rows: &[IntervalRow]) -> Markup {
        let above = width <= NARROW;
        let (left, pitch) = if above { (14.0, 40.0) } else { (self.left, 24.0) };
        let frame = Frame {
            width,
            height: Frame::height_of_rows(rows.len(), pitch),
            left,
            x: self.axis.clone(),
            y: None,
            x_label: self.unit,
            y_label: "",
        };
        let zero = px(frame.across(0.0));
        let room = if above { width - left } else { left } - 12.0;
        let content = html! {
            @if self.zero {
                line class="bound zero" x1=(zero) x2=(zero) y1=(px(Frame::ceiling())) y2=(px(frame.floor())) {}
            }
            @for (index, row) in rows.iter().enumerate() {
                @let middle = frame.row(index, rows.len());
                @let y = px(if above { middle + 9.0 } else { middle });
                g class=(row.class) {
                    @let label = shortened(&row.label, (room / LETTER) as usize);
                    @if above {
                        text class="label" x=(px(left)) y=(px(middle - 5.0)) { (label) }
                    } @else {
                        text class="label" x=(px(left - 12.0)) y=(y) dy="0.35em" text-anchor="end" { (label) }
                    }
                    @let [low, high] = row.ends.map(|end| px(frame.across(end)));
                    line class="whisker" y1=(y) y2=(y) x1=(low) x2=(high) {}
                    @if let Some(value) = row.value {
                        circle class="dot" cx=(px(frame.across(value))) cy=(y) r="4.5" { title { (row.title) } }
                    }
                }
            }
        };
        frame.draw(self.text, &content)
    }
}

/// A name, shortened to a number of letters.
fn shortened(name: &str, room: usize) -> String {
    if name.chars().count() <= room {
        name.to_owned()
    } else {
        name.chars().take(room.saturating_sub(1)).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_beside_rows_on_wide_pages_and_above_them_on_narrow_ones() {
        let plot =
            IntervalRows { text: "t", unit: "u", axis: Axis::exact(0.0, 100.0), left: 142.0, zero: false };
        let label = "a label of more than forty-seven letters, too long for both".to_owned();
        let row = IntervalRow {
            label,
            class: "rank-suite".to_owned(),
            ends: [0.0, 100.0],
            value: Some(50.0),
            title: String::new(),
        };
        let rows = [row];
        let wide = plot.draw_at(460.0, &rows).into_string();
        assert!(wide.contains(r#"x1="142.0" x2="442.0""#) && wide.contains(r#"cx="292.0""#), "{wide}");
        assert!(wide.contains("a label of mor…"), "{wide}");
        let narrow = plot.draw_at(NARROW, &rows).into_string();
        assert!(narrow.contains(r#"x="14.0" y="29.0">a label of more than forty-seven lette…"#), "{narrow}");
    }
}
