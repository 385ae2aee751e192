//! Openings: even by the same test as when they were drawn, reached by their moves, and none twice.
//!
//! To ask the judge of each again would take longer than a check may, so a short search looks at all of them:
//! it grants more than the judge does, and finds what is lost or won.

use shakmaty::{Chess, Position};

use super::{Bench, FileKind, ends, epd_rows};
use crate::openings::{TOLERATED, is_even};
use crate::trap::Proof;
use threefold_chess::position::GamePosition;
use threefold_harness::suite::epd::EpdRecord;
use threefold_oracle::Referee;

/// The table's line.
pub(super) const KIND: FileKind = FileKind {
    name: "openings",
    holds: |file| ends(file, "epd") && file.contains("opening"),
    read: |page| epd_rows(page, prove),
};

fn prove(bench: &mut Bench<'_>, record: &EpdRecord, here: &Chess) -> Result<Option<Proof>, String> {
    if here.legal_moves().is_empty() {
        return Err("the game is over".to_owned());
    }
    if !is_even(here) {
        return Err("somebody is in check, has more men, or wins some at once".to_owned());
    }
    if let Some(moves) = record.operation("c0") {
        let start = GamePosition::start_position();
        let line = GamePosition::parse(&start.start.to_string(), moves).map_err(|error| error.to_string())?;
        let played = Referee::new(&line).map_err(|error| error.to_string())?;
        if played.position() != here {
            return Err("`c0` leads elsewhere".to_owned());
        }
    }
    match bench.glimpse.of(here) {
        Some(found) if found.0.abs() <= TOLERATED.0 => Ok(None),
        Some(_) => Err(format!("a short search finds more than {} centipawns", TOLERATED.0)),
        None => Err("Echo can't play from here".to_owned()),
    }
}
