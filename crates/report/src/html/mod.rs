//! `index.html`: the run on one self-contained page, without scripts, fonts or network access.

mod cases;
mod groups;
mod matches;
mod suites;
mod traffic;

pub(super) use suites::signatures;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::build_list;
use super::figures::budget_note;
use super::headline::Acceptance;
use super::model::{Baseline, MatchResult, Report};
use super::multiple_tests::MultipleTests;
use super::paired_comparison::Wording;
use super::{ReportFormat, format, time_losses};

/// The table's line.
pub(super) const FORMAT: ReportFormat = ReportFormat {
    name: "html",
    file: "index.html",
    summary: "the run on one page, with plots and board diagrams",
    render: |report| Ok(document(&report.title, &page(report)).into_bytes()),
};

const STYLE: &str = include_str!("style.css");

/// Names come from outside and may hold anything; control characters are replaced by visible ones.
fn visible(page: &str) -> String {
    page.chars()
        .map(|character| if character == '\n' { character } else { format::picture(character) })
        .collect()
}

/// A table whose first column names the rows.
pub fn table(columns: &[impl AsRef<str>], rows: impl IntoIterator<Item = Vec<String>>) -> Markup {
    html! {
        div class="scroll" {
            table {
                tr { @for column in columns { th { (column.as_ref()) } } }
                @for row in rows { tr { @for cell in row { td { (cell) } } } }
            }
        }
    }
}

/// A self-contained page.
pub fn document(title: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { main { (content) } }
        }
    };
    visible(&page.into_string())
}

fn page(report: &Report) -> Markup {
    html! {
        h1 { (report.title) }
        (verdict(report))
        (tiles(report))
        (contents(report))
        (baseline(report))
        (suites::section(report))
        @for (index, part) in report.matches.iter().enumerate() { (matches::section(index, part)) }
        @if let Some(combined) = MultipleTests::of(report) { p { (combined.describe()) } }
        (faults(report))
        (reproduction(report))
    }
}

/// The colour class of the headline: green only if nothing is undecided or faulty.
fn colour(report: &Report) -> &'static str {
    match report.acceptance() {
        Acceptance::Accepted if report.is_doubtful() => DOUBTFUL,
        acceptance => acceptance.name(),
    }
}

/// An accepted run with an undecided test or engine faults.
const DOUBTFUL: &str = "doubtful";

fn verdict(report: &Report) -> Markup {
    html! {
        div class=(format!("verdict {}", colour(report))) {
            strong { (report.headline()) }
            @if !report.complaints.is_empty() {
                ul {
                    @for complaint in &report.complaints {
                        li { (complaint.kind) " in " (complaint.part) ": " (complaint.what) }
                    }
                }
            }
            @let unfinished = report.unfinished();
            @if !unfinished.is_empty() {
                ul { @for (part, done, planned) in unfinished { li { (part) ": " (done) " of " (planned) " done" } } }
            }
        }
    }
}

/// One figure and its meaning.
fn tile(figure: &str, meaning: &str) -> Markup {
    html! { div class="tile" { b { (figure) } span { (meaning) } } }
}

fn tiles(report: &Report) -> Markup {
    let (passed, asked) = report.cases();
    html! {
        div class="tiles" {
            @if asked > 0 { (tile(&format!("{passed}/{asked}"), "cases passed")) }
            @if let Baseline::Compared { suites, .. } = &report.baseline {
                @let lost: usize = suites.iter().map(|comparison| comparison.lost.len()).sum();
                @let gained: usize = suites.iter().map(|comparison| comparison.gained.len()).sum();
                (tile(&format!("-{lost} +{gained}"), "newly failing and newly passing cases"))
            }
            @for part in &report.matches {
                @match &part.result {
                    MatchResult::Test(test) => {
                        @let llr = test.path.last().copied().unwrap_or_default();
                        (tile(&format!("LLR {llr:+.2}"), &format!("{}: {}", part.name, test.standing)))
                    }
                    MatchResult::Duel(duel) => {
                        @let elo = duel.fixed.map_or_else(|| "-".to_owned(), |it| format::tenths(it.logistic.value.0));
                        (tile(&elo, &format!("logistic Elo, {}", duel.point_of_view())))
                    }
                    MatchResult::Ratings(Ok(ratings)) => {
                        (tile(&ratings.len().to_string(), &format!("{}: engines rated", part.name)))
                    }
                    MatchResult::Ratings(Err(_)) | MatchResult::Table => {}
                }
            }
            (tile(&report.faults().len().to_string(), "engine faults"))
        }
    }
}

