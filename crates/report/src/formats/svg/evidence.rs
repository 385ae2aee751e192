//! The evidence of sequential tests, pair by pair: log-likelihood ratios between their bounds, and e-values.

use maud::{Markup, html};

use super::axis::Axis;
use super::frame::{Frame, legend, px};
use super::widths::{WIDE, at_both_widths};
use crate::model::report::Test;
use threefold_games::pairing::EncounterLength;
use threefold_stats::Bounds;

/// The statistic of a test after each pair or single game, with its bounds.
pub fn evidence(test: &Test) -> Markup {
    let (trial, trials) = match test.duel.encounter {
        EncounterLength::Pair => ("pair", PAIRS),
        EncounterLength::Single => ("game", "games"),
    };
    let statistic = test.statistic();
    let alternative =
        format!("{} after each {trial}: {}", capitalized(statistic.words), test.evidence_figure());
    let labels = [trials, statistic.words];
    let bounds = test.running.bounds();
    let bounds = if test.moving_bounds.is_empty() {
        DrawnBounds::Fixed(bounds)
    } else {
        DrawnBounds::Moving { last: bounds, all: &test.moving_bounds }
    };
    between_bounds(&alternative, labels, &[(statistic.name, 0, &test.path)], bounds)
}

/// The bounds of a plot.
#[derive(Clone, Copy)]
pub(super) enum DrawnBounds<'b> {
    /// The same after each pair or game.
    Fixed(Bounds),
    /// One pair of bounds after each pair or game, and the last.
    Moving { last: Bounds, all: &'b [Bounds] },
}

impl DrawnBounds<'_> {
    const fn last(&self) -> Bounds {
        match *self {
            Self::Fixed(bounds) | Self::Moving { last: bounds, .. } => bounds,
        }
    }

    /// The values that must be on the plot: the bounds. Of moving bounds those of the first quarter are left out, since they are
    /// estimated from few pairs.
    fn extremes(&self) -> Vec<f64> {
        let mut bounds = vec![self.last()];
        if let Self::Moving { all, .. } = self {
            bounds.extend(&all[all.len() / 4..]);
        }
        bounds.iter().flat_map(|bounds| [bounds.lower, bounds.upper]).collect()
    }
}

/// The words as the beginning of a sentence.
fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    first + letters.as_str()
}

/// The logarithms of the e-values of a test after each pair: against H0 upwards, against H1 downwards, with
/// the thresholds ln(1/α) and -ln(1/β).
pub fn e_values(test: &Test) -> Markup {
    let risks = test.hypotheses().risks();
    let bounds = Bounds { lower: risks.beta.ln(), upper: -risks.alpha.ln() };
    let [over, under]: [Vec<f64>; 2] = [
        test.wealth.iter().map(|[over, _]| over.log()).collect(),
        test.wealth.iter().map(|[_, under]| -under.log()).collect(),
    ];
    let curves = [(E_VALUES[0], 1, over.as_slice()), (E_VALUES[1], 2, under.as_slice())];
    html! {
        (between_bounds("Logarithms of the e-values after each pair", [PAIRS, "natural logarithm"], &curves, DrawnBounds::Fixed(bounds)))
        (legend(curves.iter().map(|&(name, series, _)| (series, name))))
    }
}

/// The label of the axis of pairs.
const PAIRS: &str = "pairs of games";

const E_VALUES: [&str; 2] = ["ln E against H0", "-ln E against H1"];

/// The log-likelihood ratios of several tests between the same bounds, pair by pair: a name, its number among
/// the curves of the page, and the path.
pub fn ratios(tests: &[(&str, usize, &[f64])], bounds: Bounds) -> Markup {
    between_bounds(
        "Log-likelihood ratios after each pair",
        [PAIRS, "log-likelihood ratio"],
        tests,
        DrawnBounds::Fixed(bounds),
    )
}

