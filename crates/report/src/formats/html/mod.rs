//! `index.html`: the run on one self-contained page, without fonts or network access. It begins with the
//! answer.
//!
//! Everything is there without the script, which adds the filter, the steps through a case's moves, and a
//! button that copies a FEN.

mod case_states;
mod cases;
mod classes;
mod differences;
mod groups;
mod matches;
mod most_cases;
mod overview;
mod policies;
mod suites;
mod table;
mod takes;
mod tournament;
mod traffic;
mod tuning;
mod two_moves;
mod warnings;

#[cfg(test)]
mod browser_tests;

pub(crate) use policies::signatures;
pub(crate) use table::marked_up;
pub use table::table;
pub(crate) use two_moves::TwoMoves;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::formats::svg;
use crate::model::figures::budget_note;
use crate::model::multiple_comparisons::MultipleComparisons;
use crate::model::report::{Baseline, PairedComparison, Report, TournamentRounds};
use crate::model::time_losses;
use crate::words::build_list;
use crate::{ReportFormat, format};
use case_states::JudgedSuite;

/// The table's line.
pub(crate) const FORMAT: ReportFormat = ReportFormat {
    name: "html",
    file: "index.html",
    summary: "the run on one page, with plots and board diagrams",
    stream: None,
    render: |report| Ok(document(&report.title, &page(report)).into_bytes()),
};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("page.js");
/// Nothing is loaded from anywhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// Names come from outside and may hold anything; control characters are replaced by visible ones.
fn visible(page: &str) -> String {
    page.chars()
        .map(|character| if character == '\n' { character } else { format::picture(character) })
        .collect()
}

/// A self-contained page.
pub fn document(title: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { main { (content) } }
        }
    };
    visible(&page.into_string())
}

fn page(report: &Report) -> Markup {
    let suites = JudgedSuite::all(report);
    html! {
        h1 { (report.title) }
        (overview::verdict(report, &suites))
        (overview::match_cards(report))
        (overview::suite_rows(&suites))
        @for bench in &report.benches { p { (bench.describe(&report.environment)) } }
        @if report.faults().is_empty() { p class="faint" { "No engine faults." } }
        (contents(report))
        (signatures(report))
        (suites::cases(&suites))
        (matches::all(report))
        @if let Some(combined) = MultipleComparisons::from_report(report) { p { (combined.describe()) } }
        (suites::rivalries(report))
        @if !report.suites.is_empty() { (baseline(report)) }
        (faults(report))
        (warnings::section(report))
        (reproduction(report))
        (svg::shapes())
        // Last, since it runs where it is, and needs the elements before it.
        script { (PreEscaped(SCRIPT)) }
    }
}

fn contents(report: &Report) -> Markup {
    html! {
        nav aria-label="Contents" {
            @match &report.tournament {
                Some(TournamentRounds::Knockout(_)) => a href="#bracket" { "Bracket" },
                Some(TournamentRounds::Swiss(_)) => a href="#standings" { "Standings" },
                None => {}
            }
            @if report.takes.is_some() { a href="#takes" { "Takes" } }
            @if !report.suites.is_empty() { a href="#cases" { "Cases" } }
            @if report.is_swiss() {
                a href="#encounters" { "Encounters" }
            } @else {
                @for (index, part) in report.matches.iter().enumerate() {
                    a href=(format!("#{}", matches::anchor(index))) { (part.name) }
                }
            }
            @if !report.suites.is_empty() { a href="#baseline" { "Baseline" } }
            @if !report.faults().is_empty() { a href="#faults" { "Engine faults" } }
            @if !report.warnings().is_empty() { a href="#warnings" { "Warnings" } }
            a href="#reproduce" { "How to reproduce" }
        }
    }
}

fn baseline(report: &Report) -> Markup {
    html! {
        h2 id="baseline" { "Baseline" }
        @match &report.baseline {
            Baseline::Absent(why) => p class="faint" { "Not compared: " (why) "." },
            Baseline::Compared { suites, figures, other_budgets, known: _, coverage: _ } => {
                @let compared: usize = suites.iter().map(PairedComparison::compared).sum();
                @let lost: usize = suites.iter().map(|comparison| comparison.lost.len()).sum();
                @let gained: usize = suites.iter().map(|comparison| comparison.gained.len()).sum();
                p {
                    (format::count(compared, "case")) " in " (format::count(suites.len(), "suite")) " compared: "
                    (lost) " newly failing, " (gained) " newly passing. Skipped cases are not compared."
                }
                @for budget in other_budgets { p class="faint" { (budget_note(budget)) } }
                (groups::adjusted_tests(suites))
                (groups::solved_nodes(suites))
                @let differing: Vec<_> = figures.iter().filter(|figure| figure.was != figure.now).collect();
                @if !differing.is_empty() {
                    @let rows = differing.into_iter().map(|figure| {
                        vec![figure.name.to_string(), format::figure(figure.was), format::figure(figure.now)]
                    });
                    (table("Figures that differ", &["figure", "baseline", "this run"], rows))
                }
            }
        }
        (suites::overview(&report.suites))
    }
}

