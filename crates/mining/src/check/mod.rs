//! Proves every position of a shipped file again, by the same derivations that made it.
//!
//! A kind of file is one file here and one line in [`KINDS`]: it says how its files are called and makes rows
//! of them, each with its own proof. The rest is the same for all: tables are made once for all files, rows
//! are proven side by side, and faults are told in the order of the lines.

mod best_moves;
mod conversions;
mod defences;
mod field;
mod judged;
mod mates;
mod openings;
mod perft;
mod perpetuals;
mod rules;
mod traps;

use std::collections::HashSet;
use std::ops::ControlFlow;

use shakmaty::{Chess, Position};

use super::crew;
use super::openings::Glimpse;
use super::trap::Proof;
use threefold_chess::position::GamePosition;
use threefold_harness::suite::epd::{self, EpdRecord};
use threefold_harness::suite::trap::{self, TrapRow};
use threefold_harness::suite::{SourceFile, SuiteError};
use threefold_oracle::table::Table;
use threefold_oracle::{Material, Referee, Tables};

/// A kind of file: how its files are called, and how its rows are proven.
#[derive(Debug, Clone, Copy)]
pub struct FileKind {
    /// What it holds.
    pub name: &'static str,
    /// Is a file of this name one of them? Asked in lower case, of the first kind first.
    pub holds: fn(&str) -> bool,
    /// Reads its rows, or says what can't be read.
    read: fn(&SourceFile) -> Result<Vec<Row>, SuiteError>,
}

/// Every kind there is: a new one is one file and one line here. What is no other EPD is a file of mates.
pub const KINDS: &[FileKind] = &[
    judged::KIND,
    rules::KIND,
    perpetuals::KIND,
    field::KIND,
    traps::KIND,
    openings::KIND,
    conversions::KIND,
    defences::KIND,
    best_moves::KIND,
    perft::KIND,
    mates::KIND,
];

impl FileKind {
    /// The kind of a file of this name.
    pub fn of(file: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| (kind.holds)(&file.to_lowercase()))
    }
}

/// Has a file this ending?
fn ends(file: &str, ending: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, found)| found == ending)
}

/// The tables of a check are of at most so many men. Larger ones can be made, but not in the time it has:
/// positions of more men are proven by search.
const MEN: usize = 4;

/// What a proof has at hand.
struct Bench<'t> {
    tables: &'t Tables,
    glimpse: Glimpse,
}

/// How a row is proven: by what, if not by the rules alone; or what is not so.
type Proving = Box<dyn Fn(&mut Bench<'_>) -> Result<Option<Proof>, String> + Send + Sync>;

/// One position of a file.
struct Row {
    /// Its line in the file, from 1.
    number: usize,
    /// Its name, which no other has.
    id: String,
    /// The position.
    position: Chess,
    /// Does it say all there is, so that no other row may have it? With a history it does not.
    alone: bool,
    prove: Proving,
}

/// What a check tells while it works.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'p> {
    /// A table was made.
    Made(&'p Table),
    /// So many positions of so many are done.
    Checked {
        /// Which of the files, from 0.
        file: usize,
        /// Positions done, in all files.
        done: usize,
        /// Positions in all files.
        of: usize,
    },
}

/// Who hears of the work.
pub type Heard<'h> = dyn FnMut(Progress<'_>) + Send + 'h;

/// How many positions were proven, and by what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Checked {
    /// By tables.
    pub by_tables: usize,
    /// By exhaustive search.
    pub by_search: usize,
    /// By the rules alone.
    pub by_rules: usize,
}

/// A position that is not what its file says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: `{id}`: {what}; make the file again with the command in its header")]
pub struct Fault {
    /// The file.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// The position's name.
    pub id: String,
    /// What is not so.
    pub what: String,
}

/// Positions of a file that are not what it says.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct Refused(pub Vec<Fault>);

