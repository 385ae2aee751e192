//! Pass rates over a number that classes have in their names, such as the distance of a mate.
//!
//! A class of four cases has an interval that says next to nothing, so a point also counts the cases of the
//! nearest numbers.

use maud::{Markup, html};

use super::axis::Axis;
use super::frame::{Frame, legend, px};
use super::widths::at_both_widths;
use crate::format;
use threefold_stats::interval::Rate;

/// The least number of cases of a point, unless all classes together have fewer.
const POOLED: u64 = 20;

/// The classes of one name.
#[derive(Debug, Clone, PartialEq)]
pub struct PassCurve {
    /// The name without its number: `mate-in`.
    pub name: String,
    /// Each number, in order, with its rate.
    pub rates: Vec<(u32, Rate)>,
}

/// A point of a curve.
struct Point {
    x: f64,
    rate: Rate,
}

impl PassCurve {
    /// Each number with the rate of the nearest cases.
    fn points(&self) -> Vec<Point> {
        let point = |&(at, _): &(u32, Rate)| {
            let mut by_distance: Vec<(u32, Rate)> =
                self.rates.iter().map(|&(number, rate)| (number.abs_diff(at), rate)).collect();
            by_distance.sort_by_key(|&(distance, _)| distance);
            let mut pooled = Rate { successes: 0, failures: 0 };
            // Only distances that occur: those between large numbers are too many to try.
            for near in by_distance.chunk_by(|(one, _), (other, _)| one == other) {
                if pooled.trials() >= POOLED {
                    break;
                }
                pooled.successes += near.iter().map(|(_, rate)| rate.successes).sum::<u64>();
                pooled.failures += near.iter().map(|(_, rate)| rate.failures).sum::<u64>();
            }
            Point { x: f64::from(at), rate: pooled }
        };
        self.rates.iter().map(point).collect()
    }
}

/// Pass rates over the numbers, with 95 % bands. `x_label` says what the numbers are.
pub fn pass_curves(curves: &[PassCurve], x_label: &'static str) -> Markup {
    let points: Vec<Vec<Point>> = curves.iter().map(PassCurve::points).collect();
    let numbers = || points.iter().flatten().map(|point| point.x);
    let (first, last) = (numbers().fold(f64::INFINITY, f64::min), numbers().fold(1.0, f64::max));
    let draw = |width: f64| {
        let frame = Frame {
            width,
            height: 260.0,
            left: 52.0,
            x: Axis::exact(first.min(last), last).with_its_end(),
            y: Some(Axis::exact(0.0, 100.0)),
            x_label,
            y_label: "cases passed, per cent",
        };
        let content = html! {
            @for (series, points) in points.iter().enumerate() {
                @let end = |high: bool| move |point: &Point| {
                    let interval = point.rate.wilson(0.05);
                    (point.x, 100.0 * if high { interval.high } else { interval.low })
                };
                @let outline = points.iter().map(end(true)).chain(points.iter().rev().map(end(false)));
                path class=(format!("band series-{series}")) d=(frame.path(outline) + "Z") {}
                @let shares = || points.iter().filter_map(|point| Some((point, 100.0 * point.rate.share()?)));
                path class=(format!("curve series-{series}")) d=(frame.path(shares().map(|(point, share)| (point.x, share)))) {}
                @for (point, share) in shares() {
                    circle class=(format!("point series-{series}")) r="3" cx=(px(frame.across(point.x))) cy=(px(frame.up(share))) {
                        title { (point.x) ": " (format::rate(point.rate)) }
                    }
                }
            }
        };
        frame.draw("Pass rates over the numbers of the classes, with 95 % bands", &content)
    };
    html! {
        (at_both_widths(draw))
        (legend(curves.iter().map(|curve| curve.name.as_str()).enumerate()))
        p class="faint" {
            "Each point counts at least " (POOLED) " cases, those of the nearest numbers included. Bands: 95 % (Wilson)."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_pool_neighbours_until_there_are_enough() {
        let rate = |successes| Rate { successes, failures: 4 - successes };
        let rates = (1..=20).map(|number| (number, rate(if number <= 10 { 4 } else { 0 }))).collect();
        let points = PassCurve { name: "mate-in".to_owned(), rates }.points();
        assert_eq!(points.len(), 20);
        assert_eq!((points[9].rate.successes, points[9].rate.trials()), (12, 20), "numbers 8 to 12");
        assert_eq!(points[0].rate.trials(), 20, "at the end the reach is to one side");
        let few = PassCurve { name: "mate-in".to_owned(), rates: vec![(2, rate(1)), (5, rate(2))] };
        assert_eq!(few.points()[0].rate.trials(), 8, "all that there are");
        let far = PassCurve { name: "seed".to_owned(), rates: vec![(u32::MAX, rate(1)), (0, rate(2))] };
        assert_eq!(far.points()[1].rate.trials(), 8, "however far apart, and in any order");
    }
}
