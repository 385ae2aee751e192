//! The history on one page for a browser: the last run, changes and flaky cases first, then Elo, bench and
//! suites with their plots. The page needs no script and loads nothing.

mod elo;
mod speed;
mod suites;

use maud::{Markup, html};

use super::changes::ALPHA;
use super::{Change, FlakyCase, History, HistoryRun};
use crate::format;
use crate::formats::html::{document, table};
use threefold_games::calendar::date;
use threefold_stats::change_point::{FEWEST, PERMUTATIONS};

/// A table of more rows is collapsed (`<details>`).
const MOST_ROWS: usize = 12;

impl History {
    /// The page, as the text of one HTML file.
    pub fn page(&self) -> String {
        let engine = self.runs.iter().find_map(|run| run.engine.as_deref());
        let title = engine.map_or_else(|| "History".to_owned(), |engine| format!("History of {engine}"));
        let content = html! {
            h1 { (title) }
            p class="faint" { (self.extent()) }
            div class="cards" { (suites::card(self)) (speed::card(self)) (elo::card(self)) }
            (self.contents())
            (self.changes_section())
            (self.flaky_section())
            (elo::section(self))
            (speed::section(self))
            (suites::section(self))
            (self.runs_section())
        };
        document(&title, &content)
    }

    /// The number of runs, and their first and last day.
    fn extent(&self) -> String {
        let number = format::count(self.runs.len(), "run");
        match (self.runs.first(), self.runs.last()) {
            (Some(first), Some(last)) if self.runs.len() > 1 => {
                format!("{number} from {} to {}", date(first.time), date(last.time))
            }
            (Some(only), _) => format!("{number}, {}", date(only.time)),
            (None, _) => number,
        }
    }

    fn contents(&self) -> Markup {
        html! {
            nav aria-label="Contents" {
                a href="#changes" { "Changes" }
                a href="#flaky" { "Flaky cases" }
                @if elo::exists(self) { a href="#elo" { "Elo" } }
                @if speed::exists(self) { a href="#bench" { "Bench" } }
                @if !self.suites().is_empty() { a href="#suites" { "Suites" } }
                a href="#runs" { "Runs" }
            }
        }
    }

    fn changes_section(&self) -> Markup {
        let row = |change: &Change| {
            let run = &self.runs[change.run];
            vec![
                label(run),
                date(run.time),
                change.subject.to_string(),
                change.what.clone(),
                change.test.clone(),
            ]
        };
        let columns = ["first run after it", "date", "of", "change", "test"];
        html! {
            h2 id="changes" { "Changes" }
            @if self.changes.is_empty() { p { "No significant change." } }
            @else { (table("Changes, newest first", &columns, self.changes.iter().rev().map(row))) }
            p class="faint" {
                "A history without any change shows one with a probability of at most "
                (format::percent(ALPHA)) " (Bonferroni over all tests). Suites: each run against the one before, McNemar's exact "
                "test. Speed on one machine, and Elo against one opponent: cumulative sums of ranks, "
                (format::grouped(u64::from(PERMUTATIONS))) " random orders, from " (FEWEST) " runs on. Node counts have no noise."
            }
        }
    }

    fn flaky_section(&self) -> Markup {
        let row = |case: &FlakyCase| {
            let verdicts: Vec<String> =
                case.verdicts.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            vec![
                format!("{}/{}", case.name.suite, case.name.id),
                verdicts.join(", "),
                short_build(&case.build),
            ]
        };
        let columns = ["case", "verdicts of the same build", "build"];
        html! {
            h2 id="flaky" { "Flaky cases" }
            @if !self.flaky.is_empty() {
                (table("Flaky cases", &columns, self.flaky.iter().map(row)))
            } @else {
                p { (self.no_flaky_case()) }
            }
        }
    }

    fn runs_section(&self) -> Markup {
        let row = |run: &HistoryRun| {
            let build = run.build.as_deref().map(short_build);
            let machine = run.machine.clone().unwrap_or_default();
            vec![label(run), date(run.time), run.source.clone(), build.unwrap_or_default(), machine]
        };
        let columns = ["run", "date", "source", "build", "machine"];
        html! {
            h2 id="runs" { "Runs" }
            (long_table("Runs, newest first", &columns, self.runs.iter().rev().map(row).collect()))
        }
    }

    /// The day of each run.
    fn dates(&self) -> Vec<String> {
        self.runs.iter().map(|run| date(run.time)).collect()
    }
}

/// The name of a run on the page: its commit, or the file or folder that it comes from.
fn label(run: &HistoryRun) -> String {
    let Some(commit) = &run.commit else { return run.source.clone() };
    let changed = if commit.ends_with("-dirty") { ", changed" } else { "" };
    format!("{}{changed}", commit.get(..7).unwrap_or(commit))
}

/// The beginning of a build's checksum or name.
fn short_build(build: &str) -> String {
    build.get(..12).unwrap_or(build).to_owned()
}

/// A table that is collapsed if it is long.
fn long_table(caption: &str, columns: &[&str], rows: Vec<Vec<String>>) -> Markup {
    if rows.len() <= MOST_ROWS {
        return table(caption, columns, rows);
    }
    let number = format::count(rows.len(), "row");
    html! { details { summary { (caption) ": " (number) } (table(caption, columns, rows)) } }
}

/// A number with what it is, for the head of the page.
fn figure_card(heading: &str, figure: &str, notes: &[String]) -> Markup {
    html! {
        article class="card" {
            h2 { (heading) }
            p class="figure" { (figure) }
            @for note in notes { p { (note) } }
        }
    }
}

#[cfg(test)]
mod tests;
