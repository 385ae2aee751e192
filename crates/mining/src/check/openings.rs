//! Openings: checks the balance as when they were drawn, the moves, and that none occurs twice.
//!
//! To repeat the judge's searches would take too long, so a short search checks all of them. It allows more
//! than the judge does, and finds lost or won positions. The judge may have been an earlier Echo, whose short search found
//! nothing, so a longer one decides then.

use shakmaty::{Chess, Position};

use super::{FileKind, ProofTools, ends, epd_rows};
use crate::openings::{JUDGE_NODES, TOLERATED, is_even};
use crate::trap::ProofMethod;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Centipawns;
use threefold_oracle::Referee;
use threefold_suites::epd::EpdRecord;

pub(super) const KIND: FileKind = FileKind {
    name: "openings",
    holds: |file| ends(file, "epd") && file.contains("opening"),
    read: |source_file| epd_rows(source_file, prove),
};

fn prove(
    tools: &mut ProofTools<'_>,
    record: &EpdRecord,
    here: &Chess,
) -> Result<Option<ProofMethod>, String> {
    if here.legal_moves().is_empty() {
        return Err("the game is over".to_owned());
    }
    if !is_even(here) {
        return Err("a king is in check, material is unbalanced, or a side wins material at once".to_owned());
    }
    if let Some(moves) = record.operation("c0") {
        let start = GamePosition::start_position();
        let position =
            GamePosition::parse(&start.start.to_string(), moves).map_err(|error| error.to_string())?;
        let played = Referee::new(&position).map_err(|error| error.to_string())?;
        if played.position() != here {
            return Err("`c0` leads elsewhere".to_owned());
        }
    }
    let is_balanced = |score: Option<Centipawns>| {
        let found = score.ok_or_else(|| "Echo can't play from here".to_owned())?;
        Ok::<bool, String>(found.0.abs() <= TOLERATED.0)
    };
    if is_balanced(tools.quick_search.score(here))? || is_balanced(tools.quick_search.longer_score(here))? {
        return Ok(None);
    }
    Err(format!("a search of {JUDGE_NODES} nodes finds more than {} centipawns", TOLERATED.0))
}
