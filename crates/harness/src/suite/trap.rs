//! The file format of traps: CSV, with columns by name in any order.
//!
//! Each row is a position with the history that makes it a trap, and the right moves. Unknown columns are
//! kept, so that a miner's measurements reach the report. Lines that begin with `#` are comments.

use std::sync::Arc;

use shakmaty::EnPassantMode;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;

use super::dialogue::Case;
use super::input::{CaseDefinition, CaseInfo, Ids, OptionOverrides, SourceFile, SuiteError, SuiteInput};
use super::verdict::moves_text;
use threefold_chess::clock::{ClockSource, Limits};
use threefold_chess::position::GamePosition;
use threefold_oracle::referee::Referee;

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
    pub line: GamePosition,
    /// The same position without its history.
    pub without_history: GamePosition,
    /// Every accepted move, at least one.
    pub best: Vec<UciMove>,
    /// The tempting wrong moves.
    pub avoid: Vec<UciMove>,
    /// The true result.
    pub result: Option<TrueResult>,
    /// Moves to mate, negative where the side to move is mated.
    pub distance: Option<i32>,
    /// How the answer is known.
    pub origin: Option<AnswerSource>,
    /// Why the answer is right.
    pub note: String,
    /// Columns that are shown and not judged (`material` among them), as name and value; empty ones are left
    /// out.
    pub other_columns: Vec<(String, String)>,
}

const REQUIRED: [&str; 5] = ["id", "class", "fen", "moves", "best"];
const JUDGED: [&str; 10] =
    ["id", "class", "fen", "moves", "best", "avoid", "result", "dtm", "source", "note"];

/// Parses every row and checks it against the rules.
pub fn read(file: &SourceFile) -> Result<Vec<TrapRow>, SuiteError> {
    let mut reader =
        csv::ReaderBuilder::new().comment(Some(b'#')).trim(csv::Trim::All).from_reader(file.text.as_bytes());
    let header = reader.headers().map_err(|error| csv_error(file, &error))?.clone();
    check_header(file, &header)?;
    let mut traps = Vec::new();
    for record in reader.into_records() {
        let record = record.map_err(|error| csv_error(file, &error))?;
        let number = record.position().map_or(1, |position| first_line_of(file, position));
        let trap = CsvRow { source_file: file, number, header: &header, record: &record }.trap()?;
        traps.push(trap);
    }
    Ok(traps)
}

/// A case for each trap of a suite whose kind has no settings.
pub fn cases(
    input: &SuiteInput<'_>,
    open: fn(Arc<TrapRow>, Limits) -> Box<dyn Case>,
) -> Result<Vec<CaseDefinition>, SuiteError> {
    input.limits_alone()?;
    let traps = unique_rows(input)?.into_iter().map(Arc::new);
    let definition = |trap: Arc<TrapRow>| {
        let info = trap.case_info(input.suite);
        CaseDefinition::new(info, move |limits: &Limits| open(Arc::clone(&trap), *limits))
    };
    Ok(traps.map(definition).collect())
}

/// All traps of a suite, with unique ids.
pub fn unique_rows(input: &SuiteInput<'_>) -> Result<Vec<TrapRow>, SuiteError> {
    let mut ids = Ids::default();
    let mut traps = Vec::new();
    for source_file in input.positions {
        for trap in read(source_file)? {
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
            line: self.line.clone(),
            pace: ClockSource::Wall,
            players: vec![OptionOverrides::default()],
            background_threads: 0,
        }
    }

    /// The same position without its history and with a fresh fifty-move counter.
    pub fn with_fresh_counter(&self) -> GamePosition {
        let mut setup = self.without_history.start.as_setup().clone();
        setup.halfmoves = 0;
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
        ];
        let known = known.into_iter().filter_map(|(name, value)| Some(format!("{name}: {}", value?)));
        let others = self.other_columns.iter().map(|(name, value)| format!("{name}: {value}"));
        let note = (!self.note.is_empty()).then(|| self.note.clone());
        note.into_iter().chain(known).chain(others).collect::<Vec<_>>().join("; ")
    }
}

fn bare(referee: &Referee) -> GamePosition {
    GamePosition { start: Fen::from_position(referee.position(), EnPassantMode::Legal), moves: Vec::new() }
}

