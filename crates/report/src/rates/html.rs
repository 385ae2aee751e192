//! `rates.html`: pass rates of all engines side by side, with plots.

use maud::{Markup, html};

use super::{SideBySide, scope};
use crate::html::{document, signatures};
use crate::model::Report;
use crate::svg::{self, LabelledRate};
use crate::{ReportFormat, format};

/// The table's line.
pub(super) const FORMAT: ReportFormat = ReportFormat {
    name: "rates-html",
    file: "rates.html",
    summary: "pass rates side by side, on one page with plots",
    render: |report| Ok(document(&report.title, &page(report)).into_bytes()),
};

fn page(report: &Report) -> Markup {
    html! {
        h1 { (report.title) ": pass rates side by side" }
        @if !report.command.is_empty() { p class="faint" { "Provenance by " code { (report.command) } } }
        p {
            "Pass rates with 95 % intervals (Wilson). < separates groups of engines: all intervals on its left lie below all "
            "intervals on its right."
        }
        (signatures(report))
        @for suite in &report.side_by_side() { (section(suite)) }
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
                let label = format!("{}, {limits}", format::visible(engine));
                rates.push(LabelledRate { label, rate, rank: "rank-class" });
            }
        }
    }
    rates
}
