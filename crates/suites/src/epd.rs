//! Reads EPD, or FEN followed by operations.
//!
//! Mate and opening files have both forms, with or without move counters, so four to six fields are accepted,
//! followed by any number of `code operand…;`. Empty lines are skipped, and lines starting with `#` or `%`
//! are comments.

use super::input::{CaseDefinition, CaseInfo, Ids, OptionOverrides, SourceFile, SuiteError, SuiteInput};
use threefold_chess::clock::ClockSource;
use threefold_chess::position::GamePosition;
use threefold_games::pgn_tokens;
use threefold_games::position_line::PositionLine;
use threefold_oracle::referee::Referee;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpdRecord {
    /// The line number in its file, from 1.
    pub number: usize,
    /// The position: legal, with its counters (0 and 1 if none are given), without moves.
    pub position: GamePosition,
    /// Code and operand, in order, without quotes.
    pub operations: Vec<(String, String)>,
}

impl EpdRecord {
    /// The operand of the first operation with this code.
    pub fn operation(&self, code: &str) -> Option<&str> {
        self.operations.iter().find(|(known, _)| known == code).map(|(_, operand)| operand.as_str())
    }

    /// The `id`, or else the position without counters, which does not change when lines are added above it.
    pub fn id(&self) -> String {
        self.operation("id").map_or_else(
            || self.position.start.to_string().split(' ').take(4).collect::<Vec<_>>().join(" "),
            str::to_owned,
        )
    }

    /// The description of a case about this position, for one player with wall time.
    pub fn case_info(&self, suite: &str, class: impl Into<String>, accepted: impl Into<String>) -> CaseInfo {
        CaseInfo {
            suite: suite.to_owned(),
            id: self.id(),
            class: class.into(),
            accepted: accepted.into(),
            note: self.operation("c0").unwrap_or_default().to_owned(),
            position: self.position.clone(),
            clock_source: ClockSource::Wall,
            players: vec![OptionOverrides::default()],
            background_threads: 0,
        }
    }

    /// The class in its `id`: everything but the number at its end, as in `STS(v1.0) Undermine.001`.
    pub fn class_of_id(&self) -> Option<String> {
        let id = self.operation("id")?;
        let theme = id.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let theme = theme.trim_end_matches(['.', '-', '_', '#', ' ']);
        (!theme.is_empty()).then(|| theme.to_owned())
    }

    /// Its operations except those with these codes, as text.
    pub fn remarks(&self, beside: &[&str]) -> String {
        let remarks = self.operations.iter().filter(|(code, _)| !beside.contains(&code.as_str()));
        let said = remarks.map(|(code, operand)| match code.as_str() {
            "c0" => operand.clone(),
            _ => format!("{code}: {operand}"),
        });
        said.collect::<Vec<_>>().join("; ")
    }
}

/// The cases of all files, one per line, made by the kind; ids are unique.
pub fn definitions(
    input: &SuiteInput<'_>,
    make: impl Fn(&SourceFile, &EpdRecord) -> Result<CaseDefinition, SuiteError>,
) -> Result<Vec<CaseDefinition>, SuiteError> {
    let mut ids = Ids::default();
    let mut define = |source_file: &SourceFile, record: EpdRecord| {
        let definition = make(source_file, &record)?;
        ids.claim(source_file, record.number, &definition.info.id)?;
        Ok(definition)
    };
    let mut definitions = Vec::new();
    for source_file in input.positions {
        let read = records(source_file)?;
        // An error does not end the loop, so that all wrong lines are reported together.
        definitions.extend(read.map(|read| read.and_then(|record| define(source_file, record))));
    }
    SuiteError::collect(definitions)
}

/// Parses every line, or returns the errors of all wrong ones.
pub fn parse_epd(source_file: &SourceFile) -> Result<Vec<EpdRecord>, SuiteError> {
    SuiteError::collect(records(source_file)?)
}

/// Parses every line.
///
/// # Errors
/// If the file is no file of positions, but one of games.
pub fn records(
    source_file: &SourceFile,
) -> Result<impl Iterator<Item = Result<EpdRecord, SuiteError>>, SuiteError> {
    let lines = source_file.text.lines().enumerate().map(|(index, text)| (index + 1, text.trim()));
    let mut lines = lines.filter(|(_, text)| !text.is_empty() && !text.starts_with(['#', '%'])).peekable();
    if let Some((number, text)) = lines.peek()
        && pgn_tokens::begins_game(text)
    {
        let what = "this is the form of PGN, and not of a position a line";
        return Err(source_file.error_at_line(*number, what, "give a file of FEN or EPD"));
    }
    Ok(lines.map(|(number, text)| record(source_file, number, text)))
}