/// The line where a record begins: csv reports that of the comments and empty lines before it.
fn first_line_of(file: &SourceFile, position: &csv::Position) -> usize {
    let rest = file.text.get(position.byte() as usize..).unwrap_or_default();
    let skipped = rest.lines().take_while(|line| line.is_empty() || line.starts_with('#')).count();
    position.line() as usize + skipped
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
    fn trap(&self) -> Result<TrapRow, SuiteError> {
        let line = GamePosition::parse(self.field("fen"), self.field("moves"))
            .map_err(|error| self.error(error.to_string(), "correct `fen` or `moves`"))?;
        let referee = Referee::new(&line)
            .map_err(|error| self.error(error.to_string(), "give a history that can be played"))?;
        if let Some(ending) = referee.ending() {
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
            line,
            best,
            avoid,
            result: self.optional("result")?,
            distance: self.distance()?,
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

    fn moves(&self, name: &str, referee: &Referee) -> Result<Vec<UciMove>, SuiteError> {
        let read = |given: &str| {
            let legal = given.parse().ok().and_then(|mv: UciMove| referee.legal(mv).ok());
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn source_file(text: &str) -> SourceFile {
        SourceFile { file: "t.csv".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn columns_may_have_any_order_and_unknown_ones_are_kept() {
        let text = "# Ours.\nbest,pull,moves,fen,class,id,source,result,dtm,avoid,note,material\n\
                    \n# First.\na2b2 a2c2,120,h8g8 ,7k/8/8/8/8/8/R7/K7 b - - 0 1,dawdle,d-1,\
                    tablebase,win,9,a2a3,\"a rook, up\",KRK\n";
        let traps = read(&source_file(text)).expect("sound");
        let [trap] = &traps[..] else { panic!("{traps:?}") };
        assert_eq!((trap.number, trap.id.as_str(), trap.class.as_str()), (5, "d-1", "dawdle"));
        assert_eq!((moves_text(&trap.best), moves_text(&trap.avoid)), ("a2b2 a2c2".into(), "a2a3".into()));
        assert_eq!(trap.without_history.to_string(), "fen 6k1/8/8/8/8/8/R7/K7 w - - 1 2");
        assert_eq!(
            trap.remarks(),
            "a rook, up; source: tablebase; result: win; dtm: 9; avoid: a2a3; pull: 120; material: KRK"
        );
    }

    #[test]
    fn row_errors_name_the_line() {
        let header = "id,class,fen,moves,best,avoid,result,dtm,source";
        let fen = "7k/8/8/8/8/8/R7/K7 w - - 0 1";
        let row = |row: &str| format!("# x\n\n{header}\n# y\n{row}\n").replace('F', fen);
        let table = [
            (
                "id,class,fen,best\n".to_owned(),
                "t.csv:1: there is no column `moves`; the header needs id, class, fen, moves, best, in any order",
            ),
            (
                "# x\nid,class,fen,moves,best,id\n".to_owned(),
                "t.csv:2: two columns are called `id`; give each column a name of its own",
            ),
            (
                row("a,b,F,,a2b2"),
                "t.csv:5: 5 fields, and the header has 9; put quotes around a field that holds a comma",
            ),
            (row("a,b,8/8,,a2b2,,,,"), "t.csv:5: `8/8` is not a FEN: "),
            (
                row("a,b,F,a2b3,a2b2,,,,"),
                "t.csv:5: move 1 of the history, `a2b3`, is illegal; give a history that can be played",
            ),
            (
                row("a,b,F,Rb2,a2b2,,,,"),
                "t.csv:5: `Rb2` is not a UCI move (such as e2e4 or e7e8q); correct `fen` or `moves`",
            ),
            (
                row("a,b,F,,a2b3,,,,"),
                "t.csv:5: `a2b3` in `best` is no legal move at the end of the history; write moves as UCI does (e2e4, e7e8q), with spaces between",
            ),
            (row("a,b,F,,,,,,"), "t.csv:5: `best` is empty; name every acceptable move"),
            (
                row("a,b,F,,a2b2,a2b2,,,"),
                "t.csv:5: `a2b2` is both best and to be avoided; drop it from one of the two",
            ),
            (
                row("a,b,F,,a2b2,,won,,"),
                "t.csv:5: `result` is `won`; use one of win, draw, loss, or leave it empty",
            ),
            (
                row("a,b,F,,a2b2,,,soon,"),
                "t.csv:5: `dtm` is `soon`; give moves to mate, negative where the side to move is mated, or leave it empty",
            ),
            (
                row("a,b,F,,a2b2,,,,me"),
                "t.csv:5: `source` is `me`; use one of tablebase, search, rules, judged, or leave it empty",
            ),
            (row("a,two words,F,,a2b2,,,,"), "t.csv:5: `class` is `two words`; give one word"),
            (row(",b,F,,a2b2,,,,"), "t.csv:5: `id` is ``; give one word"),
            (
                row("a,b,F,a2b2 h8g8 b2a2 g8h8 a2b2 h8g8 b2a2 g8h8,a2b2,,,,"),
                "t.csv:5: the game is over at this position (threefold repetition); end the history before",
            ),
        ];
        for (text, message) in table {
            let error = read(&source_file(&text)).expect_err(&text).to_string();
            assert!(error.starts_with(message), "{error}\n{message}");
        }
    }

    proptest! {
        /// Any text is parsed or rejected; nothing panics.
        #[test]
        fn no_text_is_too_strange(text in "[a-h1-8kKqQrR/ w,#\"\\-\\n]{0,120}") {
            let _ = read(&source_file(&text));
            let _ = read(&source_file(&format!("id,class,fen,moves,best\n{text}")));
        }
    }
}
