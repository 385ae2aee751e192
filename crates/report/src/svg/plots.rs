//! The plots of a report. Each has a table with the same numbers.

use maud::{Markup, html};

use super::WIDTH;
use super::axis::Axis;
use super::frame::{Frame, legend, px};
use crate::format;
use crate::model::{Rated, Test};
use threefold_stats::Bounds;
use threefold_stats::elo::{Estimate, Logistic};
use threefold_stats::interval::Rate;

/// A pass rate and whose it is.
pub struct LabelledRate {
    /// The suite or the class.
    pub label: String,
    /// How many passed.
    pub rate: Rate,
    /// The style's name for its row: a suite or a class.
    pub rank: &'static str,
}

/// Pass rates with their intervals, a row each.
pub fn pass_rates(rates: &[LabelledRate]) -> Markup {
    let frame = Frame {
        width: WIDTH,
        height: Frame::height_of_rows(rates.len(), 22.0),
        left: 220.0,
        x: Axis::exact(0.0, 100.0),
        y: None,
        x_label: "cases passed, per cent, with 95 % interval",
        y_label: "",
    };
    let rows = html! {
        @for (index, LabelledRate { label, rate, rank }) in rates.iter().enumerate() {
            @let y = px(frame.row(index, rates.len()));
            @let interval = rate.wilson(0.05);
            g class=(rank) {
                text class="label" x=(px(frame.left - 12.0)) y=(y) dy="0.35em" text-anchor="end" { (shortened(label)) }
                line class="whisker" y1=(y) y2=(y)
                    x1=(px(frame.across(interval.low * 100.0))) x2=(px(frame.across(interval.high * 100.0))) {}
                @if let Some(share) = rate.share() {
                    circle class="dot" cx=(px(frame.across(share * 100.0))) cy=(y) r="4.5" {
                        title { (label) ": " (format::rate(*rate)) }
                    }
                }
            }
        }
    };
    frame.draw("Pass rates by suite and class", &rows)
}

/// The LLR of a test after each pair, with its bounds, and the logarithms of the e-values: against H0 upwards, against H1
/// downwards. Their threshold ln(1/α) is slightly above the bound of the LLR, Wald's ln((1-β)/α).
pub fn evidence(test: &Test) -> Markup {
    let bounds = test.running.bounds();
    let curves = [
        test.path.clone(),
        test.wealth.iter().map(|[over, _]| over.log()).collect(),
        test.wealth.iter().map(|[_, under]| -under.log()).collect(),
    ];
    let reach = |pick: fn(f64, f64) -> f64, bound: f64| {
        curves.iter().flatten().copied().filter(|llr| llr.is_finite()).fold(bound, pick)
    };
    let pairs = test.path.len() as f64;
    let frame = Frame {
        width: WIDTH,
        height: 280.0,
        left: 52.0,
        x: Axis::exact(0.0, pairs),
        y: Some(Axis::around(reach(f64::min, bounds.lower), reach(f64::max, bounds.upper))),
        x_label: "pairs of games",
        y_label: "natural logarithm",
    };
    let content = html! {
        (ground(&frame, bounds, pairs))
        // The ratio last, so that it lies above what only accompanies it.
        @for (index, curve) in curves.iter().enumerate().rev() {
            path class=(format!("curve series-{index}")) d=(trail(&frame, curve)) { title { (EVIDENCE[index]) } }
        }
        @if let Some(&last) = test.path.last() {
            circle class="point series-0" cx=(px(frame.across(pairs))) cy=(px(frame.up(last))) r="4" {}
        }
    };
    html! {
        (frame.draw(&format!("Evidence after each pair: LLR {}", test.evidence()), &content))
        (legend(EVIDENCE.into_iter().enumerate()))
    }
}

/// The log-likelihood ratios of several tests between the same bounds, pair by pair: a name, its number among the
/// curves of the page, and the path.
pub fn ratios(tests: &[(&str, usize, &[f64])], bounds: Bounds) -> Markup {
    let all = || tests.iter().flat_map(|(_, _, path)| *path).copied();
    let pairs = tests.iter().map(|(_, _, path)| path.len()).max().unwrap_or_default() as f64;
    let frame = Frame {
        width: WIDTH,
        height: 280.0,
        left: 52.0,
        x: Axis::exact(0.0, pairs),
        y: Some(Axis::around(all().fold(bounds.lower, f64::min), all().fold(bounds.upper, f64::max))),
        x_label: "pairs of games",
        y_label: "log-likelihood ratio",
    };
    let content = html! {
        (ground(&frame, bounds, pairs))
        @for (name, series, path) in tests {
            path class=(format!("curve series-{series}")) d=(trail(&frame, path)) { title { (name) } }
        }
    };
    frame.draw("Log-likelihood ratios after each pair", &content)
}

/// The bounds of a test, and the line of no evidence.
fn ground(frame: &Frame, bounds: Bounds, pairs: f64) -> Markup {
    let (start, end) = (px(frame.left), px(frame.across(pairs)));
    html! {
        @for (bound, class, label) in [(bounds.upper, "good", "H1"), (0.0, "zero", ""), (bounds.lower, "bad", "H0")] {
            @let y = px(frame.up(bound));
            line class=(format!("bound {class}")) x1=(start) x2=(end) y1=(y) y2=(y) {}
            text class=(format!("bound-label {class}")) x=(px(frame.left + 6.0)) y=(y) dy="-0.4em" { (label) }
        }
    }
}

