//! Positions from the field: not ours and not proven, so that the rules alone are asked.

use shakmaty::Position;

use super::{FileKind, Row, by_rules, ends};
use threefold_harness::suite::trap::{AnswerSource, TrapRow};
use threefold_harness::suite::{SourceFile, SuiteError};
use threefold_oracle::Referee;

/// The table's line.
pub(super) const KIND: FileKind =
    FileKind { name: "field", holds: |file| ends(file, "csv") && file.contains("field"), read };

fn read(page: &SourceFile) -> Result<Vec<Row>, SuiteError> {
    by_rules(page, hold)
}

fn hold(row: &TrapRow) -> Result<(), String> {
    let referee = Referee::new(&row.line).map_err(|error| error.to_string())?;
    if let Some(ending) = referee.ending() {
        return Err(format!("the game is over here ({ending})"));
    }
    if row.origin != Some(AnswerSource::Judged) || row.note.is_empty() {
        return Err(format!("`source` says `{}`, and `note` where it is told", AnswerSource::Judged));
    }
    let named = row.best.iter().chain(&row.avoid);
    if named.clone().any(|&mv| referee.legal(mv).is_err())
        || named.count() >= referee.position().legal_moves().len()
    {
        return Err("`best` and `avoid` name legal moves, and not all there are".to_owned());
    }
    Ok(())
}
