//! Traps: every column of a row is derived again from its history.

use shakmaty::uci::UciMove;

use super::{Checked, Course, Heard, Progress, Refused, make_tables};
use crate::mining::trap::difficulty::Graded;
use crate::mining::trap::{Proof, TrapClass, derive, sheet};
use crate::suite::Page;
use crate::suite::trap::{self, Trap};
use crate::truth::Tables;

pub(super) fn check(page: &Page, tables: &mut Tables, heard: &mut Heard<'_>) -> Result<Checked, Refused> {
    let rows = trap::read(page)?;
    make_tables(tables, rows.iter().map(|row| &row.line), heard);
    let mut course = Course::new(page);
    for (done, row) in rows.iter().enumerate() {
        heard(Progress::Checked { done, of: rows.len() });
        course.settle(row.number, &row.id, prove(tables, row).map(Some));
    }
    heard(Progress::Checked { done: rows.len(), of: rows.len() });
    course.end()
}

fn prove(tables: &Tables, row: &Trap) -> Result<Proof, String> {
    let class: TrapClass = row.class.parse().map_err(|unknown| format!("class {unknown}"))?;
    let proven = derive(tables, class, &row.line).map_err(|error| error.to_string())?;
    let graded = Graded::of(proven).map_err(|error| error.to_string())?;
    let proven = &graded.trap;
    let moves = |moves: &[UciMove]| {
        let mut moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        moves.sort_unstable();
        moves.join(" ")
    };
    let other = |name: &str| {
        row.others
            .iter()
            .find(|(column, _)| column == name)
            .map(|(_, value)| value.clone())
            .unwrap_or_default()
    };
    let columns = [
        ("best", moves(&row.best), moves(&proven.best)),
        ("avoid", moves(&row.avoid), moves(&proven.avoid)),
        (
            "result",
            row.result.map(|result| result.to_string()).unwrap_or_default(),
            proven.result.to_string(),
        ),
        (
            "dtm",
            row.distance.map(|moves| moves.to_string()).unwrap_or_default(),
            proven.mate.map(|mate| mate.moves().to_string()).unwrap_or_default(),
        ),
        ("source", row.origin.map(|origin| origin.to_string()).unwrap_or_default(), proven.proof.to_string()),
        ("note", row.note.clone(), proven.note.clone()),
        ("material", other("material"), proven.material.to_string()),
        ("after", other("after"), sheet::after(proven.after)),
        ("erred", other("erred"), sheet::erred(proven.erred.as_deref())),
        ("pull", other("pull"), proven.pull.0.to_string()),
        ("depth", other("depth"), graded.sight.to_string()),
        ("grade", other("grade"), graded.grade().to_string()),
    ];
    match columns.into_iter().find(|(_, written, proven)| written != proven) {
        Some((column, written, proven)) => Err(format!("`{column}` says `{written}`, proven is `{proven}`")),
        None => Ok(proven.proof),
    }
}
