//! `rates.csv`: a line for each class of each suite, engine and limit.

use std::io;

use csv::{Terminator, WriterBuilder};

use super::{ALPHA, scope};
use crate::ReportFormat;
use crate::model::report::Report;
use threefold_stats::interval::Rate;

/// The table's line.
pub(super) const FORMAT: ReportFormat = ReportFormat {
    name: "rates",
    file: "rates.csv",
    summary: "pass rates by suite, engine, limits and class",
    stream: None,
    render,
};

const COLUMNS: [&str; 9] = ["suite", "engine", "limits", "class", "passed", "cases", "share", "low", "high"];

fn render(report: &Report) -> io::Result<Vec<u8>> {
    let mut writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for part in &report.suites {
        let classes = part.classes().into_iter().map(|(class, rate)| (Some(class), rate));
        for (class, rate) in std::iter::once((None, part.rate())).chain(classes) {
            let names = [&part.suite, &part.engine, &part.limits].map(String::as_str);
            let figures = figures(rate);
            let figures = figures.iter().map(String::as_str);
            writer.write_record(names.into_iter().chain([scope(class)]).chain(figures))?;
        }
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

fn figures(rate: Rate) -> [String; 5] {
    let interval = rate.wilson(ALPHA);
    let share = rate.share().map(|share| format!("{share:.4}")).unwrap_or_default();
    [
        rate.successes.to_string(),
        rate.trials().to_string(),
        share,
        format!("{:.4}", interval.low),
        format!("{:.4}", interval.high),
    ]
}
