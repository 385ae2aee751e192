//! Best moves: checks the points by the tables.

use shakmaty::Chess;

use super::{FileKind, ProofTools, ends, epd_rows};
use crate::best_moves::{points, points_text};
use crate::trap::ProofMethod;
use threefold_suites::epd::EpdRecord;

pub(super) const KIND: FileKind = FileKind {
    name: "best moves",
    holds: |file| ends(file, "epd") && file.contains("best-move"),
    read: |source_file| epd_rows(source_file, prove),
};

fn prove(
    tools: &mut ProofTools<'_>,
    record: &EpdRecord,
    here: &Chess,
) -> Result<Option<ProofMethod>, String> {
    let points = points(tools.tables, here)
        .ok_or_else(|| "most moves have points: the position is too easy".to_owned())?;
    let (proven, written) = (points_text(here, &points), record.operation("c0").unwrap_or_default());
    if proven == written {
        Ok(Some(ProofMethod::Tablebase))
    } else {
        Err(format!("`c0` says `{written}`, proven is `{proven}`"))
    }
}
