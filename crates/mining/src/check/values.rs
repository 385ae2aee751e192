//! Values: derives the value of each position again from the game before it.

use super::{CheckedRow, FileKind, ProofTools, ends, position};
use crate::trap::ProofMethod;
use crate::values::{KnownValue, ValueClass, derive};
use threefold_oracle::Tables;
use threefold_suites::trap::{self, AnswerSource, EndedGames, TrapRow};
use threefold_suites::{SourceFile, SuiteError};

pub(super) const KIND: FileKind = FileKind {
    name: "values",
    holds: |file| ends(file, "csv") && file.contains("values"),
    read: read_values,
};

fn read_values(source_file: &SourceFile) -> Result<Vec<CheckedRow>, SuiteError> {
    rows(source_file, |tools, row| prove(tools.tables, row))
}

/// The rows of a file of values, each with its proof.
pub(super) fn rows(
    source_file: &SourceFile,
    prove: fn(&ProofTools<'_>, &TrapRow) -> Result<Option<ProofMethod>, String>,
) -> Result<Vec<CheckedRow>, SuiteError> {
    let rows = trap::parse_rows(source_file, EndedGames::DrawsByClaim)?.into_iter().map(|row| {
        let position = position(source_file, row.number, &row.position)?;
        let (number, id) = (row.number, row.id.clone());
        let prove = Box::new(move |tools: &mut ProofTools<'_>| prove(tools, &row));
        Ok(CheckedRow { number, id, position, is_unique: false, uses_tables: true, prove })
    });
    rows.collect()
}

fn prove(tables: &Tables, row: &TrapRow) -> Result<Option<ProofMethod>, String> {
    let class: ValueClass = row.class.parse().map_err(|_| format!("there is no class `{}`", row.class))?;
    compare(row, derive(tables, class, &row.position), class.summary())
}

/// Compares a row with what is known of its position, and with the note of its class.
pub(super) fn compare(
    row: &TrapRow,
    known: Option<KnownValue>,
    note: &str,
) -> Result<Option<ProofMethod>, String> {
    let Some(known) = known else {
        return Err("the position is not of its class, or its value is not proven".to_owned());
    };
    let distance = known.distance.map(threefold_chess::score::MateDistance::moves);
    let written = (row.result, row.distance, row.origin, row.note.as_str());
    let proven = (known.result, distance, Some(known.origin), note);
    if written != proven {
        return Err(format!("result, dtm, source and note are {written:?}, proven are {proven:?}"));
    }
    if row.best != known.best {
        return Err("`best` are not the moves that keep the result".to_owned());
    }
    Ok(match known.origin {
        AnswerSource::Tablebase => Some(ProofMethod::Tablebase),
        AnswerSource::Search => Some(ProofMethod::Search),
        AnswerSource::Rules | AnswerSource::Judged => None,
    })
}
