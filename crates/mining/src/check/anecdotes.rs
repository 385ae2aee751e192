//! Anecdotes: derives every column of a row again from its history.

use super::traps::compare;
use super::{CheckedRow, FileKind, ends, trap_rows};
use crate::anecdotes::{Anecdote, derive};
use crate::trap::ProofMethod;
use threefold_oracle::Tables;
use threefold_suites::trap::TrapRow;
use threefold_suites::{SourceFile, SuiteError};

pub(super) const KIND: FileKind = FileKind {
    name: "anecdotes",
    holds: |file| ends(file, "csv") && file.contains("anecdote"),
    read: read_anecdotes,
};

fn read_anecdotes(source_file: &SourceFile) -> Result<Vec<CheckedRow>, SuiteError> {
    trap_rows(source_file, prove)
}

fn prove(tables: &Tables, row: &TrapRow) -> Result<Option<ProofMethod>, String> {
    let anecdote: Anecdote = row.class.parse().map_err(|unknown| format!("class {unknown}"))?;
    compare(row, derive(tables, anecdote, &row.position).map_err(|error| error.to_string())?).map(Some)
}
