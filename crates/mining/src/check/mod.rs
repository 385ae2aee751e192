//! Proves every position of a shipped file again, with the functions that made it.
//!
//! A kind of file is one file here and one line in [`KINDS`]: it recognises file names and makes rows, each
//! with its proof. The rest is shared: tables are generated once for all files, rows are proven in parallel,
//! and errors are reported in line order.

mod anecdotes;
mod best_moves;
mod collected;
mod conversions;
mod defences;
mod fifty;
mod mates;
mod middlegame;
mod openings;
mod perft;
mod perpetual_bonus;
mod perpetuals;
mod root_returns;
mod rules;
mod special_moves;
mod symmetry;
mod traps;
mod values;

use std::collections::HashSet;
use std::ops::ControlFlow;

use shakmaty::{Chess, Position};

use super::openings::QuickSearch;
use super::ordered_parallel;
use super::trap::ProofMethod;
use threefold_chess::position::GamePosition;
use threefold_oracle::table::Table;
use threefold_oracle::{Material, Referee, Tables};
use threefold_suites::epd::{self, EpdRecord};
use threefold_suites::trap::{self, TrapRow};
use threefold_suites::{SourceFile, SuiteError};

/// A kind of file: how its names are recognised, and how its rows are proven.
#[derive(Debug, Clone, Copy)]
pub struct FileKind {
    /// What it holds.
    pub name: &'static str,
    /// Is a file with this name (in lower case) one of them? Kinds are tried in order.
    pub holds: fn(&str) -> bool,
    /// Parses its rows.
    read: fn(&SourceFile) -> Result<Vec<CheckedRow>, SuiteError>,
}

/// All kinds; a new one needs a file and a line here. EPD of no other kind is a file of mates.
pub const KINDS: &[FileKind] = &[
    anecdotes::KIND,
    middlegame::KIND,
    rules::KIND,
    fifty::KIND,
    values::KIND,
    special_moves::KIND,
    perpetual_bonus::KIND,
    perpetuals::KIND,
    collected::KIND,
    traps::KIND,
    openings::KIND,
    conversions::KIND,
    defences::KIND,
    best_moves::KIND,
    perft::KIND,
    symmetry::KIND,
    root_returns::KIND,
    mates::KIND,
];

impl FileKind {
    /// The kind of a file with this name.
    pub fn for_file(file: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| (kind.holds)(&file.to_lowercase()))
    }
}

/// Does a file name end so?
fn ends(file: &str, ending: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, found)| found == ending)
}

/// The most pieces of a table that the check generates. Larger ones would take too long: positions with more
/// pieces are proven by search.
const TABLE_PIECES: usize = 4;

/// What proofs use.
struct ProofTools<'t> {
    tables: &'t Tables,
    quick_search: QuickSearch,
}

/// The proof of a row: its method (`None` for the rules alone), or what is wrong.
type ProveFn = Box<dyn Fn(&mut ProofTools<'_>) -> Result<Option<ProofMethod>, String> + Send + Sync>;

/// One position of a file.
struct CheckedRow {
    /// Its line in the file, from 1.
    number: usize,
    /// Its id, which is unique.
    id: String,
    /// The position of the row.
    position: Chess,
    /// May no other row have this position? Rows with a history may differ in it alone.
    is_unique: bool,
    /// May the proof use the table of its material, so that the table is generated?
    uses_tables: bool,
    prove: ProveFn,
}

/// The progress of a check.
#[derive(Debug, Clone, Copy)]
pub enum CheckProgress<'p> {
    /// A table was generated.
    Made(&'p Table),
    /// A position was checked.
    Checked {
        /// The file, from 0.
        file: usize,
        /// Positions checked, in all files.
        done: usize,
        /// Positions in all files.
        of: usize,
    },
}

/// Receives the progress.
pub type ProgressFn<'h> = dyn FnMut(CheckProgress<'_>) + Send + 'h;

/// The number of proven positions by method.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProofCounts {
    /// By tables.
    pub by_tables: usize,
    /// By exhaustive search.
    pub by_search: usize,
    /// By the rules alone.
    pub by_rules: usize,
}

/// A row with an error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: `{id}`: {what}; make the file again with the command in its header")]
pub struct RowError {
    /// The name of the checked file.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// The position's name.
    pub id: String,
    /// What is wrong.
    pub what: String,
}

/// The errors in a file.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct CheckErrors(pub Vec<RowError>);

/// Proves the positions of these files again, with as many threads as the tables have; missing tables are
/// generated. One result per file, the same with any number of threads.
pub fn check(
    files: &[(&FileKind, SourceFile)],
    tables: &mut Tables,
    on_progress: &mut ProgressFn<'_>,
) -> Result<Vec<Result<ProofCounts, CheckErrors>>, SuiteError> {
    let rows: Vec<Vec<CheckedRow>> =
        files.iter().map(|(kind, source_file)| (kind.read)(source_file)).collect::<Result<_, _>>()?;
    let with_tables = rows.iter().flatten().filter(|row| row.uses_tables);
    make_tables(tables, with_tables.map(|row| &row.position), on_progress);
    let of = rows.iter().map(Vec::len).sum();
    let mut done = 0;
    let mut results = Vec::new();
    for (file, ((_, source_file), rows)) in files.iter().zip(&rows).enumerate() {
        let mut file_check = FileCheck::new(source_file);
        let tools = || ProofTools { tables, quick_search: QuickSearch::new() };
        let prove = |tools: &mut ProofTools<'_>, number: u64| {
            let row = &rows[number as usize];
            (row, (row.prove)(tools))
        };
        ordered_parallel::run_in_order(
            tables.threads(),
            0..rows.len() as u64,
            tools,
            prove,
            |(row, proven)| {
                file_check.record(row, proven);
                done += 1;
                on_progress(CheckProgress::Checked { file, done, of });
                ControlFlow::Continue(())
            },
        );
        results.push(file_check.end());
    }
    Ok(results)
}