fn contents(report: &Report) -> Markup {
    html! {
        nav {
            a href="#baseline" { "Against the baseline" }
            @if !report.suites.is_empty() { a href="#suites" { "Suites" } }
            @for (index, part) in report.matches.iter().enumerate() {
                a href=(format!("#match-{index}")) { (part.name) }
            }
            a href="#faults" { "Engine faults" }
            a href="#reproduce" { "How to reproduce" }
        }
    }
}

fn baseline(report: &Report) -> Markup {
    html! {
        h2 id="baseline" { "Against the baseline" }
        @match &report.baseline {
            Baseline::Absent(why) => p class="faint" { "Not compared: " (why) "." },
            Baseline::Compared { suites, figures, other_budgets, known: _ } => {
                @for budget in other_budgets { p class="faint" { (budget_note(budget)) } }
                @for comparison in suites { (suites::comparison(comparison, &Wording::BASELINE)) }
                (groups::adjusted_tests(suites))
                @if figures.iter().any(|figure| figure.was != figure.now) {
                    h3 { "Figures that differ" }
                    div class="scroll" {
                        table {
                            tr { th { "figure" } th class="number" { "baseline" } th class="number" { "this run" } }
                            @for figure in figures.iter().filter(|figure| figure.was != figure.now) {
                                tr {
                                    td { (figure.name.to_string()) }
                                    td class="number" { (format::figure(figure.was)) }
                                    td class="number" { (format::figure(figure.now)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn faults(report: &Report) -> Markup {
    let faults = report.fault_groups();
    html! {
        h2 id="faults" { "Engine faults" }
        @if faults.is_empty() {
            p { "None." }
        } @else {
            @if let Some(flags) = time_losses::summary(&report.matches) { p { (flags) } }
            div class="scroll" {
                table {
                    tr { th { "engine" } th { "part" } th { "place" } th { "fault" } }
                    @for fault in faults {
                        tr {
                            td { (fault.engine) } td { (fault.part) } td { (fault.occurrences()) }
                            td { (fault.what) @if let Some(place) = fault.log { "; see " (place) } }
                        }
                    }
                }
            }
            (traffic::of_faults(report))
        }
    }
}

fn reproduction(report: &Report) -> Markup {
    html! {
        h2 id="reproduce" { "How to reproduce" }
        @if !report.command.is_empty() { p { code { (report.command) } ", seed " (report.seed) "." } }
        div class="scroll" {
            table {
                tr { th { "engine" } th { "SPEC" } th { "build" } }
                @for entrant in &report.entrants {
                    tr {
                        td { (entrant.name) }
                        td { code { (entrant.spec) } }
                        td { (build_list::builds(&entrant.builds)) }
                    }
                }
            }
        }
        p class="faint" {
            "Results under node limits or virtual clocks are the same on any machine and with any number of jobs. Results "
            "on wall clocks vary."
        }
        @if !report.machine.is_empty() {
            p class="faint" { "Run on " (report.machine) "." }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    fn rendered(report: &Report) -> String {
        String::from_utf8((FORMAT.render)(report).expect("renders")).expect("UTF-8")
    }

    #[test]
    fn html_page_is_self_contained() {
        let page = rendered(&fixture::report());
        for trace in ["http", "src=", "url(", "@import", "<script", "<link"] {
            assert!(!page.contains(trace), "{trace}");
        }
        for id in ["baseline", "suites", "match-0", "faults", "reproduce"] {
            assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
        }
    }

    #[test]
    fn headline_is_green_only_for_accepted_runs() {
        for name in Acceptance::ALL.iter().map(|acceptance| acceptance.name()).chain([DOUBTFUL]) {
            assert!(STYLE.contains(&format!(".verdict.{name}")), "{name} has no colour");
        }
        let mut report = fixture::report();
        assert_eq!(colour(&report), "refused");
        report.complaints.clear();
        report.suites.clear();
        // A test that spent its games undecided, and a game lost by a fault.
        report.matches.truncate(1);
        assert_eq!((report.acceptance(), colour(&report)), (Acceptance::Accepted, "doubtful"));
        report.matches.clear();
        assert_eq!(colour(&report), "accepted");
    }

    #[test]
    fn external_names_are_escaped() {
        let mut report = fixture::report();
        let name = "<script>\"x\"&\0\u{1b}[1m\u{202e}";
        report.entrants[0].name = name.to_owned();
        report.suites[0].cases[0].engine = name.to_owned();
        report.suites[0].engine = name.to_owned();
        report.title = name.to_owned();
        let page = rendered(&report);
        assert!(page.contains("<h1>&lt;script&gt;&quot;x&quot;&amp;␀␛[1m\u{fffd}</h1>"));
        assert!(!page.contains("<script") && !page.contains(|c: char| c.is_control() && c != '\n'));
    }
}
