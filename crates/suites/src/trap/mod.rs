//! The file format of traps: CSV, with columns by name in any order.
//!
//! Each row is a position with the history that makes it a trap, and the right moves. Unknown columns are
//! kept, so that a miner's measurements reach the report. Lines that begin with `#` are comments.

mod measurements;

use std::sync::Arc;

use shakmaty::EnPassantMode;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;

use self::measurements::in_words;
use super::csv_line::line_of_record;
use super::dialogue::Case;
use super::input::{CaseDefinition, CaseInfo, Ids, OptionOverrides, SourceFile, SuiteError, SuiteInput};
use super::verdict::{Verdict, moves_text};
use threefold_chess::clock::{ClockSource, Limits};
use threefold_chess::position::GamePosition;
use threefold_oracle::referee::{Referee, RuleEnd};

threefold_named_enum::named_enum! {
    /// The true result for the side to move.
    pub enum TrueResult {
        /// It wins.
        Win = "win",
        /// Neither side wins.
        Draw = "draw",
        /// It loses.
        Loss = "loss",
    }
}

threefold_named_enum::named_enum! {
    /// How an answer is known.
    pub enum AnswerSource {
        /// A tablebase.
        Tablebase = "tablebase",
        /// An exhaustive search.
        Search = "search",
        /// The rules of chess alone.
        Rules = "rules",
        /// Deep searches, without proof.
        Judged = "judged",
    }
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrapRow {
    /// Its first line in the file, from 1.
    pub number: usize,
    /// Unique in its suite.
    pub id: String,
    /// The kind of trap, one word.
    pub class: String,
    /// The start of the history, and the moves to the position that is judged.
    pub position: GamePosition,
    /// The position without its history.
    pub without_history: GamePosition,
    /// Every accepted move, at least one.
    pub best: Vec<UciMove>,
    /// The tempting wrong moves.
    pub avoid: Vec<UciMove>,
    /// The true result.
    pub result: Option<TrueResult>,
    /// Moves to mate, negative where the side to move is mated.
    pub distance: Option<i32>,
    /// The fifty-move counter of the search before this one, in suites that fill the hash table first; 0 if
    /// it is not given.
    pub before: u32,
    /// How the answer is known.
    pub origin: Option<AnswerSource>,
    /// Why the answer is right.
    pub note: String,
    /// Columns that are shown and not judged (`material` among them), as name and value; empty ones are left
    /// out.
    pub other_columns: Vec<(String, String)>,
}

const REQUIRED: [&str; 5] = ["id", "class", "fen", "moves", "best"];
const JUDGED: [&str; 11] =
    ["id", "class", "fen", "moves", "best", "avoid", "result", "dtm", "before", "source", "note"];
/// The largest counter with which a game goes on.
const LARGEST_COUNTER: u32 = 99;

/// May the game be over at the position of a row?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndedGames {
    /// No.
    Refused,
    /// By a third occurrence or the fifty-move rule: engines are asked for such positions, too.
    DrawsByClaim,
}

/// Parses every row and checks it against the rules.
pub fn parse_traps(file: &SourceFile) -> Result<Vec<TrapRow>, SuiteError> {
    parse_rows(file, EndedGames::Refused)
}

/// Parses every row of a file in which games may be over.
pub fn parse_rows(file: &SourceFile, ended: EndedGames) -> Result<Vec<TrapRow>, SuiteError> {
    let mut reader =
        csv::ReaderBuilder::new().comment(Some(b'#')).trim(csv::Trim::All).from_reader(file.text.as_bytes());
    let header = reader.headers().map_err(|error| csv_error(file, &error))?.clone();
    check_header(file, &header)?;
    let mut traps = Vec::new();
    for record in reader.into_records() {
        let record = record.map_err(|error| csv_error(file, &error))?;
        let number = record.position().map_or(1, |position| first_line_of(file, position));
        let trap = CsvRow { source_file: file, number, header: &header, record: &record }.trap(ended)?;
        traps.push(trap);
    }
    Ok(traps)
}

/// A case for each trap of a suite whose kind has no settings.
pub fn cases(
    input: &SuiteInput<'_>,
    open: fn(Arc<TrapRow>, Limits) -> Box<dyn Case>,
) -> Result<Vec<CaseDefinition>, SuiteError> {
    Ok(rows_with_cases(input, open)?.into_iter().map(|(_, definition)| definition).collect())
}

/// The cases of rows in which the game may be over, where a case passes as in [`cases_accepting`].
pub fn cases_of_rows(
    suite: &str,
    rows: Vec<TrapRow>,
    open: fn(Arc<TrapRow>, Limits) -> Box<dyn Case>,
    accepts: fn(&TrapRow, UciMove, &Verdict) -> bool,
) -> Vec<CaseDefinition> {
    let case = |row: TrapRow| {
        let (info, row) = (row.case_info(suite), Arc::new(row));
        let judged = Arc::clone(&row);
        CaseDefinition::new(info, move |limits: &Limits| open(Arc::clone(&row), *limits))
            .accepting(move |mv, verdict| accepts(&judged, mv, verdict))
    };
    rows.into_iter().map(case).collect()
}

