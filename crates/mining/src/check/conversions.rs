//! Conversions: won by the table, at the distance that is written, and in time.

use shakmaty::Chess;

use super::{Bench, FileKind, ends, epd_rows};
use crate::conversions::derive;
use crate::trap::Proof;
use threefold_harness::suite::epd::EpdRecord;

/// The table's line.
pub(super) const KIND: FileKind = FileKind {
    name: "conversions",
    holds: |file| ends(file, "epd") && file.contains("conversion"),
    read: |page| epd_rows(page, prove),
};

fn prove(bench: &mut Bench<'_>, record: &EpdRecord, here: &Chess) -> Result<Option<Proof>, String> {
    let proven = derive(bench.tables, here).map_err(|error| error.to_string())?.distance.moves();
    let written = record.operation("dm").unwrap_or_default();
    if written == proven.to_string() {
        Ok(Some(Proof::Tablebase))
    } else {
        Err(format!("`dm` says `{written}`, proven is `{proven}`"))
    }
}
