//! Conversions: checks the win, the distance and the fifty-move rule by the table.

use shakmaty::Chess;

use super::{FileKind, ProofTools, ends, epd_rows};
use crate::conversions::derive;
use crate::trap::ProofMethod;
use threefold_suites::epd::EpdRecord;

pub(super) const KIND: FileKind = FileKind {
    name: "conversions",
    holds: |file| ends(file, "epd") && file.contains("conversion"),
    read: |source_file| epd_rows(source_file, prove),
};

fn prove(
    tools: &mut ProofTools<'_>,
    record: &EpdRecord,
    here: &Chess,
) -> Result<Option<ProofMethod>, String> {
    let proven = derive(tools.tables, here).map_err(|error| error.to_string())?.distance.moves();
    let written = record.operation("dm").unwrap_or_default();
    if written == proven.to_string() {
        Ok(Some(ProofMethod::Tablebase))
    } else {
        Err(format!("`dm` says `{written}`, proven is `{proven}`"))
    }
}
