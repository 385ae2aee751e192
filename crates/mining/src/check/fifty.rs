//! Moves and fifty-move counters: derives the results of both searches again from the tables.

use super::{CheckedRow, FileKind, ends, trap_rows};
use crate::fifty::{FiftyClass, derive};
use crate::trap::ProofMethod;
use threefold_oracle::Tables;
use threefold_suites::trap::{AnswerSource, TrapRow};
use threefold_suites::{SourceFile, SuiteError};

pub(super) const KIND: FileKind = FileKind {
    name: "fifty-move counters",
    holds: |file| ends(file, "csv") && file.contains("fifty"),
    read: read_fifty,
};

fn read_fifty(source_file: &SourceFile) -> Result<Vec<CheckedRow>, SuiteError> {
    trap_rows(source_file, prove)
}

fn prove(tables: &Tables, row: &TrapRow) -> Result<Option<ProofMethod>, String> {
    let &[mv] = row.best.as_slice() else { return Err("`best` names one move".to_owned()) };
    let class: FiftyClass = row.class.parse().map_err(|_| format!("there is no class `{}`", row.class))?;
    let Some(result) = derive(tables, class, &row.position, mv, row.before) else {
        return Err(format!(
            "{mv} has the same result with both counters, or they are not those of the class"
        ));
    };
    let written = (row.result, row.origin, row.note.as_str());
    let proven = (Some(result), Some(AnswerSource::Tablebase), class.summary());
    if written == proven {
        Ok(Some(ProofMethod::Tablebase))
    } else {
        Err(format!("result, source and note are {written:?}, proven are {proven:?}"))
    }
}
