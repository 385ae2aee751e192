//! The value of a tuned parameter over the iterations, with the distance of the two sides.

use maud::{Markup, html};

use super::axis::Axis;
use super::frame::{Frame, px};
use super::widths::{WIDE, at_both_widths};
use crate::model::tuning::number;
use threefold_stats::spsa::{Parameter, Tune};

/// Pixels.
const HEIGHT: f64 = 180.0;

/// Draws the course of a parameter, by its place: the value, ± c, the start, and the bounds as the ends of the axis.
pub fn tuned_value(tune: &Tune, place: usize) -> Markup {
    let parameter = &tune.settings().parameters.all()[place];
    let points = points(tune, place);
    let text = format!(
        "The value of {} over the iterations, from {} to {}",
        parameter.name,
        parameter.value,
        points.last().map_or(parameter.value, |point| point.value)
    );
    let draw = |width: f64| {
        let frame = Frame {
            width,
            height: HEIGHT,
            left: 62.0,
            x: Axis::exact(0.0, f64::from(tune.settings().schedule.iterations())).with_its_end(),
            y: Some(bounds(parameter)),
            x_label: "iterations",
            y_label: "",
        };
        let start = px(frame.up(parameter.value));
        let upper = points.iter().map(|it| (it.iteration, it.value + it.c));
        let lower = points.iter().rev().map(|it| (it.iteration, it.value - it.c));
        let content = html! {
            line class="bound zero" x1=(px(frame.left)) x2=(px(frame.end())) y1=(start) y2=(start) { title { "start" } }
            path class="band series-0" d=(frame.path(upper.chain(lower)) + "Z") {}
            path class="curve series-0" d=(frame.path(points.iter().map(|it| (it.iteration, it.value)))) {}
        };
        frame.draw(&text, &content)
    };
    at_both_widths(draw)
}

/// The axis of the values: it ends at the bounds, and the start is written on it where it has room.
fn bounds(parameter: &Parameter) -> Axis {
    /// The least distance of two numbers, as a share of the axis.
    const ROOM: f64 = 0.15;
    let share = (parameter.value - parameter.min) / parameter.range();
    let mut marks = vec![parameter.min, parameter.max];
    if (ROOM..=1.0 - ROOM).contains(&share) {
        marks.push(parameter.value);
    }
    let marks = marks.into_iter().map(|value| (value, number(value))).collect();
    Axis::marked(parameter.min, parameter.max, marks)
}

/// A place of the curve.
struct Point {
    iteration: f64,
    value: f64,
    c: f64,
}

/// The values after iterations, at most about two a pixel.
fn points(tune: &Tune, place: usize) -> Vec<Point> {
    let parameter = &tune.settings().parameters.all()[place];
    let last = tune.path().len() - 1;
    let step = last.div_ceil(2 * WIDE as usize).max(1);
    let shown = (0..=last).filter(|index| index.is_multiple_of(step) || *index == last);
    let point = |index: usize| Point {
        iteration: index as f64,
        value: tune.path()[index][place],
        c: tune.gains(parameter, index as u64).c,
    };
    shown.map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_stats::spsa::{IterationResult, ParameterKind, Parameters, Schedule, TuneSettings};

    fn tune(iterations: u32) -> Tune {
        let name = "P".to_owned();
        let (kind, value) = (ParameterKind::Int, 5.0);
        let parameter = Parameter { name, kind, value, min: 0.0, max: 10.0, c_end: 1.0, r_end: 0.01 };
        let parameters = Parameters::new(vec![parameter]).expect("sound");
        let schedule = Schedule::usual(iterations, 1).expect("sound");
        Tune::new(TuneSettings { parameters, schedule, seed: 1, ahead: 1 })
    }

    #[test]
    fn long_tunes_are_thinned_and_end_with_the_last_value() {
        let mut tune = tune(20_000);
        for iteration in 0..20_000 {
            tune.record(IterationResult::default().with_pair(iteration % 3 - 1));
        }
        let points = points(&tune, 0);
        assert!(points.len() <= 2 * WIDE as usize + 2, "{}", points.len());
        let last = points.last().expect("a point");
        assert!((last.iteration - 20_000.0).abs() < 0.5 && (last.value - tune.values()[0]).abs() < 1e-12);
    }

    #[test]
    fn tune_without_results_has_its_start() {
        let drawn = tuned_value(&tune(100), 0).into_string();
        assert!(
            drawn.contains("from 5 to 5") && drawn.matches("class=\"curve series-0\"").count() == 2,
            "{drawn}"
        );
    }
}
