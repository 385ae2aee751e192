//! Collected positions, which are neither mined nor proven: checks the rules only.

use shakmaty::Position;

use super::{CheckedRow, FileKind, by_rules, ends};
use threefold_oracle::Referee;
use threefold_suites::trap::{AnswerSource, TrapRow};
use threefold_suites::{SourceFile, SuiteError};

pub(super) const KIND: FileKind = FileKind {
    name: "field",
    holds: |file| ends(file, "csv") && file.contains("field"),
    read: read_collected,
};

fn read_collected(source_file: &SourceFile) -> Result<Vec<CheckedRow>, SuiteError> {
    by_rules(source_file, hold)
}

fn hold(row: &TrapRow) -> Result<(), String> {
    let referee = Referee::new(&row.position).map_err(|error| error.to_string())?;
    if let Some(ending) = referee.ending() {
        return Err(format!("the game is over here ({ending})"));
    }
    if row.origin != Some(AnswerSource::Judged) || row.note.is_empty() {
        return Err(format!("`source` is `{}`, and `note` has the source", AnswerSource::Judged));
    }
    let named = row.best.iter().chain(&row.avoid);
    if named.clone().any(|&mv| referee.legal(mv).is_err())
        || named.count() >= referee.position().legal_moves().len()
    {
        return Err("`best` and `avoid` name legal moves, and not all there are".to_owned());
    }
    Ok(())
}
