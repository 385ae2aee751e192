//! Positions for the bonus of perpetual checks: proves the perpetual check again. What the other moves come
//! to is judged and not proven; to judge them again, make the file again.

use super::{CheckedRow, FileKind, by_rules, ends};
use crate::perpetual_bonus::BonusClass;
use threefold_oracle::Referee;
use threefold_suites::trap::{AnswerSource, TrapRow};
use threefold_suites::{SourceFile, SuiteError};

pub(super) const KIND: FileKind = FileKind {
    name: "perpetual bonus",
    holds: |file| ends(file, "csv") && file.contains("perpetual-bonus"),
    read: read_perpetual_bonus,
};

fn read_perpetual_bonus(source_file: &SourceFile) -> Result<Vec<CheckedRow>, SuiteError> {
    by_rules(source_file, hold)
}

fn hold(row: &TrapRow) -> Result<(), String> {
    let class: BonusClass = row.class.parse().map_err(|_| format!("there is no class `{}`", row.class))?;
    if (row.result, row.origin) != (Some(class.result()), Some(AnswerSource::Judged)) {
        return Err(format!(
            "`result` and `source` are not `{}`, `{}`",
            class.result(),
            AnswerSource::Judged
        ));
    }
    let &[avoid] = row.avoid.as_slice() else { return Err("`avoid` names one move".to_owned()) };
    let referee = Referee::new(&row.position).map_err(|error| error.to_string())?;
    class.check(&referee, &row.best, avoid).map_err(str::to_owned)
}
