//! The node count and the speed of the bench.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::{figure_card, label, long_table};
use crate::format;
use crate::formats::svg::{self, PlotSize, SeriesPlot, SeriesPoint};
use crate::history::{History, HistoryRun, Subject};
use threefold_games::calendar::date;
use threefold_suites::kinds::bench::BenchReading;

/// Does any run have a bench?
pub(super) fn exists(history: &History) -> bool {
    readings(history).next().is_some()
}

fn readings(history: &History) -> impl DoubleEndedIterator<Item = (usize, &HistoryRun, BenchReading)> {
    let runs = history.runs.iter().enumerate();
    runs.filter_map(|(index, run)| Some((index, run, run.bench()?)))
}

/// The last bench.
pub(super) fn card(history: &History) -> Markup {
    let mut newest = readings(history).rev();
    let Some((_, run, last)) = newest.next() else { return html! {} };
    let speed = last.nps.map(|nps| format!("{} nps", format::grouped(nps)));
    let before = newest.next().map(|(.., before)| {
        if before.nodes == last.nodes {
            "node count as in the run before".to_owned()
        } else {
            format!("{} nodes in the run before", format::grouped(before.nodes))
        }
    });
    let speed = speed.map_or_else(|| date(run.time), |speed| format!("{speed}, {}", date(run.time)));
    let notes: Vec<String> = std::iter::once(speed).chain(before).collect();
    let figure = format!("{} nodes", format::grouped(last.nodes));
    figure_card("Bench", &figure, &notes)
}

/// The speed on each machine, and every bench.
pub(super) fn section(history: &History) -> Markup {
    if !exists(history) {
        return html! {};
    }
    let row = |(_, run, bench): (usize, &HistoryRun, BenchReading)| {
        let range = bench
            .runs
            .map(|runs| format!("{} to {}", format::grouped(runs.slowest), format::grouped(runs.fastest)));
        vec![
            label(run),
            date(run.time),
            format::grouped(bench.nodes),
            bench.nps.map(format::grouped).unwrap_or_default(),
            range.unwrap_or_default(),
            run.machine.clone().unwrap_or_default(),
        ]
    };
    let columns = ["run", "date", "nodes", "nodes per second", "slowest to fastest", "machine"];
    html! {
        h2 id="bench" { "Bench and speed" }
        (plot(history))
        (long_table("Bench, newest first", &columns, readings(history).rev().map(row).collect()))
    }
}

/// A curve for each machine that ran more than one bench with a speed.
fn plot(history: &History) -> Markup {
    let mut machines: BTreeMap<Option<&str>, Vec<SeriesPoint>> = BTreeMap::new();
    for (index, run, bench) in readings(history) {
        let Some(nps) = bench.nps else { continue };
        let thousand = |nps: u64| nps as f64 / 1000.0;
        machines.entry(run.machine.as_deref()).or_default().push(SeriesPoint {
            run: index,
            value: thousand(nps),
            ends: bench.runs.map(|runs| [thousand(runs.slowest), thousand(runs.fastest)]),
            title: format!("{} {}: {} nps", date(run.time), label(run), format::grouped(nps)),
        });
    }
    machines.retain(|_, points| points.len() > 1);
    if machines.is_empty() {
        return html! {};
    }
    let names: Vec<&str> = machines.keys().map(|machine| machine.unwrap_or("machine not recorded")).collect();
    let series: Vec<(usize, Vec<SeriesPoint>)> = machines.values().cloned().enumerate().collect();
    let plot = SeriesPlot {
        text: "Speed of the bench in each run, in thousand nodes per second",
        unit: "thousand nodes per second",
        dates: &history.dates(),
        changes: &history.changes_of(|subject| matches!(subject, Subject::BenchSpeed { .. })),
        includes: None,
        size: PlotSize::Full,
    };
    html! {
        (plot.draw(&series))
        (svg::legend(names.into_iter().enumerate()))
        p class="faint" {
            "Dots: the median of the runs of a bench; lines: from the slowest to the fastest. Speeds of different machines are "
            "not comparable."
        }
    }
}
