//! Draws by perpetual check: proves both halves of the draw again.

use shakmaty::Position;

use super::{CheckedRow, FileKind, ProofTools, ends, position};
use crate::perpetual_draws::{CLASS, NOTE, prove};
use crate::trap::ProofMethod;
use threefold_oracle::Referee;
use threefold_suites::trap::{self, AnswerSource, TrapRow, TrueResult};
use threefold_suites::{SourceFile, SuiteError};

pub(super) const KIND: FileKind = FileKind {
    name: "perpetual checks",
    holds: |file| ends(file, "csv") && file.contains("perpetual"),
    read: read_perpetuals,
};

fn read_perpetuals(source_file: &SourceFile) -> Result<Vec<CheckedRow>, SuiteError> {
    let rows = trap::parse_traps(source_file)?.into_iter().map(|row| {
        let position = position(source_file, row.number, &row.position)?;
        let (number, id) = (row.number, row.id.clone());
        let prove = Box::new(move |_: &mut ProofTools<'_>| prove_row(&row));
        Ok(CheckedRow { number, id, position, is_unique: true, uses_tables: false, prove })
    });
    rows.collect()
}

fn prove_row(row: &TrapRow) -> Result<Option<ProofMethod>, String> {
    let &[mv] = row.best.as_slice() else { return Err("`best` names one move".to_owned()) };
    if !row.position.moves.is_empty() {
        return Err("`moves` names a history; give the position alone".to_owned());
    }
    let referee = Referee::new(&row.position).map_err(|error| error.to_string())?;
    let legal = referee.legal(mv).map_err(|error| error.to_string())?;
    let said = (row.class.as_str(), row.result, row.origin, row.note.as_str());
    if said != (CLASS, Some(TrueResult::Draw), Some(AnswerSource::Search), NOTE) {
        return Err(format!(
            "`class`, `result`, `source` and `note` say `{CLASS}`, `draw`, `search`, `{NOTE}`"
        ));
    }
    let here = referee.position();
    if here.halfmoves() > 0 {
        return Err("the fifty-move counter is not zero".to_owned());
    }
    prove(here, legal).map(|()| Some(ProofMethod::Search)).map_err(str::to_owned)
}