fn faults(report: &Report) -> Markup {
    let rows = report.fault_groups().into_iter().map(|fault| {
        let place = fault.log.as_ref().map(|place| format!("; see {place}")).unwrap_or_default();
        vec![fault.engine.clone(), fault.part.clone(), fault.occurrences(), format!("{}{place}", fault.what)]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    html! {
        @if !rows.is_empty() {
            h2 id="faults" { "Engine faults" }
            @if let Some(flags) = time_losses::summary(&report.matches) { p { (flags) } }
            (table("Engine faults", &["engine", "part", "place", "fault"], rows))
            (traffic::of_faults(report))
        }
    }
}

fn reproduction(report: &Report) -> Markup {
    let rows = report.engines.iter().map(|entrant| {
        vec![
            html! { (entrant.name) },
            html! { code { (entrant.spec) } },
            html! { (build_list::builds(&entrant.builds)) },
        ]
    });
    html! {
        h2 id="reproduce" { "How to reproduce" }
        @if !report.command.is_empty() { p { code { (report.command) } ", seed " (report.seed) "." } }
        (marked_up("Engines", &["engine", "SPEC", "build"], rows))
        p class="faint" {
            "Results under node limits or virtual clocks are the same on any machine and with any number of jobs. Results "
            "on wall clocks vary."
        }
        @if !report.machine.is_empty() { p class="faint" { "Run on " (report.machine) "." } }
        @let environment = report.environment.rows();
        @if !environment.is_empty() { (table("Environment", report.environment.columns(), environment)) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::model::fixture;
    use crate::words::headline::Acceptance;

    fn rendered(report: &Report) -> String {
        String::from_utf8((FORMAT.render)(report).expect("renders")).expect("UTF-8")
    }

    #[test]
    fn html_page_is_self_contained() {
        let page = rendered(&fixture::report());
        for trace in ["http:", "https:", "src=", "url(", "@import", "<link"] {
            assert!(!page.contains(trace), "{trace}");
        }
        for id in [
            "baseline",
            "suites",
            "match-0",
            "faults",
            "reproduce",
            "cases",
            "suite-repetition",
            "suite-mate-old-dc2f7c69",
            "case-repetition--dawdle",
        ] {
            assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
        }
    }

    #[test]
    fn anchors_are_unique_and_links_have_targets() {
        let page = rendered(&fixture::report());
        let after = |mark: &str| -> Vec<String> {
            page.split(mark).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
        };
        let ids = after(" id=\"");
        let unique: BTreeSet<&String> = ids.iter().collect();
        assert_eq!(unique.len(), ids.len(), "{ids:?}");
        for link in after("href=\"#") {
            assert!(unique.contains(&link), "#{link} leads nowhere");
        }
    }

    #[test]
    fn links_of_other_files_have_targets() {
        let report = fixture::report();
        let page = rendered(&report);
        for format in crate::FORMATS.iter().filter(|format| ["markdown", "junit"].contains(&format.name)) {
            let text = String::from_utf8((format.render)(&report).expect("renders")).expect("UTF-8");
            let links: BTreeSet<&str> = text
                .split("index.html#")
                .skip(1)
                .filter_map(|rest| rest.split([')', '"', '<', '\n', ' ']).next())
                .collect();
            assert!(links.contains("case-repetition--dawdle"), "{}: {links:?}", format.name);
            for link in links {
                assert!(page.contains(&format!("id=\"{link}\"")), "{}: #{link}", format.name);
            }
        }
    }

    #[test]
    fn page_begins_with_the_answer() {
        let page = rendered(&fixture::report());
        let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is missing"));
        let order = [
            "2 verdicts worse than in the baseline",
            "class=\"figure\">Elo ",
            "class=\"llr\"",
            "class=\"squares\"",
            "id=\"filter\"",
            "id=\"case-repetition--dawdle\"",
            "id=\"match-0\"",
        ];
        assert!(order.map(place).is_sorted(), "{:?}", order.map(place));
        for absent in ["Newly failing: none", "not set", "No failure in 0"] {
            assert!(!page.contains(absent), "what is not there is not named: {absent}");
        }
    }

    #[test]
    fn headline_is_green_only_for_accepted_runs() {
        for name in Acceptance::ALL.iter().map(|acceptance| acceptance.name()).chain([overview::DOUBTFUL]) {
            assert!(STYLE.contains(&format!(".verdict.{name}")), "{name} has no colour");
        }
        let mut report = fixture::report();
        assert_eq!(overview::colour(&report), "refused");
        report.failure_reasons.clear();
        report.suites.clear();
        if let Baseline::Compared { coverage, .. } = &mut report.baseline {
            coverage.retain(|suite| suite.compared.is_ok());
        }
        // A test that spent its games undecided, and a game lost by a fault.
        report.matches.truncate(1);
        assert_eq!((report.acceptance(), overview::colour(&report)), (Acceptance::Accepted, "doubtful"));
        report.matches.clear();
        report.comparison = threefold_run::job::ComparisonUse::Optional;
        assert_eq!(overview::colour(&report), "accepted");
    }

    #[test]
    fn external_names_are_escaped() {
        let mut report = fixture::report();
        let name = "<script>\"x\"&\0\u{1b}[1m\u{202e}";
        report.engines[0].name = name.to_owned();
        report.suites[0].cases[0].engine = name.to_owned();
        report.suites[0].engine = name.to_owned();
        report.title = name.to_owned();
        let page = rendered(&report);
        assert!(page.contains("<h1>&lt;script&gt;&quot;x&quot;&amp;␀␛[1m\u{fffd}</h1>"));
        assert_eq!(page.matches("<script").count(), 1, "the page's own");
        assert!(!page.contains(|c: char| c.is_control() && c != '\n'));
    }
}
