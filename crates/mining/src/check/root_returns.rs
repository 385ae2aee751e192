//! Returns to the root: checks by the table that the move wins, and that the opponent can bring the position back.

use shakmaty::Chess;
use shakmaty::san::SanPlus;

use super::{FileKind, ProofTools, ends, epd_rows};
use crate::root_returns::way_back;
use crate::trap::ProofMethod;
use threefold_suites::epd::EpdRecord;

pub(super) const KIND: FileKind = FileKind {
    name: "root-returns",
    holds: |file| ends(file, "epd") && file.contains("root-return"),
    read: |source_file| epd_rows(source_file, prove),
};

fn prove(
    tools: &mut ProofTools<'_>,
    record: &EpdRecord,
    here: &Chess,
) -> Result<Option<ProofMethod>, String> {
    let written = record.operation("sm").unwrap_or_default();
    let asked = written.parse::<SanPlus>().ok().and_then(|san| san.san.to_move(here).ok());
    let asked = asked.ok_or_else(|| format!("`sm` says `{written}`, which is no legal move"))?;
    match way_back(tools.tables, here, asked) {
        Some(_) => Ok(Some(ProofMethod::Tablebase)),
        None => Err(format!("after {written} the winning side need not return to this position")),
    }
}
