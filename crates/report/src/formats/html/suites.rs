//! Suites on the page: rates, classes, what differs from another engine, and the cases.

use maud::{Markup, html};

use super::case_states::{CaseState, JudgedSuite};
use super::cases::CaseCard;
use super::table::{marked_up, table};
use super::{classes, format, groups, most_cases};
use crate::model::counts;
use crate::model::p_adjust;
use crate::model::paired_comparison::Wording;
use crate::model::report::{Difference, PairedComparison, Report, SuitePart, ThresholdResult};
use crate::words::anchor;

/// Every suite with its cases, and the bar that filters them.
pub(super) fn cases(suites: &[JudgedSuite<'_>]) -> Markup {
    let all: usize = suites.iter().map(|suite| suite.part.cases.len()).sum();
    html! {
        @if !suites.is_empty() {
            h2 id="cases" { "Cases" }
            (filter(suites))
            @for suite in suites { (one(suite, all)) }
        }
    }
}

/// The filter; only the page's script shows it.
fn filter(suites: &[JudgedSuite<'_>]) -> Markup {
    let count = |state| suites.iter().map(|suite| suite.count(state)).sum::<usize>();
    html! {
        form class="filter" id="filter" hidden {
            label { "Suite " select name="suite" {
                option value="" { "all" }
                @for suite in suites { option value=(anchor::suite(suite.part)) { (title(suite.part, suites)) } }
            } }
            fieldset {
                legend { "Verdict" }
                @for &state in CaseState::ALL.iter().filter(|&&state| count(state) > 0) {
                    label { input type="checkbox" name="state" value=(state); " " (state.words()) " (" (count(state)) ")" }
                }
            }
            label { "Text " input type="search" name="text" placeholder="id, class, move, reason"; }
            button type="reset" { "Show all" }
            output {}
        }
    }
}

/// The suite's title, with its engine where there are several.
fn title(part: &SuitePart, suites: &[JudgedSuite<'_>]) -> String {
    if suites.iter().any(|suite| suite.part.engine != part.engine) {
        format!("{}, {}", part.title, part.engine)
    } else {
        part.title.clone()
    }
}

fn one(suite: &JudgedSuite<'_>, all: usize) -> Markup {
    let part = suite.part;
    html! {
        section class="suite-cases" id=(anchor::suite(part)) {
            h3 { (part.title) " " span class="faint" { (part.engine) ", " (part.limits) } }
            @if !part.summary.is_empty() { p { (part.summary) } }
            p {
                b { "Result: " (part.tally()) } ". "
                @if part.rate().trials() > 0 { "Rate: " (format::share(part.rate())) ". " }
                @if let Some(claim) = format::flawless(part.rate()) { (claim) " " }
                @if let Some(text) = counts::describe(part) { "Counted: " (text) ". " }
                (thresholds(part))
            }
            @if let Some(comparison) = suite.comparison.filter(|it| it.lost.len() + it.gained.len() > 0) {
                p { (comparison.describe()) }
            }
            @if let Some(comparison) = suite.comparison { (unmatched(comparison)) }
            (classes::section(suite))
            @for &state in CaseState::ALL { (group(suite, state, all)) }
        }
    }
}

fn thresholds(part: &SuitePart) -> Markup {
    let missed: Vec<&str> = part.thresholds.iter().filter_map(ThresholdResult::missed_by).collect();
    html! {
        @if part.is_unchecked() || part.thresholds.is_empty() {
        } @else if missed.is_empty() {
            "Thresholds: " span class="good" { "met" } "."
        } @else {
            b class="bad" { "Below threshold: " (missed.join("; ")) "." }
        }
    }
}

/// Cases that only one side has.
fn unmatched(comparison: &PairedComparison) -> Markup {
    html! {
        @for (label, ids) in [("New cases", &comparison.only_ours), ("Cases missing", &comparison.only_theirs)] {
            @if !ids.is_empty() {
                details { summary { (label) ": " (ids.len()) } p { (format::listed(ids)) "." } }
            }
        }
    }
}

/// Cases of a state above which their group is closed.
const MOST_OPEN: usize = 60;

/// The cases of one state: listed if the reader looks for them, else in a group that opens.
fn group(suite: &JudgedSuite<'_>, state: CaseState, all: usize) -> Markup {
    let count = suite.count(state);
    let heading = match state {
        CaseState::KnownFailure => format!("{} that the baseline fails too", format::count(count, "case")),
        state => format!("{} {}", format::count(count, "case"), state.words()),
    };
    let is_open = most_cases::is_notable(state) && count <= MOST_OPEN;
    // Other cases are listed only on a page with few cases, so they need no limit.
    let limit = if most_cases::is_notable(state) { most_cases::NOTABLE } else { usize::MAX };
    let more = count.saturating_sub(limit);
    html! {
        @if count > 0 && most_cases::is_listed(state, all) {
            details class="group" open[is_open] {
                summary { (heading) }
                (cards(suite, state, all, limit))
                @if more > 0 { p class="faint" { (more) " more are in cases.csv." } }
            }
        } @else if count > 0 {
            p class="faint" { (heading) ": see cases.csv." }
        }
    }
}

fn cards(suite: &JudgedSuite<'_>, wanted: CaseState, all: usize, limit: usize) -> Markup {
    let baseline = suite.baseline_verdicts();
    let cases = suite.cases().filter(|(_, state)| *state == wanted).take(limit);
    html! {
        @for (case, state) in cases {
            (CaseCard {
                case,
                state,
                anchor: anchor::case(suite.part, &case.id),
                lost_case: suite.part.lost_case,
                baseline: baseline.get(case.id.as_str()).copied(),
                has_board: most_cases::has_board(state, all),
            }.draw())
        }
    }
}

/// Suites that several engines ran: the cases that only one of them passes.
pub(super) fn rivalries(report: &Report) -> Markup {
    let rivalries = report.rivalries();
    let (differing, equal): (Vec<_>, Vec<_>) =
        rivalries.iter().partition(|rivalry| rivalry.lost.len() + rivalry.gained.len() > 0);
    let equal: Vec<String> = equal
        .iter()
        .map(|rivalry| format!("{} ({} and {})", rivalry.suite, rivalry.ours, rivalry.theirs))
        .collect();
    html! {
        @if !rivalries.is_empty() {
            h2 id="engines" { "The same cases, another engine" }
            p class="faint" { (p_adjust::PAIRED) }
            @for rivalry in &differing { (comparison(rivalry, &Wording::RIVAL)) }
            @if !equal.is_empty() { p { "No case differs in " (format::listed(&equal)) "." } }
            @if !differing.is_empty() { (groups::adjusted_tests(&rivalries)) }
            (groups::solved_nodes(&rivalries))
        }
    }
}

/// What differs between two engines, both ways.
fn comparison(comparison: &PairedComparison, wording: &Wording) -> Markup {
    let [ours, theirs] = wording.sides;
    html! {
        h3 { (comparison.suite) ": " (comparison.ours) " against " (comparison.theirs) }
        p { (comparison.describe()) }
        @for (cases, caption) in [(&comparison.lost, wording.lost), (&comparison.gained, wording.gained)] {
            @if !cases.is_empty() {
                details open[cases.len() <= 12] {
                    summary { (caption) ": " (cases.len()) }
                    (differences(cases, caption, [ours, theirs]))
                }
            }
        }
        (unmatched(comparison))
    }
}

fn differences(cases: &[Difference], caption: &str, [ours, theirs]: [&str; 2]) -> Markup {
    let row = |case: &Difference| {
        vec![
            html! { code { (case.id) } },
            html! { (case.class) },
            html! { (case.ours) },
            html! { (case.theirs) },
        ]
    };
    marked_up(caption, &["case", "class", ours, theirs], cases.iter().map(row))
}

/// Rates, thresholds and limits of all suites, in a table.
pub(super) fn overview(suites: &[SuitePart]) -> Markup {
    let columns = ["suite", "engine", "result", "rate, 95 % (Wilson)", "limits"];
    let rows = suites.iter().map(|part| {
        let of_part = [&part.title, &part.engine, &part.tally(), &format::share(part.rate()), &part.limits];
        of_part.map(Clone::clone).to_vec()
    });
    html! {
        @if !suites.is_empty() {
            details { summary { "Pass rates of all suites" } (table("Pass rates of all suites", &columns, rows)) }
        }
    }
}
