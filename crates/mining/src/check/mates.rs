//! Mates: finds the distance again, plays the PV, and compares an only move with all others.

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

use super::{FileKind, ProofTools, ends, epd_rows};
use crate::mates::{BUDGET, solutions};
use crate::trap::ProofMethod;
use threefold_chess::score::{MateDistance, Ply, Score};
use threefold_oracle::mate_prover::MateProver;
use threefold_suites::epd::EpdRecord;

/// The longest mate whose line suite `mate-game` follows, in moves.
const LONGEST_FOLLOWED: u32 = 4;

pub(super) const KIND: FileKind = FileKind {
    name: "mates",
    holds: |file| ends(file, "epd"),
    read: |source_file| epd_rows(source_file, prove),
};

fn prove(
    tools: &mut ProofTools<'_>,
    record: &EpdRecord,
    here: &Chess,
) -> Result<Option<ProofMethod>, String> {
    let tables = tools.tables;
    let written = record.operation("bm").and_then(|given| given.strip_prefix('#')).unwrap_or_default();
    let distance = written
        .parse()
        .ok()
        .and_then(MateDistance::from_moves)
        .ok_or_else(|| "no distance; write `bm #N;`".to_owned())?;
    let mut prover = MateProver::new(BUDGET);
    let (right, proof) = match tables.probe(here) {
        Some(fact) => (fact.mate() == Some(distance), ProofMethod::Tablebase),
        None => (prover.confirms(here, distance).map_err(|error| error.to_string())?, ProofMethod::Search),
    };
    if !right {
        let within = distance.plies().0.div_ceil(2);
        let found = match tables.probe(here) {
            Some(fact) => fact.mate(),
            None => prover.distance(here, within).map_err(|error| error.to_string())?,
        };
        let found =
            found.map_or_else(|| "no mate so soon".to_owned(), |found| Score::Mate(found).to_string());
        return Err(format!("`bm #{written}` is not proven: {found}"));
    }
    if let Some(moves) = record.operation("PV") {
        prove_line(here, moves, distance)?;
        if distance.moves().unsigned_abs() <= LONGEST_FOLLOWED {
            prove_distances(&mut prover, here, moves, distance)?;
        }
    }
    if let Some(only) = record.operation("only") {
        let found = solutions(tables, here, distance).map_err(|error| error.to_string())?;
        let found: Vec<String> =
            found.into_iter().map(|mv| mv.to_uci(CastlingMode::Standard).to_string()).collect();
        if found != [only] {
            return Err(format!("`only` says `{only}`, and {} keep the distance", found.join(", ")));
        }
    }
    Ok(Some(proof))
}

/// Proves the distance after each ply of a line, which suite `mate-game` follows.
fn prove_distances(
    prover: &mut MateProver,
    here: &Chess,
    moves: &str,
    distance: MateDistance,
) -> Result<(), String> {
    let mut here = here.clone();
    for (given, left) in moves.split_whitespace().zip((1..distance.plies().0).rev()) {
        let mv = given.parse::<UciMove>().ok().and_then(|mv| mv.to_move(&here).ok());
        here.play_unchecked(mv.ok_or_else(|| format!("`{given}` in `PV` is illegal"))?);
        let left = MateDistance::from_plies(Ply(left));
        if !prover.confirms(&here, left).map_err(|error| error.to_string())? {
            return Err(format!("after `{given}` in `PV`, #{} is not proven", left.moves()));
        }
    }
    Ok(())
}

/// Checks that a line of best play has as many plies as the distance and ends in mate.
fn prove_line(here: &Chess, moves: &str, distance: MateDistance) -> Result<(), String> {
    let mut here = here.clone();
    let mut plies = 0;
    for given in moves.split_whitespace() {
        let mv = given.parse::<UciMove>().ok().and_then(|mv| mv.to_move(&here).ok());
        let mv = mv.ok_or_else(|| format!("`{given}` in `PV` is illegal"))?;
        here.play_unchecked(mv);
        plies += 1;
    }
    if here.is_checkmate() && plies == distance.plies().0 {
        Ok(())
    } else {
        Err(format!("`PV` does not mate after {} plies", distance.plies().0))
    }
}
