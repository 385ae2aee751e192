//! The passed cases of each suite.

use maud::{Markup, html};

use super::{figure_card, label, long_table};
use crate::format;
use crate::formats::html::table;
use crate::formats::svg::{PlotSize, SeriesPlot, SeriesPoint};
use crate::history::{History, Point, Subject};
use threefold_games::calendar::date;
use threefold_stats::interval::Rate;

/// The passed cases of the last run that has any, over all suites.
pub(super) fn card(history: &History) -> Markup {
    let suites: Vec<Vec<Point>> = history.suites().into_iter().map(|suite| history.points(suite)).collect();
    let Some(newest) = suites.iter().flatten().map(|point| point.run).max() else { return html! {} };
    let of_newest = || suites.iter().filter_map(|points| points.last().filter(|point| point.run == newest));
    let all = of_newest().fold(Rate { successes: 0, failures: 0 }, |sum, point| Rate {
        successes: sum.successes + point.rate.successes,
        failures: sum.failures + point.rate.failures,
    });
    let [lost, gained] = of_newest().fold([0, 0], |[lost, gained], point| {
        [lost + point.difference.only_a, gained + point.difference.only_b]
    });
    let [passed, cases] = [all.successes, all.trials()].map(format::grouped);
    let before = format!("{lost} lost, {gained} gained since the run before");
    let before = (history.runs.len() > 1).then_some(before);
    let notes: Vec<String> = before.into_iter().chain([date(history.runs[newest].time)]).collect();
    figure_card("Cases passed", &format!("{passed} of {cases}"), &notes)
}

/// A row for each suite, a plot for each that changed, and the runs of each.
pub(super) fn section(history: &History) -> Markup {
    let suites: Vec<(&str, Vec<Point>)> =
        history.suites().into_iter().map(|suite| (suite, history.points(suite))).collect();
    let suites: Vec<(&str, Vec<Point>)> =
        suites.into_iter().filter(|(_, points)| !points.is_empty()).collect();
    if suites.is_empty() {
        return html! {};
    }
    let columns = ["suite", "last run, 95 %", "lost", "gained", "first run", "lowest", "runs"];
    let varying = || suites.iter().filter(|(_, points)| points.iter().any(|it| it.rate != points[0].rate));
    html! {
        h2 id="suites" { "Cases by suite" }
        (table("Cases passed; lost and gained since the run before", &columns, suites.iter().map(row)))
        div class="plots" {
            @for (suite, points) in varying() {
                figure { figcaption { (suite) } (plot(history, suite, points)) }
            }
        }
        @for (suite, points) in varying() { (runs(history, suite, points)) }
    }
}

fn row((suite, points): &(&str, Vec<Point>)) -> Vec<String> {
    let (first, last) = (points[0], points[points.len() - 1]);
    let share = |point: &&Point| point.rate.share().unwrap_or_default();
    let lowest = points.iter().min_by(|one, other| share(one).total_cmp(&share(other))).unwrap_or(&first);
    vec![
        (*suite).to_owned(),
        format::rate(last.rate),
        last.difference.only_a.to_string(),
        last.difference.only_b.to_string(),
        format::fraction(first.rate),
        format::fraction(lowest.rate),
        points.len().to_string(),
    ]
}

fn plot(history: &History, suite: &str, points: &[Point]) -> Markup {
    let point = |point: &Point| {
        let run = &history.runs[point.run];
        let title = format!("{} {}: {}", date(run.time), label(run), format::rate(point.rate));
        let value = 100.0 * point.rate.share().unwrap_or_default();
        SeriesPoint { run: point.run, value, ends: None, title }
    };
    let changes = history.changes_of(|subject| matches!(subject, Subject::Suite(name) if name == suite));
    let plot = SeriesPlot {
        text: &format!("Cases of {suite} passed in each run, in per cent"),
        unit: "cases passed, per cent",
        dates: &history.dates(),
        changes: &changes,
        includes: None,
        size: PlotSize::Half,
    };
    plot.draw(&[(0, points.iter().map(point).collect())])
}

/// The runs that differ from the one before, the first and the last.
fn runs(history: &History, suite: &str, points: &[Point]) -> Markup {
    let rows = super::super::shown(points).rev().map(|point| {
        let run = &history.runs[point.run];
        let counts = [point.difference.only_a, point.difference.only_b].map(|count| count.to_string());
        [label(run), date(run.time), format::rate(point.rate)].into_iter().chain(counts).collect()
    });
    let columns = ["run", "date", "passed, 95 %", "lost", "gained"];
    html! {
        details {
            summary { (suite) ": runs that differ" }
            (long_table(&format!("{suite}, newest first"), &columns, rows.collect()))
        }
    }
}
