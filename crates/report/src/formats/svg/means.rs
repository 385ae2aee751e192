//! Means with their intervals, a row each, in the colours that their engines have on the page.

use maud::{Markup, html};

use super::axis::Axis;
use super::rows::{IntervalRow, IntervalRows};
use super::widths::NARROW;
use threefold_stats::Estimate;

/// A plot of means.
pub struct Means<'m> {
    /// Text alternative.
    pub text: &'m str,
    /// What is on the horizontal axis.
    pub unit: &'static str,
    /// What the axis reaches to at least.
    pub reach: [f64; 2],
    /// Pixels.
    pub width: f64,
    /// Pixels kept free on the left, for the names.
    pub left: f64,
}

/// The plot of some means: a name, its number among the curves of the page, and the mean. Where numbers of
/// both signs have room, a line separates them.
pub fn means(plot: &Means<'_>, rows: &[(&str, usize, Estimate<f64>)]) -> Markup {
    let Means { text, unit, reach: [low, high], width, left } = *plot;
    let numbers = || {
        let ends = rows.iter().flat_map(|(_, _, mean)| [mean.low, mean.value, mean.high]);
        ends.filter(|number| number.is_finite())
    };
    let drawn = IntervalRows {
        text,
        unit,
        axis: Axis::around(numbers().fold(low, f64::min), numbers().fold(high, f64::max)),
        left,
        zero: numbers().fold(low, f64::min) < 0.0,
    };
    let row = |&(name, series, mean): &(&str, usize, Estimate<f64>)| IntervalRow {
        label: name.to_owned(),
        class: format!("series-{}", series % 6),
        ends: [mean.low, mean.high],
        value: Some(mean.value),
        title: name.to_owned(),
    };
    let rows: Vec<IntervalRow> = rows.iter().map(row).collect();
    html! {
        div class="wide" { (drawn.draw_at(width, &rows)) }
        div class="narrow" { (drawn.draw_at(NARROW, &rows)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plot_row_has_its_dot_and_interval() {
        let plot = Means { text: "t", unit: "u", reach: [0.0, 0.0], width: 460.0, left: 142.0 };
        let of = |low, value, high| ("A", 3, Estimate { low, value, high });
        let table = [
            // the mean, its dot, the ends of its line, does it need a line at 0?
            (of(0.0, 0.5, 1.0), r#"cx="292.0""#, r#"x1="142.0" x2="442.0""#, false),
            (of(-1.0, 0.0, 1.0), r#"cx="292.0""#, r#"x1="142.0" x2="442.0""#, true),
            // One pair bounds nothing: the line goes all the way.
            (of(f64::NEG_INFINITY, 1.0, f64::INFINITY), r#"cx="442.0""#, r#"x1="142.0" x2="442.0""#, false),
        ];
        for (row, dot, ends, parted) in table {
            let drawn = means(&plot, &[row]).into_string();
            assert!(drawn.contains(dot) && drawn.contains(ends), "{drawn}");
            assert_eq!(drawn.contains("bound zero"), parted, "{drawn}");
        }
    }
}