/// The cases of a trap file, where a case passes if and only if `accepts` says so of a legal move and of what
/// else the answer has.
pub fn cases_accepting(
    input: &SuiteInput<'_>,
    open: fn(Arc<TrapRow>, Limits) -> Box<dyn Case>,
    accepts: fn(&TrapRow, UciMove, &Verdict) -> bool,
) -> Result<Vec<CaseDefinition>, SuiteError> {
    let accepting = |(trap, definition): (Arc<TrapRow>, CaseDefinition)| {
        definition.accepting(move |mv, verdict| accepts(&trap, mv, verdict))
    };
    Ok(rows_with_cases(input, open)?.into_iter().map(accepting).collect())
}

fn rows_with_cases(
    input: &SuiteInput<'_>,
    open: fn(Arc<TrapRow>, Limits) -> Box<dyn Case>,
) -> Result<Vec<(Arc<TrapRow>, CaseDefinition)>, SuiteError> {
    input.limits_alone()?;
    let definition = |trap: TrapRow| {
        let (info, trap) = (trap.case_info(input.suite), Arc::new(trap));
        let row = Arc::clone(&trap);
        (row, CaseDefinition::new(info, move |limits: &Limits| open(Arc::clone(&trap), *limits)))
    };
    Ok(unique_rows(input)?.into_iter().map(definition).collect())
}

/// All traps of a suite, with unique ids.
pub fn unique_rows(input: &SuiteInput<'_>) -> Result<Vec<TrapRow>, SuiteError> {
    let mut ids = Ids::default();
    let mut traps = Vec::new();
    for source_file in input.positions {
        for trap in parse_traps(source_file)? {
            ids.claim(source_file, trap.number, &trap.id)?;
            traps.push(trap);
        }
    }
    Ok(traps)
}

impl TrapRow {
    fn case_info(&self, suite: &str) -> CaseInfo {
        CaseInfo {
            suite: suite.to_owned(),
            id: self.id.clone(),
            class: self.class.clone(),
            accepted: moves_text(&self.best),
            note: self.remarks(),
            position: self.position.clone(),
            clock_source: ClockSource::Wall,
            players: vec![OptionOverrides::default()],
            background_threads: 0,
        }
    }

    /// The position without its history, and with the fifty-move counter of the search before.
    pub fn with_counter_of_before(&self) -> GamePosition {
        let mut setup = self.without_history.start.as_setup().clone();
        setup.halfmoves = self.before;
        GamePosition {
            start: Fen::try_from(setup).unwrap_or_else(|_| self.without_history.start.clone()),
            moves: Vec::new(),
        }
    }

    /// Why the answer is right, its source, and every measurement, as text.
    pub fn remarks(&self) -> String {
        let known = [
            ("source", self.origin.map(|origin| origin.to_string())),
            ("result", self.result.map(|result| result.to_string())),
            ("dtm", self.distance.map(|moves| moves.to_string())),
            ("avoid", (!self.avoid.is_empty()).then(|| moves_text(&self.avoid))),
            ("before", (self.before != 0).then(|| self.before.to_string())),
        ];
        let known = known.into_iter().filter_map(|(name, value)| Some(in_words(name, &value?)));
        let others = self.other_columns.iter().map(|(name, value)| in_words(name, value));
        let note = (!self.note.is_empty()).then(|| self.note.clone());
        note.into_iter().chain(known).chain(others).collect::<Vec<_>>().join("; ")
    }
}

fn bare(referee: &Referee) -> GamePosition {
    GamePosition { start: Fen::from_position(referee.position(), EnPassantMode::Legal), moves: Vec::new() }
}

/// The line of a record.
fn first_line_of(file: &SourceFile, position: &csv::Position) -> usize {
    line_of_record(&file.text, position, Some('#')) as usize
}

fn csv_error(file: &SourceFile, error: &csv::Error) -> SuiteError {
    let number = error.position().map_or(1, |position| first_line_of(file, position));
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let what = format!("{len} fields, and the header has {expected_len}");
            file.error_at_line(number, what, "put quotes around a field that holds a comma")
        }
        _ => file.error_at_line(number, error.to_string(), "write CSV with a header line"),
    }
}

fn check_header(file: &SourceFile, header: &csv::StringRecord) -> Result<(), SuiteError> {
    let number = first_line_of(file, header.position().unwrap_or(&csv::Position::new()));
    for name in REQUIRED {
        if !header.iter().any(|known| known == name) {
            let remedy = format!("the header needs {}, in any order", REQUIRED.join(", "));
            return Err(file.error_at_line(number, format!("there is no column `{name}`"), remedy));
        }
    }
    for (index, name) in header.iter().enumerate() {
        if header.iter().take(index).any(|earlier| earlier == name) {
            let what = format!("two columns are called `{name}`");
            return Err(file.error_at_line(number, what, "give each column a name of its own"));
        }
    }
    Ok(())
}

