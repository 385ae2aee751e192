//! The Elo that matches measured: against the last release, and of each run against its opponent.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::{figure_card, label, long_table};
use crate::format;
use crate::formats::svg::{PlotSize, SeriesPlot, SeriesPoint};
use crate::history::{History, HistoryRun, Subject};
use threefold_games::calendar::date;
use threefold_run::MeasuredElo;

/// A measured difference with the index of its run.
type Measured<'h> = (usize, &'h HistoryRun, &'h MeasuredElo);

/// Does any run have one?
pub(super) fn exists(history: &History) -> bool {
    history.runs.iter().any(|run| !run.elo.is_empty())
}

/// The last difference to a release; if there is none, the last of any.
pub(super) fn card(history: &History) -> Markup {
    let newest = || history.runs.iter().rev().flat_map(|run| run.elo.values().map(move |elo| (run, elo)));
    let to_release = newest().find(|(_, elo)| history.release(elo).is_some());
    let Some((run, measured)) = to_release.or_else(|| newest().next()) else { return html! {} };
    let what = if history.release(measured).is_some() { "release " } else { "" };
    let heading = format!("Elo against {what}{}", history.opponent(measured));
    let range = format::range([measured.elo.low, measured.elo.high]);
    let games = format::count(measured.games as usize, "game");
    let notes = [format!("95 % interval {range}"), format!("{games}, {}", date(run.time))];
    figure_card(&heading, &format::plus_minus(measured.elo), &notes)
}

/// A plot and a table for each match of the runs.
pub(super) fn section(history: &History) -> Markup {
    let parts: BTreeSet<&String> = history.runs.iter().flat_map(|run| run.elo.keys()).collect();
    html! {
        @if !parts.is_empty() {
            h2 id="elo" { "Elo" }
            @for part in parts { (of_part(history, part)) }
            p class="faint" {
                "Logistic Elo of each run's engine minus its opponent, with 95 % intervals; those of sequential tests allow for "
                "the stop. A release is an opponent whose commit has a tag."
            }
        }
    }
}

fn of_part(history: &History, part: &str) -> Markup {
    let measured: Vec<Measured<'_>> = (history.runs.iter().enumerate())
        .filter_map(|(index, run)| Some((index, run, run.elo.get(part)?)))
        .collect();
    let opponents: BTreeSet<&str> = measured.iter().map(|(.., elo)| history.opponent(elo)).collect();
    let against = match opponents.first() {
        Some(only) if opponents.len() == 1 => (*only).to_owned(),
        _ => "the opponent of each run".to_owned(),
    };
    let row = |&(_, run, elo): &Measured<'_>| {
        vec![
            label(run),
            date(run.time),
            history.opponent(elo).to_owned(),
            format::logistic(elo.elo),
            format::grouped(elo.games),
        ]
    };
    let columns = ["run", "date", "opponent", "Elo (95 %)", "games"];
    html! {
        h3 { (part) span class="faint" { " against " (against) } }
        (plot(history, part, &measured))
        (long_table(&format!("Elo of {part}, newest first"), &columns, measured.iter().rev().map(row).collect()))
    }
}

fn plot(history: &History, part: &str, measured: &[Measured<'_>]) -> Markup {
    if measured.len() < 2 {
        return html! {};
    }
    let point = |&(run, source, elo): &Measured<'_>| {
        let title = format!(
            "{} {} against {}: {}",
            date(source.time),
            label(source),
            history.opponent(elo),
            format::logistic(elo.elo)
        );
        let ends = Some([elo.elo.low.0, elo.elo.high.0]);
        SeriesPoint { run, value: elo.elo.value.0, ends, title }
    };
    let of_this = |subject: &Subject| matches!(subject, Subject::Elo { part: of, .. } if of == part);
    let plot = SeriesPlot {
        text: &format!("Elo of {part} in each run, with 95 % intervals"),
        unit: "Elo, with 95 % interval",
        dates: &history.dates(),
        changes: &history.changes_of(of_this),
        includes: Some(0.0),
        size: PlotSize::Full,
    };
    plot.draw(&[(0, measured.iter().map(point).collect())])
}
