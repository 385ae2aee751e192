//! Defences: derives the goal again, and compares it with every operation of the row.

use shakmaty::Chess;

use super::{FileKind, ProofTools, ends, epd_rows};
use crate::defences::{derive, operations};
use crate::trap::ProofMethod;
use threefold_suites::epd::EpdRecord;

pub(super) const KIND: FileKind = FileKind {
    name: "defences",
    holds: |file| ends(file, "epd") && file.contains("defence"),
    read: |source_file| epd_rows(source_file, prove),
};

fn prove(
    tools: &mut ProofTools<'_>,
    record: &EpdRecord,
    here: &Chess,
) -> Result<Option<ProofMethod>, String> {
    let kind = derive(tools.tables, here).map_err(|error| error.to_string())?;
    for (code, proven) in operations(here, kind) {
        let written = record.operation(code).unwrap_or_default();
        if written != proven {
            return Err(format!("`{code}` says `{written}`, proven is `{proven}`"));
        }
    }
    let other = ["dm", "result"].iter().filter(|code| record.operation(code).is_some()).count();
    if other == 1 {
        Ok(Some(ProofMethod::Tablebase))
    } else {
        Err("`dm` and `result` are both given".to_owned())
    }
}
