//! `rates.html`: pass rates of all engines side by side, with plots. There is none for one engine under one
//! limit, whose rates are in `index.html`.

use maud::{Markup, html};

use super::{SideBySide, scope};
use crate::formats::html::{document, signatures, table};
use crate::formats::svg::{self, LabelledRate};
use crate::model::report::Report;
use crate::{ReportFormat, format};

/// The table's line.
pub(super) const FORMAT: ReportFormat = ReportFormat {
    name: "rates-html",
    file: "rates.html",
    summary: "pass rates side by side, on one page with plots",
    stream: None,
    render: |report| {
        Ok(page(report).map_or_else(Vec::new, |page| document(&report.title, &page).into_bytes()))
    },
};

fn page(report: &Report) -> Option<Markup> {
    let suites: Vec<SideBySide<'_>> = report
        .side_by_side()
        .into_iter()
        .filter(|suite| suite.engines.len() * suite.limits.len() > 1)
        .collect();
    (!suites.is_empty()).then(|| {
        html! {
            h1 { (report.title) ": pass rates side by side" }
            p {
                "Pass rates with 95 % intervals (Wilson). < separates groups of engines: all intervals on its left lie below all "
                "intervals on its right."
            }
            (signatures(report))
            @for suite in &suites { (section(suite)) }
            @if !report.command.is_empty() { p class="faint" { "Provenance by " code { (report.command) } } }
        }
    })
}

fn section(suite: &SideBySide<'_>) -> Markup {
    html! {
        h2 { (suite.title) }
        (class_section(suite, None))
        @for &class in &suite.classes {
            details { summary { (class) } (class_section(suite, Some(class))) }
        }
    }
}

fn class_section(suite: &SideBySide<'_>, class: Option<&str>) -> Markup {
    let columns: Vec<&str> = std::iter::once("engine").chain(suite.limits.iter().copied()).collect();
    html! {
        (svg::pass_rates(&rates(suite, class)))
        @for parting in suite.partings(class) { p { (parting) } }
        (table(&format!("{}, {}", suite.title, scope(class)), &columns, suite.rows(class)))
    }
}

/// A row for each engine and limit, the engines in their order.
fn rates(suite: &SideBySide<'_>, class: Option<&str>) -> Vec<LabelledRate> {
    let mut rates = Vec::new();
    for engine in &suite.engines {
        for limits in &suite.limits {
            if let Some(rate) = suite.rate(engine, limits, class) {
                let label = match (suite.engines.len(), suite.limits.len()) {
                    (_, 1) => format::visible(engine),
                    (1, _) => (*limits).to_owned(),
                    _ => format!("{}, {limits}", format::visible(engine)),
                };
                rates.push(LabelledRate { label, rate, rank: "rank-class" });
            }
        }
    }
    rates
}