fn record(source_file: &SourceFile, number: usize, text: &str) -> Result<EpdRecord, SuiteError> {
    let written = PositionLine::parse(text);
    let remedy = "write a legal position as FEN, four or six fields, then operations such as `bm #3;`";
    let history = GamePosition::parse(&written.fen(), "")
        .map_err(|e| source_file.error_at_line(number, e.to_string(), remedy))?;
    Referee::new(&history).map_err(|error| source_file.error_at_line(number, error.to_string(), remedy))?;
    Ok(EpdRecord { number, position: history, operations: written.operations })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn source_file(text: &str) -> SourceFile {
        SourceFile { file: "p.epd".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn epd_positions_may_have_move_counters() {
        let table = [
            // line, FEN, operations
            ("k7/8/1K6/8/8/8/8/1R6 w - -", "k7/8/1K6/8/8/8/8/1R6 w - - 0 1", &[][..]),
            ("k7/8/1K6/8/8/8/8/1R6 w - - 7 40", "k7/8/1K6/8/8/8/8/1R6 w - - 7 40", &[]),
            (
                "k7/8/1K6/8/8/8/8/1R6 w - - 7 40 bm #1; PV: b1h1;",
                "k7/8/1K6/8/8/8/8/1R6 w - - 7 40",
                &[("bm", "#1"), ("PV", "b1h1")],
            ),
            (
                r#"k7/8/1K6/8/8/8/8/1R6 w - - hmvc 12; id "a; b"; acd"#,
                "k7/8/1K6/8/8/8/8/1R6 w - - 12 1",
                &[("hmvc", "12"), ("id", "a; b"), ("acd", "")],
            ),
        ];
        for (text, fen, operations) in table {
            let records = parse_epd(&source_file(&format!("# comment\n\n{text}\n"))).expect(text);
            let [record] = &records[..] else { panic!("{text}: {records:?}") };
            assert_eq!((record.number, record.position.start.to_string().as_str()), (3, fen), "{text}");
            let seen: Vec<_> = record.operations.iter().map(|(c, o)| (c.as_str(), o.as_str())).collect();
            assert_eq!(seen, operations, "{text}");
        }
    }

    #[test]
    fn position_errors_name_the_line() {
        let table = [
            ("\nk7/8/8 w - - bm #1;", "p.epd:2: `k7/8/8 w - - 0 1` is not a FEN: "),
            ("kK6/8/8/8/8/8/8/8 w - - bm #1;", "p.epd:1: no legal position: "),
            ("bm #1;", "p.epd:1: `bm #1;` is not a FEN: "),
        ];
        for (text, start) in table {
            let error = parse_epd(&source_file(text)).expect_err(text).to_string();
            assert!(error.starts_with(start), "{error}");
            assert!(error.ends_with("then operations such as `bm #3;`"), "{error}");
        }
    }

    #[test]
    fn errors_of_all_lines_are_reported() {
        let sound = "k7/8/1K6/8/8/8/8/1R6 w - - bm #1;";
        let error = parse_epd(&source_file(&format!("x\n{sound}\ny\n{sound}\nz"))).expect_err("three errors");
        let lines: Vec<_> = error.all().map(|error| error.line).collect();
        assert_eq!(lines, [Some(1), Some(3), Some(5)]);
        assert_eq!(error.to_string().lines().count(), 3);
        let error = parse_epd(&source_file(&"x\n".repeat(50))).expect_err("fifty errors").to_string();
        assert!(error.ends_with("\np.epd:20: `x` is not a FEN: invalid board part in fen; write a legal position as FEN, four or six fields, then operations such as `bm #3;`\n… and 30 more errors"), "{error}");
        let error =
            parse_epd(&source_file("# games\n[Event \"x\"]\n\n1. e4 *")).expect_err("games").to_string();
        assert!(error.starts_with("p.epd:2: this is the form of PGN"), "{error}");
    }

    proptest! {
        /// Any text is parsed or rejected; nothing panics.
        #[test]
        fn no_text_is_too_strange(text in "[a-h1-8kKqQrR/ w;#\"\\-\\n]{0,120}") {
            let _ = parse_epd(&source_file(&text));
        }
    }
}
