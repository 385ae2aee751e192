//! Proves every position of a shipped file again, by the same derivations that made it.

mod exercises;
mod mates;
mod openings;
mod traps;

use std::collections::HashSet;

use shakmaty::Position;

use super::trap::Proof;
use crate::closed_set;
use crate::line::Line;
use crate::suite::{Page, SuiteError};
use crate::truth::index::MOST_MEN;
use crate::truth::table::Table;
use crate::truth::{Material, Referee, Tables};

closed_set! {
    /// What sort of file.
    pub enum FileKind {
        /// Repetition traps, in CSV.
        Traps = "traps",
        /// Mates with their distance, in EPD.
        Mates = "mates",
        /// Openings, in EPD.
        Openings = "openings",
        /// Positions to be played out or solved, in EPD.
        Exercises = "exercises",
    }
}

/// What a check tells while it works.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'p> {
    /// A table was made.
    Made(&'p Table),
    /// So many positions of so many are done.
    Checked {
        /// Positions done.
        done: usize,
        /// Positions in the file.
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

/// Why a file does not pass.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// It can't be read.
    #[error(transparent)]
    Unreadable(#[from] SuiteError),
    /// Positions in it are not what it says.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Faults(Vec<Fault>),
}

/// Proves a file's positions again; tables that are missing are made.
pub fn check(
    kind: FileKind,
    page: &Page,
    tables: &mut Tables,
    heard: &mut Heard<'_>,
) -> Result<Checked, Refused> {
    match kind {
        FileKind::Traps => traps::check(page, tables, heard),
        FileKind::Mates => mates::check(page, tables, heard),
        FileKind::Openings => openings::check(page, heard),
        FileKind::Exercises => exercises::check(page, tables, heard),
    }
}

/// The file's course: each position in turn, faults collected.
struct Course<'c> {
    page: &'c Page,
    faults: Vec<Fault>,
    checked: Checked,
    ids: HashSet<String>,
}

impl<'c> Course<'c> {
    fn new(page: &'c Page) -> Self {
        Self { page, faults: Vec::new(), checked: Checked::default(), ids: HashSet::new() }
    }

    fn settle(&mut self, line: usize, id: &str, proven: Result<Option<Proof>, String>) {
        let repeated = !self.ids.insert(id.to_owned());
        let what = match proven {
            Err(what) => what,
            Ok(_) if repeated => "the name stands above already".to_owned(),
            Ok(proof) => {
                match proof {
                    Some(Proof::Tablebase) => self.checked.by_tables += 1,
                    Some(Proof::Search) => self.checked.by_search += 1,
                    None => self.checked.by_rules += 1,
                }
                return;
            }
        };
        self.faults.push(Fault { file: self.page.file.clone(), line, id: id.to_owned(), what });
    }

    fn end(self) -> Result<Checked, Refused> {
        if self.faults.is_empty() { Ok(self.checked) } else { Err(Refused::Faults(self.faults)) }
    }
}

/// Makes the tables of the positions that are small enough.
fn make_tables<'p>(tables: &mut Tables, positions: impl Iterator<Item = &'p Line>, heard: &mut Heard<'_>) {
    let materials: Vec<Material> = positions
        .filter_map(|line| Some(Material::of(Referee::new(line).ok()?.position().board())))
        .filter(|material| material.men() <= MOST_MEN)
        .collect();
    tables
        .make(&materials, &mut |table| heard(Progress::Made(table)))
        .expect("materials of too many men were left out");
}

#[cfg(test)]
mod tests;
