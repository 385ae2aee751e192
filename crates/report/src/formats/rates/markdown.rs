//! `rates.md`: a table for each class, and the separated groups of engines.

use super::{SideBySide, scope};
use crate::ReportFormat;
use crate::formats::markdown::text::{code, plain, table};
use crate::model::report::Report;
use crate::model::signature;

/// The table's line.
pub(super) const FORMAT: ReportFormat = ReportFormat {
    name: "rates-markdown",
    file: "rates.md",
    summary: "pass rates side by side, and policy signatures",
    stream: None,
    render: |report| Ok(rates_text(report).into_bytes()),
};

fn rates_text(report: &Report) -> String {
    let mut blocks = vec![format!("# {}: pass rates side by side", plain(&report.title))];
    if !report.command.is_empty() {
        blocks.push(format!("Provenance by {}.", code(&report.command)));
    }
    blocks.push(
        "Pass rates with 95 % intervals (Wilson). `<` separates groups of engines: all intervals on its left lie below all \
         intervals on its right."
            .to_owned(),
    );
    blocks.extend(signatures(report));
    blocks.extend(report.side_by_side().iter().flat_map(suite));
    blocks.join("\n\n") + "\n"
}

fn signatures(report: &Report) -> Vec<String> {
    let rows: Vec<Vec<String>> = report
        .signatures()
        .map(|(part, reading)| signature::cells(part, reading).iter().map(|cell| plain(cell)).collect())
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    vec!["## Policy signatures".to_owned(), table(&signature::COLUMNS, rows), signature::RULE.to_owned()]
}

fn suite(suite: &SideBySide<'_>) -> Vec<String> {
    let mut blocks = vec![format!("## {}", plain(suite.title))];
    let columns = std::iter::once("engine").chain(suite.limits.iter().copied());
    let header: Vec<String> = columns.map(plain).collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    for class in suite.scopes() {
        blocks.push(format!("### {}", plain(scope(class))));
        let rows = suite.rows(class);
        blocks.push(table(&header, rows.into_iter().map(|row| row.iter().map(|cell| plain(cell)).collect())));
        let partings = suite.partings(class);
        blocks.push(
            partings.iter().map(|parting| format!("- {}", plain(parting))).collect::<Vec<_>>().join("\n"),
        );
    }
    blocks
}
