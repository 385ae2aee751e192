//! Mates: the distance is found again, the line played out, and an only move held against all others.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position};

use super::{Checked, Course, Heard, Progress, Refused, make_tables};
use crate::mining::mates::{BUDGET, solutions};
use crate::mining::trap::Proof;
use crate::score::{MateDistance, Score};
use crate::suite::Page;
use crate::suite::epd::{self, Record};
use crate::truth::mate_prover::MateProver;
use crate::truth::{Referee, Tables};

pub(super) fn check(page: &Page, tables: &mut Tables, heard: &mut Heard<'_>) -> Result<Checked, Refused> {
    let records = epd::read(page)?;
    make_tables(tables, records.iter().map(|record| &record.line), heard);
    let mut course = Course::new(page);
    for (done, record) in records.iter().enumerate() {
        heard(Progress::Checked { done, of: records.len() });
        course.settle(record.number, &record.id(), prove(tables, record).map(Some));
    }
    heard(Progress::Checked { done: records.len(), of: records.len() });
    course.end()
}

fn prove(tables: &Tables, record: &Record) -> Result<Proof, String> {
    let referee = Referee::new(&record.line).map_err(|error| error.to_string())?;
    let here = referee.position();
    let written = record.operation("bm").and_then(|given| given.strip_prefix('#')).unwrap_or_default();
    let distance = written
        .parse()
        .ok()
        .and_then(MateDistance::from_moves)
        .ok_or_else(|| "no distance; write `bm #N;`".to_owned())?;
    let (found, proof) = if let Some(fact) = tables.probe(here) {
        (fact.mate(), Proof::Tablebase)
    } else {
        let within = distance.plies().0.div_ceil(2);
        let found = MateProver::new(BUDGET).distance(here, within).map_err(|error| error.to_string())?;
        (found, Proof::Search)
    };
    if found != Some(distance) {
        let found =
            found.map_or_else(|| "no mate so soon".to_owned(), |found| Score::Mate(found).to_string());
        return Err(format!("`bm #{written}` is not proven: {found}"));
    }
    if let Some(moves) = record.operation("PV") {
        prove_line(here, moves, distance)?;
    }
    if let Some(only) = record.operation("only") {
        let found = solutions(tables, here, distance).map_err(|error| error.to_string())?;
        let found: Vec<String> = found.into_iter().map(|mv| referee.wire(mv).to_string()).collect();
        if found != [only] {
            return Err(format!("`only` says `{only}`, and {} keep the distance", found.join(", ")));
        }
    }
    Ok(proof)
}

/// A line of best play has as many plies as the distance and ends in mate.
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
