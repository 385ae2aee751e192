//! Middlegame traps, which are judged and not proven: checks the rules only.
//!
//! The judgement took a hundred times the nodes of a suite; to repeat it, make the file again. Without it
//! this is checked: the history is legal, a move repeats, the moves are legal and distinct, and the class
//! follows from them.

use std::collections::HashSet;

use shakmaty::Position;

use super::{CheckedRow, FileKind, by_rules, ends};
use crate::middlegame::JudgedClass;
use threefold_oracle::Referee;
use threefold_suites::trap::{AnswerSource, TrapRow};
use threefold_suites::{SourceFile, SuiteError};

pub(super) const KIND: FileKind = FileKind {
    name: "judged",
    holds: |file| ends(file, "csv") && file.contains("middlegame"),
    read: read_middlegame,
};

fn read_middlegame(source_file: &SourceFile) -> Result<Vec<CheckedRow>, SuiteError> {
    by_rules(source_file, hold)
}

fn hold(row: &TrapRow) -> Result<(), String> {
    let class: JudgedClass = row.class.parse().map_err(|unknown| format!("class {unknown}"))?;
    if row.origin != Some(AnswerSource::Judged) {
        return Err(format!("`source` says otherwise than `{}`", AnswerSource::Judged));
    }
    let referee = Referee::new(&row.position).map_err(|error| error.to_string())?;
    let once = |mv| referee.occurrences_after(mv) == 1;
    if !referee.position().legal_moves().into_iter().any(once) {
        return Err("no move leads to a position that occurred once".to_owned());
    }
    let &[avoid] = row.avoid.as_slice() else {
        return Err("`avoid` names one move".to_owned());
    };
    let apart: HashSet<_> = row.best.iter().chain([&avoid]).collect();
    if apart.len() != row.best.len() + 1 || apart.iter().any(|&&mv| referee.legal(mv).is_err()) {
        return Err("`best` and `avoid` name legal moves, each once".to_owned());
    }
    match JudgedClass::classify(&referee, &row.best, avoid) {
        found if found == class => Ok(()),
        found => Err(format!("`class` says `{class}`, it is `{found}`")),
    }
}
