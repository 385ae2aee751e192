//! Traps: derives every column of a row again from its history.

use shakmaty::uci::UciMove;

use super::{CheckedRow, FileKind, ends, trap_rows};
use crate::trap::difficulty::GradedTrap;
use crate::trap::{MinedTrap, ProofMethod, TrapClass, csv_file, derive};
use threefold_oracle::Tables;
use threefold_suites::trap::TrapRow;
use threefold_suites::{SourceFile, SuiteError};

pub(super) const KIND: FileKind =
    FileKind { name: "traps", holds: |file| ends(file, "csv"), read: read_traps };

fn read_traps(source_file: &SourceFile) -> Result<Vec<CheckedRow>, SuiteError> {
    trap_rows(source_file, prove)
}

fn prove(tables: &Tables, row: &TrapRow) -> Result<Option<ProofMethod>, String> {
    let class: TrapClass = row.class.parse().map_err(|unknown| format!("class {unknown}"))?;
    compare(row, derive(tables, class, &row.position).map_err(|error| error.to_string())?).map(Some)
}

/// Compares every column of a row with what was derived from its history.
pub(super) fn compare(row: &TrapRow, proven: MinedTrap) -> Result<ProofMethod, String> {
    let graded = GradedTrap::new(proven).map_err(|error| error.to_string())?;
    let proven = &graded.trap;
    let moves = |moves: &[UciMove]| {
        let mut moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        moves.sort_unstable();
        moves.join(" ")
    };
    let other = |name: &str| {
        row.other_columns
            .iter()
            .find(|(column, _)| column == name)
            .map(|(_, value)| value.clone())
            .unwrap_or_default()
    };
    let columns = [
        ("best", moves(&row.best), moves(&proven.best)),
        ("avoid", moves(&row.avoid), moves(&proven.avoid)),
        (
            "result",
            row.result.map(|result| result.to_string()).unwrap_or_default(),
            proven.result.to_string(),
        ),
        (
            "dtm",
            row.distance.map(|moves| moves.to_string()).unwrap_or_default(),
            proven.mate.map(|mate| mate.moves().to_string()).unwrap_or_default(),
        ),
        ("source", row.origin.map(|origin| origin.to_string()).unwrap_or_default(), proven.proof.to_string()),
        ("note", row.note.clone(), proven.note.clone()),
        ("material", other("material"), proven.material.to_string()),
        ("after", other("after"), csv_file::value_text(proven.after)),
        ("erred", other("erred"), csv_file::history_errors_text(proven.history_errors.as_deref())),
        ("pull", other("pull"), proven.bait_score.0.to_string()),
        ("depth", other("depth"), graded.solving_depth.to_string()),
        ("grade", other("grade"), graded.grade().to_string()),
    ];
    match columns.into_iter().find(|(_, written, proven)| written != proven) {
        Some((column, written, proven)) => Err(format!("`{column}` says `{written}`, proven is `{proven}`")),
        None => Ok(proven.proof),
    }
}
