//! The path of a test's statistic between its bounds.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Widget as _};

use super::text::panel;
use super::theme::Theme;
use crate::output::screen::part_state::TestPath;
use threefold_report::format::grouped;

/// A column of braille characters has two dots.
const DOTS: usize = 2;

/// Draws the path, with a line for each bound.
pub(super) fn path(path: &TestPath, theme: Theme, area: Rect, buf: &mut Buffer) {
    let TestPath { name, unit, bounds, values } = path;
    let present = values.last().copied().unwrap_or_default();
    // A value that rounds to zero has no sign.
    let number = |value: f64| format!("{:.2}", (100.0 * value).round() / 100.0 + 0.0);
    let title =
        format!("{name} {}: H0 at {}, H1 at {}", number(present), number(bounds.lower), number(bounds.upper));
    let inner = panel(&title, area, buf);
    let end = values.len().max(1) as f64;
    let points = thinned(values, usize::from(inner.width) * DOTS);
    let level = |value: f64| [(0.0, value), (end, value)];
    let (upper, lower) = (level(bounds.upper), level(bounds.lower));
    let line = |data, marker| Dataset::default().marker(marker).graph_type(GraphType::Line).data(data);
    let sets = vec![
        line(&upper, Marker::Dot).style(theme.good()),
        line(&lower, Marker::Dot).style(theme.bad()),
        line(&points, Marker::Braille).style(Theme::strong()),
    ];
    let trials = format!("{} {unit}", grouped(values.len() as u64));
    // The last value may be beyond a bound.
    let most = values.iter().copied().fold(bounds.upper, f64::max);
    let least = values.iter().copied().fold(bounds.lower, f64::min);
    let labels = [least, f64::midpoint(least, most), most].map(|value| Line::from(number(value)));
    Chart::new(sets)
        .legend_position(None)
        .x_axis(Axis::default().bounds([0.0, end]).labels([Line::from("0"), Line::from(trials)]))
        .y_axis(Axis::default().bounds([least, most]).labels(labels))
        .render(inner, buf);
}

/// The points of a path, from its beginning at zero. Of a long path each point is the last of several.
fn thinned(values: &[f64], most: usize) -> Vec<(f64, f64)> {
    let step = values.len().div_ceil(most.max(1)).max(1);
    let chunks = values.chunks(step).enumerate();
    let last =
        chunks.filter_map(|(index, chunk)| Some(((index * step + chunk.len()) as f64, *chunk.last()?)));
    std::iter::once((0.0, 0.0)).chain(last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_path_keeps_its_ends() {
        assert_eq!(thinned(&[], 10), [(0.0, 0.0)]);
        assert_eq!(thinned(&[0.5, 0.25], 10), [(0.0, 0.0), (1.0, 0.5), (2.0, 0.25)]);
        let values: Vec<f64> = (1..=1003).map(f64::from).collect();
        let points = thinned(&values, 100);
        assert!(points.len() <= 101, "{}", points.len());
        assert_eq!(points.last(), Some(&(1003.0, 1003.0)));
    }
}