fn between_bounds(
    alternative: &str,
    [x_label, y_label]: [&'static str; 2],
    curves: &[(&str, usize, &[f64])],
    bounds: DrawnBounds<'_>,
) -> Markup {
    let pairs = curves.iter().map(|(_, _, path)| path.len()).max().unwrap_or_default() as f64;
    let values = curves.iter().flat_map(|(_, _, path)| *path).copied().filter(|value| value.is_finite());
    let values = values.chain(bounds.extremes());
    let (low, high) = values.fold((0.0, 0.0), |(low, high): (f64, f64), it| (low.min(it), high.max(it)));
    let draw = |width: f64| {
        let frame = Frame {
            width,
            height: 280.0,
            left: 52.0,
            x: Axis::exact(0.0, pairs).with_its_end(),
            y: Some(Axis::around(low, high)),
            x_label,
            y_label,
        };
        let content = html! {
            (bounds_and_zero_line(&frame, &bounds, [low, high], pairs))
            @for (name, series, path) in curves {
                path class=(format!("curve series-{series}")) d=(curve_path(&frame, path)) { title { (name) } }
                @if let Some(&last) = path.last().filter(|last| last.is_finite()) {
                    circle class=(format!("point series-{series}"))
                        cx=(px(frame.across(path.len() as f64))) cy=(px(frame.up(last))) r="4" {}
                }
            }
        };
        frame.draw(alternative, &content)
    };
    at_both_widths(draw)
}

/// The bounds of a test, and the line of no evidence. Moving bounds outside `[low, high]` are drawn at its end.
pub(super) fn bounds_and_zero_line(
    frame: &Frame,
    bounds: &DrawnBounds<'_>,
    [low, high]: [f64; 2],
    pairs: f64,
) -> Markup {
    let (start, end) = (px(frame.left), px(frame.across(pairs)));
    let moving = |of: fn(&Bounds) -> f64| -> Vec<f64> {
        match *bounds {
            DrawnBounds::Fixed(_) => Vec::new(),
            DrawnBounds::Moving { all, .. } => all.iter().map(|it| of(it).clamp(low, high)).collect(),
        }
    };
    let Bounds { lower, upper } = bounds.last();
    let now = if matches!(bounds, DrawnBounds::Fixed(_)) { "" } else { "now " };
    html! {
        @for (bound, class, label, path) in [
            (upper, "good", format!("accept H1: {now}{upper:.2}"), moving(|bounds| bounds.upper)),
            (0.0, "zero", String::new(), Vec::new()),
            (lower, "bad", format!("accept H0: {now}{lower:.2}"), moving(|bounds| bounds.lower)),
        ] {
            // The label of a moving bound is at its beginning; at the end both may be at the same place.
            @let y = px(frame.up(path.first().copied().unwrap_or(bound)));
            @if path.is_empty() {
                line class=(format!("bound {class}")) x1=(start) x2=(end) y1=(y) y2=(y) {}
            } @else {
                path class=(format!("bound {class}")) fill="none" d=(frame.path(thinned(&path))) {}
            }
            text class=(format!("bound-label {class}")) x=(px(frame.left + 6.0)) y=(y) dy="-0.4em" { (label) }
        }
    }
}

/// The path of a curve, which starts at (0, 0).
fn curve_path(frame: &Frame, curve: &[f64]) -> String {
    frame.path(std::iter::once((0.0, 0.0)).chain(thinned(curve)))
}

/// The points of a curve, at most about two a pixel: a page must not grow with the test.
fn thinned(curve: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    let (step, last) = (curve.len().div_ceil(2 * WIDE as usize).max(1), curve.len());
    // The last point always stays, since the dot at the end of the curve is drawn there.
    let kept = move |trial: &usize| trial.is_multiple_of(step) || *trial == last;
    (1..=last).filter(kept).map(|trial| (trial as f64, curve[trial - 1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_curve_is_thinned_and_keeps_its_ends() {
        let curve: Vec<f64> = (1..=100_003_u32).map(f64::from).collect();
        let points: Vec<(f64, f64)> = thinned(&curve).collect();
        assert!(points.len() <= 2 * WIDE as usize + 1);
        assert!(points.iter().all(|(trial, value)| trial.to_bits() == value.to_bits()));
        assert_eq!(points.last(), Some(&(100_003.0, 100_003.0)));
        assert_eq!(thinned(&curve[..3]).count(), 3);
        assert_eq!(thinned(&[]).count(), 0);
    }

    #[test]
    fn last_pair_has_its_number() {
        let path = vec![0.5; 293];
        let drawn = ratios(&[("A", 0, &path)], Bounds { lower: -2.94, upper: 2.94 }).into_string();
        assert_eq!(drawn.matches(">293</text>").count(), 2, "at both widths: {drawn}");
        assert!(!drawn.contains(">300</text>"));
    }
}
