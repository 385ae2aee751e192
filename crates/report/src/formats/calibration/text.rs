//! A calibration for a terminal.

use std::fmt::Write as _;

use super::{CHANGES, CalibrationReport, ChangesSince, HEAD, change, error_profiles, row};
use crate::formats::terminal;
use threefold_run::calibration::EloCurve;

const MEMORY: &str = "memory takes all";

/// The notes, and the table of levels and anchors.
pub fn calibration_text(report: &CalibrationReport) -> String {
    let table = terminal::table(&HEAD, report.levels().chain(report.anchors()).map(row));
    let marks = report.elo_curve.iter().flat_map(EloCurve::marks);
    let marks: Vec<String> = marks.map(|mark| format!("{} for {} Elo", mark.level, mark.elo)).collect();
    let mut text = format!("{}\n\n{table}\n\n{}\n", report.title, report.describe().join("\n"));
    if !report.error_profiles.is_empty() {
        let (head, rows) = error_profiles(report);
        let table = terminal::table(&head, rows.map(Vec::from));
        write!(text, "\nError profile of the levels, by Echo at full strength:\n{table}\n").expect(MEMORY);
    }
    let changed: Vec<_> = report.since.iter().flat_map(ChangesSince::shown).map(change).collect();
    if !changed.is_empty() {
        let table = terminal::table(&CHANGES, changed);
        write!(text, "\nSignificant changes:\n{table}\n").expect(MEMORY);
    }
    if !marks.is_empty() {
        writeln!(text, "{} for round Elo values: {}.", report.option, marks.join(", ")).expect(MEMORY);
    }
    text
}
