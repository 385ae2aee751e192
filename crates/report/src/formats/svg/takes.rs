//! The evidence of several takes, over the games of all of them.

use maud::{Markup, html};

use super::axis::Axis;
use super::evidence::{DrawnBounds, bounds_and_zero_line};
use super::frame::{Frame, px};
use super::widths::{WIDE, at_both_widths};
use threefold_stats::Bounds;

/// The evidence of a take: the number of games of all takes after each of its trials, and its value then.
pub struct TakeCurve<'t> {
    /// The name of the take.
    pub name: &'t str,
    /// The games of all takes, after each of its pairs or single games.
    pub games: &'t [u64],
    /// The values, fewer than the games if pairs were played twice and count once.
    pub values: Vec<f64>,
}

impl TakeCurve<'_> {
    /// The points, at most about two a pixel.
    fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let number = self.values.len();
        let step = number.div_ceil(2 * WIDE as usize).max(1);
        let finite = (1..=number).filter(move |index| index.is_multiple_of(step) || *index == number);
        finite.filter_map(move |index| {
            // Repeated pairs have no value of their own; the others are spread over the games.
            let place = (index * self.games.len()).div_ceil(number).max(1) - 1;
            Some((*self.games.get(place)? as f64, self.values[index - 1])).filter(|point| point.1.is_finite())
        })
    }
}

/// Draws the values of all takes between bounds; `text` describes the drawing.
pub fn take_curves(text: &str, y_label: &'static str, curves: &[TakeCurve<'_>], bounds: Bounds) -> Markup {
    let last = curves.iter().filter_map(|curve| curve.games.last()).max();
    let games = last.copied().unwrap_or_default() as f64;
    let all = || curves.iter().flat_map(|curve| &curve.values).copied().filter(|value| value.is_finite());
    let (low, high) = (all().fold(bounds.lower, f64::min), all().fold(bounds.upper, f64::max));
    let draw = |width: f64| {
        let frame = Frame {
            width,
            height: 320.0,
            left: 52.0,
            x: Axis::exact(0.0, games).with_its_end(),
            y: Some(Axis::around(low, high)),
            x_label: "games of all takes",
            y_label,
        };
        let content = html! {
            (bounds_and_zero_line(&frame, &DrawnBounds::Fixed(bounds), [bounds.lower, bounds.upper], games))
            @for (index, curve) in curves.iter().enumerate() {
                @let class = format!("series-{}", index % 6);
                path class=(format!("curve {class}")) d=(frame.path(std::iter::once((0.0, 0.0)).chain(curve.points()))) {
                    title { (curve.name) }
                }
                @if let Some((games, value)) = curve.points().last() {
                    circle class=(format!("point {class}")) cx=(px(frame.across(games))) cy=(px(frame.up(value))) r="4" {
                        title { (curve.name) }
                    }
                }
            }
        };
        frame.draw(text, &content)
    };
    at_both_widths(draw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curve_has_its_place_among_the_games_of_all() {
        let games = [4, 6, 20];
        let curve = |values: &[f64]| TakeCurve { name: "a", games: &games, values: values.to_vec() };
        let points = |values: &[f64]| curve(values).points().collect::<Vec<_>>();
        assert_eq!(points(&[0.5, 0.1, -1.0]), [(4.0, 0.5), (6.0, 0.1), (20.0, -1.0)]);
        assert_eq!(points(&[0.5, -1.0]), [(6.0, 0.5), (20.0, -1.0)]);
        assert_eq!(points(&[]), []);
        assert_eq!(points(&[0.5, f64::NEG_INFINITY]), [(6.0, 0.5)]);
    }

    #[test]
    fn long_curves_are_thinned() {
        let games: Vec<u64> = (1..=100_000).collect();
        let values = vec![0.5; games.len()];
        let points = TakeCurve { name: "a", games: &games, values }.points().collect::<Vec<_>>();
        assert!(points.len() <= 2 * WIDE as usize + 1);
        assert_eq!(points.last(), Some(&(100_000.0, 0.5)));
    }
}
