//! Perft: counts leaves again, with a move generator that is independent of Echo.

use shakmaty::Chess;

use super::{FileKind, ProofTools, ends, epd_rows_without_tables};
use crate::trap::ProofMethod;
use threefold_echo::DEEPEST_PERFT;
use threefold_suites::epd::EpdRecord;

pub(super) const KIND: FileKind = FileKind {
    name: "counts of leaves",
    holds: |file| ends(file, "epd") && file.contains("perft"),
    read: |source_file| epd_rows_without_tables(source_file, prove),
};

fn prove(_: &mut ProofTools<'_>, record: &EpdRecord, here: &Chess) -> Result<Option<ProofMethod>, String> {
    for (code, written) in &record.operations {
        let Some(depth) = code.strip_prefix('D').and_then(|depth| depth.parse().ok()) else { continue };
        if depth > DEEPEST_PERFT {
            return Err(format!("`{code}` is too deep to be counted; give at most `D{DEEPEST_PERFT}`"));
        }
        let counted = shakmaty::perft(here, depth).to_string();
        if counted != *written {
            return Err(format!("`{code}` says `{written}`, and {counted} leaves are counted"));
        }
    }
    Ok(None)
}
