//! Anecdotes: derives every column of a row again from its history.

use super::traps::compare;
use super::{CheckedRow, FileKind, ends, position};
use crate::anecdotes::{Anecdote, derive};
use crate::trap::ProofMethod;
use threefold_harness::suite::trap::{self, TrapRow};
use threefold_harness::suite::{SourceFile, SuiteError};
use threefold_oracle::Tables;

/// The table's row.
pub(super) const KIND: FileKind =
    FileKind { name: "anecdotes", holds: |file| ends(file, "csv") && file.contains("anecdote"), read };

fn read(source_file: &SourceFile) -> Result<Vec<CheckedRow>, SuiteError> {
    let rows = trap::read(source_file)?.into_iter().map(|row| {
        let position = position(source_file, row.number, &row.line)?;
        let (number, id) = (row.number, row.id.clone());
        let prove = Box::new(move |tools: &mut super::ProofTools<'_>| prove(tools.tables, &row).map(Some));
        Ok(CheckedRow { number, id, position, alone: false, prove })
    });
    rows.collect()
}

fn prove(tables: &Tables, row: &TrapRow) -> Result<ProofMethod, String> {
    let anecdote: Anecdote = row.class.parse().map_err(|unknown| format!("class {unknown}"))?;
    compare(row, derive(tables, anecdote, &row.line).map_err(|error| error.to_string())?)
}
