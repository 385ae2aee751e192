//! Positions to be played out or solved: what their lines say of them is asked of the tables again.

use shakmaty::Chess;

use super::{Checked, Course, Heard, Progress, Refused, make_tables};
use crate::mining::trap::Proof;
use crate::mining::{best_moves, defences};
use crate::suite::Page;
use crate::suite::epd::{self, Record};
use crate::truth::{Fact, Referee, Tables};

pub(super) fn check(page: &Page, tables: &mut Tables, heard: &mut Heard<'_>) -> Result<Checked, Refused> {
    let records = epd::read(page)?;
    make_tables(tables, records.iter().map(|record| &record.line), heard);
    let mut course = Course::new(page);
    for record in &records {
        course.settle(record.number, &record.id(), prove(tables, record).map(Some));
    }
    heard(Progress::Checked { done: records.len(), of: records.len() });
    course.end()
}

fn prove(tables: &Tables, record: &Record) -> Result<Proof, String> {
    let referee = Referee::new(&record.line).map_err(|error| error.to_string())?;
    let here = referee.position();
    let fact = tables.probe(here).ok_or_else(|| "no table knows it".to_owned())?;
    match (record.operation("dm"), record.operation("result"), record.operation("bm")) {
        (Some(moves), None, None) => match fact {
            Fact::Mate(mate) if mate.moves().to_string() == moves => Ok(Proof::Tablebase),
            Fact::Mate(mate) => Err(format!("`dm {moves}` is #{} in the tables", mate.moves())),
            Fact::Draw => Err(format!("`dm {moves}` is a draw in the tables")),
        },
        (None, Some("draw"), None) => match defences::holding(tables, here) {
            Some(_) => Ok(Proof::Tablebase),
            None => Err("no draw that few moves hold".to_owned()),
        },
        (None, None, Some(_)) => graded(tables, record, here),
        _ => Err("neither `dm`, nor `result \"draw\"`, nor `bm` alone".to_owned()),
    }
}

fn graded(tables: &Tables, record: &Record, here: &Chess) -> Result<Proof, String> {
    let points = best_moves::points(tables, here).ok_or_else(|| "it asks for too little".to_owned())?;
    let told = best_moves::told(here, &points);
    let written = record.operation("c0").unwrap_or_default();
    if told == written {
        Ok(Proof::Tablebase)
    } else {
        Err(format!("`c0` says `{written}`, the tables `{told}`"))
    }
}