/// From nothing said, from pair to pair.
fn trail(frame: &Frame, curve: &[f64]) -> String {
    frame.path(std::iter::once((0.0, 0.0)).chain(thinned(curve)))
}

/// The points of a curve from trial to trial, at most about two a pixel: a page shouldn't grow with the test.
fn thinned(curve: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    let (step, last) = (curve.len().div_ceil(2 * WIDTH as usize).max(1), curve.len());
    let kept = move |trial: &usize| trial.is_multiple_of(step) || *trial == last;
    (1..=last).filter(kept).map(|trial| (trial as f64, curve[trial - 1]))
}

/// The curves of a test's evidence.
const EVIDENCE: [&str; 3] = ["LLR", "ln E for", "-ln E against"];

/// Differences with their intervals, one row each, and the line at 0.
pub fn differences(differences: &[(String, Estimate<Logistic>)]) -> Markup {
    let ends = |elo: &Estimate<Logistic>| [elo.low.0, elo.value.0, elo.high.0];
    let numbers = || differences.iter().flat_map(|(_, elo)| ends(elo)).filter(|elo| elo.is_finite());
    let frame = Frame {
        width: WIDTH,
        height: Frame::height_of_rows(differences.len(), 24.0),
        left: 330.0,
        x: Axis::around(numbers().fold(-10.0, f64::min), numbers().fold(10.0, f64::max)),
        y: None,
        x_label: "Elo, with 95 % interval",
        y_label: "",
    };
    let zero = px(frame.across(0.0));
    let rows = html! {
        line class="bound zero" x1=(zero) x2=(zero) y1=(px(Frame::ceiling())) y2=(px(frame.floor())) {}
        @for (index, (label, elo)) in differences.iter().enumerate() {
            @let y = px(frame.row(index, differences.len()));
            @let [low, value, high] = ends(elo).map(|elo| px(frame.across(elo)));
            g class="rank-suite" {
                text class="label" x=(px(frame.left - 12.0)) y=(y) dy="0.35em" text-anchor="end" { (label) }
                line class="whisker" y1=(y) y2=(y) x1=(low) x2=(high) {}
                circle class="dot" cx=(value) cy=(y) r="4.5" { title { (label) ": " (format::logistic(*elo)) } }
            }
        }
    };
    frame.draw("Differences in Elo", &rows)
}

/// Ratings with their intervals, a row each.
pub fn ratings(ratings: &[Rated]) -> Markup {
    let low =
        ratings.iter().map(|rated| rated.elo - rated.error.unwrap_or_default()).fold(f64::INFINITY, f64::min);
    let high = ratings
        .iter()
        .map(|rated| rated.elo + rated.error.unwrap_or_default())
        .fold(f64::NEG_INFINITY, f64::max);
    let frame = Frame {
        width: WIDTH,
        height: Frame::height_of_rows(ratings.len(), 26.0),
        left: 220.0,
        x: if low <= high { Axis::around(low, high) } else { Axis::exact(0.0, 1.0) },
        y: None,
        x_label: "Elo, with 95 % interval",
        y_label: "",
    };
    let rows = html! {
        @for (index, rated) in ratings.iter().enumerate() {
            @let y = px(frame.row(index, ratings.len()));
            @let error = rated.error.unwrap_or_default();
            g class="rank-suite" {
                text class="label" x=(px(frame.left - 12.0)) y=(y) dy="0.35em" text-anchor="end" {
                    (shortened(&rated.name))
                }
                line class="whisker" y1=(y) y2=(y)
                    x1=(px(frame.across(rated.elo - error))) x2=(px(frame.across(rated.elo + error))) {}
                circle class=(if rated.error.is_some() { "dot" } else { "dot anchor" })
                    cx=(px(frame.across(rated.elo))) cy=(y) r="4.5" {
                    title { (rated.name) ": " (format::rating(rated.elo, rated.error)) }
                }
            }
        }
    };
    frame.draw("Ratings with error bars", &rows)
}

/// A name, shortened to the space next to a plot.
fn shortened(name: &str) -> String {
    const ROOM: usize = 30;
    if name.chars().count() <= ROOM {
        name.to_owned()
    } else {
        name.chars().take(ROOM - 1).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_curve_is_thinned_and_keeps_its_ends() {
        let curve: Vec<f64> = (1..=100_003_u32).map(f64::from).collect();
        let points: Vec<(f64, f64)> = thinned(&curve).collect();
        assert!(points.len() <= 2 * WIDTH as usize + 1);
        assert!(points.iter().all(|(trial, value)| trial.to_bits() == value.to_bits()));
        assert_eq!(points.last(), Some(&(100_003.0, 100_003.0)));
        assert_eq!(thinned(&curve[..3]).count(), 3);
        assert_eq!(thinned(&[]).count(), 0);
    }
}