/// Proves the positions of these files again, on as many threads as the tables have; tables that are missing
/// are made. One result a file, the same at any number of threads.
pub fn check(
    files: &[(&FileKind, SourceFile)],
    tables: &mut Tables,
    heard: &mut Heard<'_>,
) -> Result<Vec<Result<Checked, Refused>>, SuiteError> {
    let rows: Vec<Vec<Row>> = files.iter().map(|(kind, page)| (kind.read)(page)).collect::<Result<_, _>>()?;
    make_tables(tables, rows.iter().flatten().map(|row| &row.position), heard);
    let of = rows.iter().map(Vec::len).sum();
    let mut done = 0;
    let mut results = Vec::new();
    for (file, ((_, page), rows)) in files.iter().zip(&rows).enumerate() {
        let mut course = Course::new(page);
        let bench = || Bench { tables, glimpse: Glimpse::new() };
        let prove = |bench: &mut Bench<'_>, number: u64| (rows[number as usize].prove)(bench);
        let mut due = rows.iter();
        crew::in_turn(tables.threads(), 0..rows.len() as u64, bench, prove, |proven| {
            let Some(row) = due.next() else { return ControlFlow::Break(()) };
            course.settle(row, proven);
            done += 1;
            heard(Progress::Checked { file, done, of });
            ControlFlow::Continue(())
        });
        results.push(course.end());
    }
    Ok(results)
}

/// The file's course: each position in turn, faults collected.
struct Course<'c> {
    page: &'c SourceFile,
    faults: Vec<Fault>,
    checked: Checked,
    ids: HashSet<&'c str>,
    positions: HashSet<&'c Chess>,
}

impl<'c> Course<'c> {
    fn new(page: &'c SourceFile) -> Self {
        let (ids, positions) = (HashSet::new(), HashSet::new());
        Self { page, faults: Vec::new(), checked: Checked::default(), ids, positions }
    }

    fn settle(&mut self, row: &'c Row, proven: Result<Option<Proof>, String>) {
        let named = self.ids.insert(&row.id);
        let new = !row.alone || self.positions.insert(&row.position);
        let what = match proven {
            Err(what) => what,
            Ok(_) if !named => "the name stands above already".to_owned(),
            Ok(_) if !new => "the position stands above already".to_owned(),
            Ok(proof) => {
                match proof {
                    Some(Proof::Tablebase) => self.checked.by_tables += 1,
                    Some(Proof::Search) => self.checked.by_search += 1,
                    None => self.checked.by_rules += 1,
                }
                return;
            }
        };
        let (file, id) = (self.page.file.clone(), row.id.clone());
        self.faults.push(Fault { file, line: row.number, id, what });
    }

    fn end(self) -> Result<Checked, Refused> {
        if self.faults.is_empty() { Ok(self.checked) } else { Err(Refused(self.faults)) }
    }
}

/// The rows of a file in EPD, positions without a past.
fn epd_rows(
    page: &SourceFile,
    prove: fn(&mut Bench<'_>, &EpdRecord, &Chess) -> Result<Option<Proof>, String>,
) -> Result<Vec<Row>, SuiteError> {
    let rows = epd::read(page)?.into_iter().map(|record| {
        let position = position(page, record.number, &record.line)?;
        let here = position.clone();
        let (number, id) = (record.number, record.id());
        let prove = Box::new(move |bench: &mut Bench<'_>| prove(bench, &record, &here));
        Ok(Row { number, id, position, alone: true, prove })
    });
    rows.collect()
}

/// The rows of a file of traps that the rules alone can be asked about.
fn by_rules(page: &SourceFile, hold: fn(&TrapRow) -> Result<(), String>) -> Result<Vec<Row>, SuiteError> {
    let rows = trap::read(page)?.into_iter().map(|row| {
        let position = position(page, row.number, &row.line)?;
        let (number, id) = (row.number, row.id.clone());
        let prove = Box::new(move |_: &mut Bench<'_>| hold(&row).map(|()| None));
        Ok(Row { number, id, position, alone: false, prove })
    });
    rows.collect()
}

/// The position after a line that a file holds.
fn position(page: &SourceFile, number: usize, line: &GamePosition) -> Result<Chess, SuiteError> {
    let remedy = "write a legal position, and legal moves from it";
    let referee =
        Referee::new(line).map_err(|error| page.error_at_line(number, error.to_string(), remedy))?;
    Ok(referee.position().clone())
}

/// Makes the tables of the positions that are small enough.
fn make_tables<'p>(tables: &mut Tables, positions: impl Iterator<Item = &'p Chess>, heard: &mut Heard<'_>) {
    let materials: Vec<Material> = positions
        .map(|position| Material::of(position.board()))
        .filter(|material| material.piece_count() <= MEN)
        .collect();
    tables
        .make(&materials, &mut |table| heard(Progress::Made(table)))
        .expect("materials of too many men were left out");
}

#[cfg(test)]
mod tests;
