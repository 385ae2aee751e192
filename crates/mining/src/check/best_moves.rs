//! Best moves: the points are those that the tables give.

use shakmaty::Chess;

use super::{Bench, FileKind, ends, epd_rows};
use crate::best_moves::{points, told};
use crate::trap::Proof;
use threefold_harness::suite::epd::EpdRecord;

/// The table's line.
pub(super) const KIND: FileKind = FileKind {
    name: "best moves",
    holds: |file| ends(file, "epd") && file.contains("best-move"),
    read: |page| epd_rows(page, prove),
};

fn prove(bench: &mut Bench<'_>, record: &EpdRecord, here: &Chess) -> Result<Option<Proof>, String> {
    let points = points(bench.tables, here).ok_or_else(|| "it asks for too little".to_owned())?;
    let (told, written) = (told(here, &points), record.operation("c0").unwrap_or_default());
    if told == written {
        Ok(Some(Proof::Tablebase))
    } else {
        Err(format!("`c0` says `{written}`, proven is `{told}`"))
    }
}
