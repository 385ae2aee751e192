//! Symmetry: checks the class of each position, and that its reflections have as many moves.

use shakmaty::Chess;

use super::{FileKind, ProofTools, ends, epd_rows_without_tables};
use crate::symmetry::{SymmetryClass, check_reflections};
use crate::trap::ProofMethod;
use threefold_suites::epd::EpdRecord;

pub(super) const KIND: FileKind = FileKind {
    name: "symmetry",
    holds: |file| ends(file, "epd") && file.contains("symmetry"),
    read: |source_file| epd_rows_without_tables(source_file, prove),
};

fn prove(_: &mut ProofTools<'_>, record: &EpdRecord, here: &Chess) -> Result<Option<ProofMethod>, String> {
    let name = record.class_of_id().unwrap_or_default();
    let class: SymmetryClass = name.parse().map_err(|_| format!("there is no class `{name}`"))?;
    class.check(here)?;
    check_reflections(here)?;
    Ok(None)
}
