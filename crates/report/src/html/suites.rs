//! Suites on the page: rates as a plot and a table, comparisons of engines, and the cases.

use maud::{Markup, html};

use super::super::counts;
use super::super::model::{Difference, PairedComparison, Report, SuitePart};
use super::super::p_adjust;
use super::super::paired_comparison::Wording;
use super::super::signature;
use super::super::svg::{self, LabelledRate};
use super::{cases, format, groups};
use crate::anchor;

/// Everything about the suites of a run.
pub(super) fn section(report: &Report) -> Markup {
    if report.suites.is_empty() {
        return html! {};
    }
    let rivalries = report.rivalries();
    html! {
        h2 id="suites" { "Suites" }
        (overview(&report.suites))
        (svg::pass_rates(&rates(&report.suites)))
        (signatures(report))
        @if !rivalries.is_empty() {
            h2 { "The same cases, another engine" }
            p class="faint" { (p_adjust::PAIRED) }
            @for rivalry in &rivalries {
                (comparison(rivalry, &Wording::RIVAL))
            }
            (groups::adjusted_tests(&rivalries))
        }
        @for part in &report.suites { (one(part)) }
    }
}

/// The signatures of a run, one row each; nothing if there are none.
pub(crate) fn signatures(report: &Report) -> Markup {
    let rows: Vec<_> = report.signatures().map(|(part, reading)| signature::cells(part, reading)).collect();
    html! {
        @if !rows.is_empty() {
            h2 { "Policy signatures" }
            div class="scroll" {
                table {
                    tr { @for column in signature::COLUMNS { th { (column) } } }
                    @for row in &rows { tr { @for cell in row { td { (cell) } } } }
                }
            }
            p class="faint" { (signature::RULE) }
        }
    }
}

fn rates(suites: &[SuitePart]) -> Vec<LabelledRate> {
    let of_part = |part: &SuitePart| {
        let whole = LabelledRate { label: part.title.clone(), rate: part.rate(), rank: "rank-suite" };
        let class =
            |(class, rate): (&str, _)| LabelledRate { label: class.to_owned(), rate, rank: "rank-class" };
        std::iter::once(whole).chain(part.classes().into_iter().map(class)).collect::<Vec<_>>()
    };
    suites.iter().flat_map(of_part).collect()
}

fn overview(suites: &[SuitePart]) -> Markup {
    html! {
        div class="scroll" {
            table {
                tr {
                    th { "suite" } th { "engine" } th class="number" { "passed" } th { "rate, 95 % (Wilson)" }
                    th { "thresholds" } th { "limits" }
                }
                @for part in suites {
                    tr {
                        td { (part.title) }
                        td { (part.engine) }
                        td class="number" { (part.tally()) }
                        td { (format::share(part.rate())) }
                        td { (thresholds(part)) }
                        td { (part.limits) }
                    }
                }
            }
        }
    }
}

fn thresholds(part: &SuitePart) -> Markup {
    let missed: Vec<&str> = part.demands.iter().filter_map(|demand| demand.shortfall.as_deref()).collect();
    html! {
        @if part.demands.is_empty() {
            span class="faint" { "none set" }
        } @else if part.is_skipped() {
            span class="faint" { "not checked" }
        } @else if missed.is_empty() {
            span class="good" { "met" }
        } @else {
            @for shortfall in missed { div class="bad" { (shortfall) } }
        }
    }
}

fn one(part: &SuitePart) -> Markup {
    let unpassed: Vec<_> = part.unpassed().collect();
    html! {
        h3 id=(anchor::suite(part)) { (part.title) ", " (part.engine) }
        @if !part.summary.is_empty() { p { (part.summary) } }
        @if let Some(claim) = format::flawless(part.rate()) { p { (claim) } }
        @if let Some(text) = counts::describe(part) { p { "Counted: " (text) "." } }
        div class="scroll" {
            table {
                tr { th { "verdict" } th { "cause" } th { "meaning" } th class="number" { "cases" } }
                @for (cause, count) in part.causes() {
                    tr {
                        td { (cases::badge(cause.kind())) }
                        td { (cause.name()) }
                        td { (cause.summary()) }
                        td class="number" { (count) }
                    }
                }
            }
        }
        @if !unpassed.is_empty() {
            details open[unpassed.len() <= 12] {
                summary { (format::count(unpassed.len(), "case")) " not passed" }
                div class="infos" { @for case in unpassed { (cases::info(case, &anchor::case(part, &case.id))) } }
            }
        }
        details {
            summary { "All " (format::count(part.cases.len(), "case")) }
            (cases::table(&part.cases))
        }
    }
}

/// What differs between two engines, both ways.
pub(super) fn comparison(comparison: &PairedComparison, wording: &Wording) -> Markup {
    html! {
        h3 { (comparison.suite) ": " (comparison.ours) " against " (comparison.theirs) }
        p { (comparison.describe()) }
        @if comparison.lost.is_empty() { p { (wording.nothing_lost) } } @else {
            p { b class="bad" { (wording.lost) } }
            (differences(&comparison.lost, wording.sides))
        }
        @if comparison.gained.is_empty() { p { (wording.nothing_gained) } } @else {
            p { b class="good" { (wording.gained) } }
            (differences(&comparison.gained, wording.sides))
        }
        @for (label, ids) in [("New cases", &comparison.only_ours), ("Cases missing", &comparison.only_theirs)] {
            @if !ids.is_empty() { p class="faint" { (label) ": " (format::listed(ids)) "." } }
        }
    }
}

fn differences(cases: &[Difference], [ours, theirs]: [&str; 2]) -> Markup {
    html! {
        div class="scroll" {
            table {
                tr { th { "case" } th { "class" } th { (ours) } th { (theirs) } }
                @for case in cases {
                    tr { td { code { (case.id) } } td { (case.class) } td { (case.ours) } td { (case.theirs) } }
                }
            }
        }
    }
}
