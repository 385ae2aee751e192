//! Defences: what is at stake is derived again, and held against every operation of the row.

use shakmaty::Chess;

use super::{Bench, FileKind, ends, epd_rows};
use crate::defences::{derive, operations};
use crate::trap::Proof;
use threefold_harness::suite::epd::EpdRecord;

/// The table's line.
pub(super) const KIND: FileKind = FileKind {
    name: "defences",
    holds: |file| ends(file, "epd") && file.contains("defence"),
    read: |page| epd_rows(page, prove),
};

fn prove(bench: &mut Bench<'_>, record: &EpdRecord, here: &Chess) -> Result<Option<Proof>, String> {
    let stakes = derive(bench.tables, here).map_err(|error| error.to_string())?;
    for (code, proven) in operations(here, stakes) {
        let written = record.operation(code).unwrap_or_default();
        if written != proven {
            return Err(format!("`{code}` says `{written}`, proven is `{proven}`"));
        }
    }
    let other = ["dm", "result"].iter().filter(|code| record.operation(code).is_some()).count();
    if other == 1 { Ok(Some(Proof::Tablebase)) } else { Err("`dm` and `result` both stand here".to_owned()) }
}