/// A record with its header and its file.
struct CsvRow<'a> {
    source_file: &'a SourceFile,
    number: usize,
    header: &'a csv::StringRecord,
    record: &'a csv::StringRecord,
}

impl CsvRow<'_> {
    fn trap(&self, ended: EndedGames) -> Result<TrapRow, SuiteError> {
        let line = GamePosition::parse(self.field("fen"), self.field("moves"))
            .map_err(|error| self.error(error.to_string(), "correct `fen` or `moves`"))?;
        let referee = Referee::new(&line)
            .map_err(|error| self.error(error.to_string(), "give a history that can be played"))?;
        let is_claimed = |ending: &RuleEnd| {
            ended == EndedGames::DrawsByClaim && matches!(ending, RuleEnd::Threefold | RuleEnd::FiftyMoves)
        };
        if let Some(ending) = referee.ending().filter(|ending| !is_claimed(ending)) {
            let what = format!("the game is over at this position ({ending})");
            return Err(self.error(what, "end the history before"));
        }
        let best = self.moves("best", &referee)?;
        if best.is_empty() {
            return Err(self.error("`best` is empty", "name every acceptable move"));
        }
        let avoid = self.moves("avoid", &referee)?;
        if let Some(mv) = avoid.iter().find(|mv| best.contains(mv)) {
            let what = format!("`{mv}` is both best and to be avoided");
            return Err(self.error(what, "drop it from one of the two"));
        }
        Ok(TrapRow {
            number: self.number,
            id: self.word("id")?,
            class: self.word("class")?,
            without_history: bare(&referee),
            position: line,
            best,
            avoid,
            result: self.optional("result")?,
            distance: self.distance()?,
            before: self.before()?,
            origin: self.optional("source")?,
            note: self.field("note").to_owned(),
            other_columns: self.others(),
        })
    }

    fn field(&self, name: &str) -> &str {
        let cells = self.header.iter().zip(self.record);
        cells.into_iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    fn others(&self) -> Vec<(String, String)> {
        let cells = self.header.iter().zip(self.record);
        cells
            .filter(|(name, value)| !JUDGED.contains(name) && !value.is_empty())
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    fn word(&self, name: &str) -> Result<String, SuiteError> {
        let given = self.field(name);
        if given.is_empty() || given.contains(char::is_whitespace) {
            return Err(self.error(format!("`{name}` is `{given}`"), "give one word"));
        }
        Ok(given.to_owned())
    }

    fn optional<T>(&self, name: &str) -> Result<Option<T>, SuiteError>
    where
        T: std::str::FromStr<Err = threefold_named_enum::UnknownName>,
    {
        let given = self.field(name);
        if given.is_empty() {
            return Ok(None);
        }
        given.parse().map(Some).map_err(|unknown: T::Err| {
            let remedy = format!("use one of {}, or leave it empty", unknown.known.join(", "));
            self.error(format!("`{name}` is `{given}`"), &remedy)
        })
    }

    fn distance(&self) -> Result<Option<i32>, SuiteError> {
        let given = self.field("dtm");
        if given.is_empty() {
            return Ok(None);
        }
        let remedy = "give moves to mate, negative where the side to move is mated, or leave it empty";
        given.parse().map(Some).map_err(|_| self.error(format!("`dtm` is `{given}`"), remedy))
    }

    fn before(&self) -> Result<u32, SuiteError> {
        let given = self.field("before");
        if given.is_empty() {
            return Ok(0);
        }
        let remedy =
            format!("give a fifty-move counter from 0 to {LARGEST_COUNTER} in plies, or leave it empty");
        let counter = given.parse().ok().filter(|&counter: &u32| counter <= LARGEST_COUNTER);
        counter.ok_or_else(|| self.error(format!("`before` is `{given}`"), &remedy))
    }

    fn moves(&self, name: &str, referee: &Referee) -> Result<Vec<UciMove>, SuiteError> {
        let read = |given: &str| {
            let legal = given.parse().ok().and_then(|mv: UciMove| referee.legal(mv).ok());
            // In the referee's notation, in which answers are compared.
            legal.map(|legal| referee.uci(legal)).ok_or_else(|| {
                let what = format!("`{given}` in `{name}` is no legal move at the end of the history");
                self.error(what, "write moves as UCI does (e2e4, e7e8q), with spaces between")
            })
        };
        self.field(name).split_whitespace().map(read).collect()
    }

    fn error(&self, what: impl Into<String>, remedy: &str) -> SuiteError {
        self.source_file.error_at_line(self.number, what, remedy)
    }
}

#[cfg(test)]
mod tests;