/// The check of a file: collects the proofs of its rows, finds duplicates, and counts.
struct FileCheck<'c> {
    source_file: &'c SourceFile,
    errors: Vec<RowError>,
    checked: ProofCounts,
    ids: HashSet<&'c str>,
    positions: HashSet<&'c Chess>,
}

impl<'c> FileCheck<'c> {
    fn new(source_file: &'c SourceFile) -> Self {
        let (ids, positions) = (HashSet::new(), HashSet::new());
        Self { source_file, errors: Vec::new(), checked: ProofCounts::default(), ids, positions }
    }

    fn record(&mut self, row: &'c CheckedRow, proven: Result<Option<ProofMethod>, String>) {
        // Both sets take a row whose proof fails as well, so that a later duplicate of it is found.
        let named = self.ids.insert(&row.id);
        let new = !row.is_unique || self.positions.insert(&row.position);
        let what = match proven {
            Err(what) => what,
            Ok(_) if !named => "the name occurs above already".to_owned(),
            Ok(_) if !new => "the position occurs above already".to_owned(),
            Ok(proof) => {
                match proof {
                    Some(ProofMethod::Tablebase) => self.checked.by_tables += 1,
                    Some(ProofMethod::Search) => self.checked.by_search += 1,
                    None => self.checked.by_rules += 1,
                }
                return;
            }
        };
        let (file, id) = (self.source_file.file.clone(), row.id.clone());
        self.errors.push(RowError { file, line: row.number, id, what });
    }

    fn end(self) -> Result<ProofCounts, CheckErrors> {
        if self.errors.is_empty() { Ok(self.checked) } else { Err(CheckErrors(self.errors)) }
    }
}

/// The rows of a file of traps, each proven by the tables alone.
fn trap_rows(
    source_file: &SourceFile,
    prove: fn(&Tables, &TrapRow) -> Result<Option<ProofMethod>, String>,
) -> Result<Vec<CheckedRow>, SuiteError> {
    let rows = trap::parse_traps(source_file)?.into_iter().map(|row| {
        let position = position(source_file, row.number, &row.position)?;
        let (number, id) = (row.number, row.id.clone());
        let prove = Box::new(move |tools: &mut ProofTools<'_>| prove(tools.tables, &row));
        Ok(CheckedRow { number, id, position, is_unique: false, uses_tables: true, prove })
    });
    rows.collect()
}

/// The rows of an EPD file of positions without a history.
fn epd_rows(
    source_file: &SourceFile,
    prove: fn(&mut ProofTools<'_>, &EpdRecord, &Chess) -> Result<Option<ProofMethod>, String>,
) -> Result<Vec<CheckedRow>, SuiteError> {
    let rows = epd::parse_epd(source_file)?.into_iter().map(|record| {
        let position = position(source_file, record.number, &record.position)?;
        let here = position.clone();
        let (number, id) = (record.number, record.id());
        let prove = Box::new(move |tools: &mut ProofTools<'_>| prove(tools, &record, &here));
        Ok(CheckedRow { number, id, position, is_unique: true, uses_tables: true, prove })
    });
    rows.collect()
}

/// The rows of an EPD file of positions without a history, whose proof needs no table.
fn epd_rows_without_tables(
    source_file: &SourceFile,
    prove: fn(&mut ProofTools<'_>, &EpdRecord, &Chess) -> Result<Option<ProofMethod>, String>,
) -> Result<Vec<CheckedRow>, SuiteError> {
    let rows = epd_rows(source_file, prove)?;
    Ok(rows.into_iter().map(|row| CheckedRow { uses_tables: false, ..row }).collect())
}

/// The rows of a file of traps that are checked by the rules only.
fn by_rules(
    source_file: &SourceFile,
    hold: fn(&TrapRow) -> Result<(), String>,
) -> Result<Vec<CheckedRow>, SuiteError> {
    let rows = trap::parse_traps(source_file)?.into_iter().map(|row| {
        let position = position(source_file, row.number, &row.position)?;
        let (number, id) = (row.number, row.id.clone());
        let prove = Box::new(move |_: &mut ProofTools<'_>| hold(&row).map(|()| None));
        Ok(CheckedRow { number, id, position, is_unique: false, uses_tables: false, prove })
    });
    rows.collect()
}

/// The position at the end of the game of a row; errors name its line.
fn position(source_file: &SourceFile, number: usize, history: &GamePosition) -> Result<Chess, SuiteError> {
    let remedy = "write a legal position, and legal moves from it";
    let referee = Referee::new(history)
        .map_err(|error| source_file.error_at_line(number, error.to_string(), remedy))?;
    Ok(referee.position().clone())
}

/// Generates the tables of the positions with few pieces.
fn make_tables<'p>(
    tables: &mut Tables,
    positions: impl Iterator<Item = &'p Chess>,
    on_progress: &mut ProgressFn<'_>,
) {
    let materials: Vec<Material> = positions
        .map(|position| Material::from_board(position.board()))
        .filter(|material| material.piece_count() <= TABLE_PIECES)
        .collect();
    tables
        .make(&materials, &mut |table| on_progress(CheckProgress::Made(table)))
        .expect("materials of too many pieces were left out");
}

#[cfg(test)]
mod tests;
