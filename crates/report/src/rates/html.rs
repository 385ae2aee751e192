//! `rates.html`: the tables of a class with their plot, on a page of their own.

use maud::{Markup, html};

use super::{SideBySide, scope};
use crate::html::document;
use crate::model::Report;
use crate::svg::{self, LabelledRate};
use crate::{Format, phrase, signature};

/// The table's line.
pub(super) const FORMAT: Format = Format {
    name: "rates-html",
    file: "rates.html",
    summary: "pass rates side by side, on one page with plots",
    render: |report| Ok(document(&report.title, &page(report)).into_bytes()),
};

fn page(report: &Report) -> Markup {
    html! {
        h1 { (report.title) ": pass rates side by side" }
        @if !report.command.is_empty() { p class="faint" { "Made by " code { (report.command) } } }
        p {
            "Cases passed of those asked; intervals are Wilson's, 95 %. < stands where all intervals on its left lie "
            "below all on its right."
        }
        (signatures(report))
        @for suite in &report.side_by_side() { (section(suite)) }
    }
}

/// The signatures of a run, a row each; nothing where none was asked for.
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

fn section(suite: &SideBySide<'_>) -> Markup {
    html! {
        h2 { (suite.title) }
        @for class in suite.scopes() {
            h3 { (scope(class)) }
            div class="scroll" {
                table {
                    tr { th { "engine" } @for limits in &suite.limits { th { (limits) } } }
                    @for row in suite.rows(class) { tr { @for cell in &row { td { (cell) } } } }
                }
            }
            @for parting in suite.partings(class) { p { (parting) } }
            (svg::pass_rates(&rates(suite, class)))
        }
    }
}

/// A row for each engine and limit, the engines in their order.
fn rates(suite: &SideBySide<'_>, class: Option<&str>) -> Vec<LabelledRate> {
    let mut rates = Vec::new();
    for engine in &suite.engines {
        for limits in &suite.limits {
            if let Some(rate) = suite.rate(engine, limits, class) {
                let label = format!("{}, {limits}", phrase::visible(engine));
                rates.push(LabelledRate { label, rate, rank: "rank-class" });
            }
        }
    }
    rates
}
