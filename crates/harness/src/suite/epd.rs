//! Reads EPD, or FEN followed by operations.
//!
//! Mate and opening files have both forms, with or without move counters, so four or six fields are accepted,
//! followed by any number of `code operand…;`. Empty lines are skipped, and lines starting with `#` are
//! comments.

use super::input::{CaseDefinition, CaseInfo, Ids, OptionOverrides, SourceFile, SuiteError, SuiteInput};
use threefold_chess::clock::ClockSource;
use threefold_chess::position::GamePosition;
use threefold_oracle::referee::Referee;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpdRecord {
    /// The line number in its file, from 1.
    pub number: usize,
    /// The position: legal, with its counters (0 and 1 if none are given), without moves.
    pub line: GamePosition,
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
            || self.line.start.to_string().split(' ').take(4).collect::<Vec<_>>().join(" "),
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
            line: self.line.clone(),
            pace: ClockSource::Wall,
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
    let mut definitions = Vec::new();
    for source_file in input.positions {
        for record in read(source_file)? {
            let definition = make(source_file, &record)?;
            ids.claim(source_file, record.number, &definition.info.id)?;
            definitions.push(definition);
        }
    }
    Ok(definitions)
}

/// Parses every line, or returns the error of the first wrong one.
pub fn read(source_file: &SourceFile) -> Result<Vec<EpdRecord>, SuiteError> {
    let lines = source_file.text.lines().enumerate().map(|(index, text)| (index + 1, text.trim()));
    lines
        .filter(|(_, text)| !text.is_empty() && !text.starts_with('#'))
        .map(|(number, text)| record(source_file, number, text))
        .collect()
}

fn record(source_file: &SourceFile, number: usize, text: &str) -> Result<EpdRecord, SuiteError> {
    let mut rest = text;
    let mut fields = Vec::new();
    while fields.len() < 6 {
        let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let counter = word.starts_with(|first: char| first.is_ascii_digit());
        if word.is_empty() || (fields.len() >= 4 && !counter) {
            break;
        }
        fields.push(word);
        rest = behind.trim_start();
    }
    let operations = operations(rest);
    let counter = |code| operations.iter().find(|(known, _)| known == code).map(|(_, value)| value.as_str());
    if fields.len() == 4 {
        fields.push(counter("hmvc").unwrap_or("0"));
        fields.push(counter("fmvn").unwrap_or("1"));
    }
    let remedy = "write a legal position as FEN, four or six fields, then operations such as `bm #3;`";
    let line = GamePosition::parse(&fields.join(" "), "")
        .map_err(|e| source_file.error_at_line(number, e.to_string(), remedy))?;
    Referee::new(&line).map_err(|error| source_file.error_at_line(number, error.to_string(), remedy))?;
    Ok(EpdRecord { number, line, operations })
}

/// Splits at semicolons outside of quotes.
fn operations(text: &str) -> Vec<(String, String)> {
    let mut quoted = false;
    let parts = text.split(|letter| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    });
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    let split = parts.map(|part| part.split_once(char::is_whitespace).unwrap_or((part, "")));
    split
        .map(|(code, operand)| {
            let code = code.trim_end_matches(':').to_owned();
            (code, operand.trim().trim_matches('"').to_owned())
        })
        .collect()
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
            let records = read(&source_file(&format!("# comment\n\n{text}\n"))).expect(text);
            let [record] = &records[..] else { panic!("{text}: {records:?}") };
            assert_eq!((record.number, record.line.start.to_string().as_str()), (3, fen), "{text}");
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
            let error = read(&source_file(text)).expect_err(text).to_string();
            assert!(error.starts_with(start), "{error}");
            assert!(error.ends_with("then operations such as `bm #3;`"), "{error}");
        }
    }

    proptest! {
        /// Any text is parsed or rejected; nothing panics.
        #[test]
        fn no_text_is_too_strange(text in "[a-h1-8kKqQrR/ w;#\"\\-\\n]{0,120}") {
            let _ = read(&source_file(&text));
        }
    }
}
