//! Openings: even by the same test as when they were drawn, reached by their moves, and none twice.

use std::collections::HashSet;

use shakmaty::Chess;

use super::{Checked, Course, Heard, Progress, Refused};
use crate::line::Line;
use crate::mining::openings::is_even;
use crate::suite::Page;
use crate::suite::epd::{self, Record};
use crate::truth::Referee;

pub(super) fn check(page: &Page, heard: &mut Heard<'_>) -> Result<Checked, Refused> {
    let records = epd::read(page)?;
    let mut course = Course::new(page);
    let mut known: HashSet<Chess> = HashSet::new();
    for (done, record) in records.iter().enumerate() {
        heard(Progress::Checked { done, of: records.len() });
        let proven = prove(record).and_then(|position| {
            if known.insert(position) {
                Ok(None)
            } else {
                Err("the position stands above already".to_owned())
            }
        });
        course.settle(record.number, &record.id(), proven);
    }
    heard(Progress::Checked { done: records.len(), of: records.len() });
    course.end()
}

fn prove(record: &Record) -> Result<Chess, String> {
    let here = Referee::new(&record.line).map_err(|error| error.to_string())?.position().clone();
    if !is_even(&here) {
        return Err("somebody is in check, has more men, or wins some at once".to_owned());
    }
    if let Some(moves) = record.operation("c0") {
        let start = Line::start_position();
        let line = Line::parse(&start.start.to_string(), moves).map_err(|error| error.to_string())?;
        let played = Referee::new(&line).map_err(|error| error.to_string())?;
        if *played.position() != here {
            return Err("`c0` leads elsewhere".to_owned());
        }
    }
    Ok(here)
}
