//! Policy signatures as a grid: an engine a row, a question a column, a dot for each node limit.

use maud::{Markup, html};

use super::table::{marked_up, table};
use crate::model::report::{Report, SuitePart};
use crate::model::signature;
use threefold_suites::SignatureReading;

/// The signatures of a run; nothing if there are none.
pub(crate) fn signatures(report: &Report) -> Markup {
    let read: Vec<(&SuitePart, &SignatureReading)> = report.signatures().collect();
    let mut engines: Vec<&str> = Vec::new();
    for (part, _) in &read {
        if !engines.contains(&part.engine.as_str()) {
            engines.push(&part.engine);
        }
    }
    let columns: Vec<&str> = std::iter::once("engine")
        // The first three are the engine, the limits and the signature.
        .chain(signature::COLUMNS[3..].iter().copied())
        .chain(["signature"])
        .collect();
    let rows = engines.into_iter().map(|engine| {
        let of_engine: Vec<_> = read.iter().filter(|(part, _)| part.engine == engine).collect();
        let dots =
            (0..4).map(|topic| html! { @for (part, reading) in &of_engine { (dot(part, reading, topic)) } });
        let named = of_engine.iter().map(|(_, reading)| reading.signature.to_string());
        std::iter::once(html! { (engine) }).chain(dots).chain([distinct(named)]).collect()
    });
    let figures = read.iter().map(|(part, reading)| signature::cells(part, reading).to_vec());
    html! {
        @if !read.is_empty() {
            h2 { "Policy signatures" }
            (marked_up("Is the repetition a draw? D: draw, N: no draw, ?: unclear; a dot for each limit", &columns, rows))
            details {
                summary { "Figures" }
                (table("Share of draws with exact 95 % intervals", &signature::COLUMNS, figures))
                p class="faint" { (signature::RULE) }
            }
        }
    }
}

/// The answer to a question under a limit.
fn dot(part: &SuitePart, reading: &SignatureReading, topic: usize) -> Markup {
    let (class, letter) = match reading.evidence[topic].answer() {
        Some(true) => ("draw", "D"),
        Some(false) => ("no-draw", "N"),
        None => ("open", "?"),
    };
    let figures = &signature::cells(part, reading)[3 + topic];
    html! { span class=(format!("answer {class}")) title=(format!("{}: {figures}", part.limits)) { (letter) } " " }
}

/// The names in order, equal neighbours once.
fn distinct(names: impl Iterator<Item = String>) -> Markup {
    let mut kept: Vec<String> = names.collect();
    kept.dedup();
    html! { (kept.join(", ")) }
}
