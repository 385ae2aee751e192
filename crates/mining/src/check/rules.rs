//! Rules: derives the result of a move again from the game before it.

use super::{CheckedRow, FileKind, ends, trap_rows};
use crate::rules::{RuleResult, derive};
use crate::trap::ProofMethod;
use threefold_oracle::Tables;
use threefold_suites::trap::{AnswerSource, TrapRow};
use threefold_suites::{SourceFile, SuiteError};

pub(super) const KIND: FileKind =
    FileKind { name: "rules", holds: |file| ends(file, "csv") && file.contains("rules"), read: read_rules };

fn read_rules(source_file: &SourceFile) -> Result<Vec<CheckedRow>, SuiteError> {
    trap_rows(source_file, prove)
}

fn prove(tables: &Tables, row: &TrapRow) -> Result<Option<ProofMethod>, String> {
    let &[mv] = row.best.as_slice() else { return Err("`best` names one move".to_owned()) };
    let Some(RuleResult { class, result, origin }) = derive(tables, &row.position, mv) else {
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
        None => Ok((origin == AnswerSource::Tablebase).then_some(ProofMethod::Tablebase)),
    }
}
