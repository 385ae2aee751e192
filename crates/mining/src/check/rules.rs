//! Rules: what a move comes to is derived again from the game before it.

use super::{FileKind, Row, ends, position};
use crate::rules::{Ruled, derive};
use crate::trap::Proof;
use threefold_harness::suite::trap::{self, AnswerSource, TrapRow};
use threefold_harness::suite::{SourceFile, SuiteError};
use threefold_oracle::Tables;

/// The table's line.
pub(super) const KIND: FileKind =
    FileKind { name: "rules", holds: |file| ends(file, "csv") && file.contains("rules"), read };

fn read(page: &SourceFile) -> Result<Vec<Row>, SuiteError> {
    let rows = trap::read(page)?.into_iter().map(|row| {
        let position = position(page, row.number, &row.line)?;
        let (number, id) = (row.number, row.id.clone());
        let prove = Box::new(move |bench: &mut super::Bench<'_>| prove(bench.tables, &row));
        Ok(Row { number, id, position, alone: false, prove })
    });
    rows.collect()
}

fn prove(tables: &Tables, row: &TrapRow) -> Result<Option<Proof>, String> {
    let &[mv] = row.best.as_slice() else { return Err("`best` names one move".to_owned()) };
    let Some(Ruled { class, result, origin }) = derive(tables, &row.line, mv) else {
        return Err(format!("{mv} is about nothing that has a class"));
    };
    let word = |it: Option<&dyn ToString>| it.map(ToString::to_string).unwrap_or_default();
    let columns = [
        ("class", row.class.clone(), class.to_string()),
        ("result", word(row.result.as_ref().map(|it| it as &dyn ToString)), result.to_string()),
        ("source", word(row.origin.as_ref().map(|it| it as &dyn ToString)), origin.to_string()),
        ("note", row.note.clone(), class.summary().to_owned()),
    ];
    match columns.into_iter().find(|(_, written, proven)| written != proven) {
        Some((column, written, proven)) => Err(format!("`{column}` says `{written}`, proven is `{proven}`")),
        None => Ok((origin == AnswerSource::Tablebase).then_some(Proof::Tablebase)),
    }
}
