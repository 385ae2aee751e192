//! Pass rates, differences and ratings with their intervals, a row each.

use maud::Markup;

use super::axis::Axis;
use super::rows::{IntervalRow, IntervalRows};
use crate::format;
use crate::model::report::Rated;
use threefold_stats::elo::{Estimate, Logistic};
use threefold_stats::interval::Rate;

/// A pass rate with its label.
pub struct LabelledRate {
    /// The suite or the class.
    pub label: String,
    /// How many passed.
    pub rate: Rate,
    /// The style's name for its row: a suite or a class.
    pub rank: &'static str,
}

/// Pass rates with their intervals.
pub fn pass_rates(rates: &[LabelledRate]) -> Markup {
    let row = |LabelledRate { label, rate, rank }: &LabelledRate| {
        let interval = rate.wilson(0.05);
        IntervalRow {
            label: label.clone(),
            class: (*rank).to_owned(),
            ends: [interval.low, interval.high].map(|end| 100.0 * end),
            value: rate.share().map(|share| 100.0 * share),
            title: format!("{label}: {}", format::rate(*rate)),
        }
    };
    let plot = IntervalRows {
        text: "Pass rates",
        unit: "cases passed, per cent, with 95 % interval",
        axis: Axis::exact(0.0, 100.0),
        left: 260.0,
        zero: false,
    };
    plot.draw(&rates.iter().map(row).collect::<Vec<_>>())
}

/// Differences with their intervals, and a line at 0.
pub fn differences(differences: &[(String, Estimate<Logistic>)]) -> Markup {
    let ends = |elo: &Estimate<Logistic>| [elo.low.0, elo.value.0, elo.high.0];
    let numbers = || differences.iter().flat_map(|(_, elo)| ends(elo)).filter(|elo| elo.is_finite());
    let row = |(label, elo): &(String, Estimate<Logistic>)| IntervalRow {
        label: label.clone(),
        class: "rank-suite".to_owned(),
        ends: [elo.low.0, elo.high.0],
        value: Some(elo.value.0),
        title: format!("{label}: {}", format::logistic(*elo)),
    };
    let plot = IntervalRows {
        text: "Differences in Elo",
        unit: "Elo, with 95 % interval",
        axis: Axis::around(numbers().fold(-10.0, f64::min), numbers().fold(10.0, f64::max)),
        left: 330.0,
        zero: true,
    };
    plot.draw(&differences.iter().map(row).collect::<Vec<_>>())
}

/// Ratings with their 95 % intervals; the anchor has none.
pub fn ratings(ratings: &[Rated]) -> Markup {
    ratings_in("Elo, with 95 % interval", ratings)
}

/// Ratings with their intervals; `unit` is the label of the axis.
pub fn ratings_in(unit: &'static str, ratings: &[Rated]) -> Markup {
    let ends = |rated: &Rated| {
        let error = rated.error.unwrap_or_default();
        [rated.elo - error, rated.elo + error]
    };
    let low = ratings.iter().map(|rated| ends(rated)[0]).fold(f64::INFINITY, f64::min);
    let high = ratings.iter().map(|rated| ends(rated)[1]).fold(f64::NEG_INFINITY, f64::max);
    let row = |rated: &Rated| IntervalRow {
        label: rated.name.clone(),
        class: if rated.error.is_some() { "rank-suite" } else { "rank-suite anchor" }.to_owned(),
        ends: ends(rated),
        value: Some(rated.elo),
        title: format!("{}: {}", rated.name, format::rating(rated.elo, rated.error)),
    };
    let plot = IntervalRows {
        text: "Ratings",
        unit,
        // Without ratings both ends are infinite.
        axis: if low <= high { Axis::around(low, high) } else { Axis::exact(0.0, 1.0) },
        left: 260.0,
        zero: false,
    };
    plot.draw(&ratings.iter().map(row).collect::<Vec<_>>())
}
