//! A calibration for a terminal.

use std::fmt::Write as _;

use super::{CHANGES, Graded, HEAD, Since, change, characters, row};
use crate::terminal;
use threefold_harness::calibration::EloCurve;

const MEMORY: &str = "memory takes all";

/// What is to be known, and the table of levels and anchors.
pub fn text(graded: &Graded) -> String {
    let table = terminal::table(&HEAD, graded.levels().chain(graded.anchors()).map(row));
    let marks = graded.graduation.iter().flat_map(EloCurve::marks);
    let marks: Vec<String> = marks.map(|mark| format!("{} at {}", mark.elo, mark.level)).collect();
    let mut text = format!("{}\n\n{table}\n\n{}\n", graded.title, graded.told().join("\n"));
    if !graded.characters.is_empty() {
        let (head, rows) = characters(graded);
        let table = terminal::table(&head, rows.map(Vec::from));
        write!(text, "\nHow the levels play, in the eyes of Echo at full strength:\n{table}\n")
            .expect(MEMORY);
    }
    let changed: Vec<_> = graded.since.iter().flat_map(Since::shown).map(change).collect();
    if !changed.is_empty() {
        let table = terminal::table(&CHANGES, changed);
        write!(text, "\nChanged by more than chance explains:\n{table}\n").expect(MEMORY);
    }
    if !marks.is_empty() {
        writeln!(
            text,
            "Round numbers of Elo, and the {} that is worth each: {}.",
            graded.option,
            marks.join(", ")
        )
        .expect(MEMORY);
    }
    text
}
