//! The JSON rows of a journal (run specs, results, builds, traffic of engines), and the figures and the
//! environment of a baseline.

use std::fmt::Debug;

use threefold_run::job::BaselineText;
use threefold_run::journal::rows;
use threefold_run::regress::Baseline;

use crate::csv::NO_FIGURES;
use crate::{Accepted, Target, cases, text};

/// The fuzz target `journal`.
pub const TARGET: Target = Target { name: "journal", check, vocabulary: VOCABULARY };

const VOCABULARY: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "\\u0000",
    "null",
    "true",
    "0",
    "-1",
    "1e400",
    "0.1",
    "18446744073709551615",
    "99999999999999999999999",
    "\"case\":",
    "\"game\":",
    "\"suite\":",
    "\"id\":",
    "\"mark\":",
    "\"passed\"",
    "\"cause\":",
    "\"reason\":",
    "\"score\":",
    "{\"cp\":1}",
    "{\"mate\":65535}",
    "\"line\":",
    "\"players\":",
    "\"opening\":",
    "\"end\":",
    "\"time-forfeit\":",
    "\"engine-fault\":",
    "\"played\":",
    "\"title\":",
    "\"seed\":",
    "\"parts\":",
    "\"task\":",
    "\"engine\":",
    "\"echo\"",
    "\"version\":",
    "\"figures\":",
    "\"llr\":",
    "\"adjudication\":",
    "\"resign\":",
    "\"log\":",
    "\"lines\":",
    "",
];

/// Reads a row of each kind, figures, and an environment.
pub fn check(bytes: &[u8]) -> Accepted {
    let Some(text) = text(bytes) else { return Accepted(0) };
    let mut accepted = 0;
    accepted += reads_back(text, rows::read_spec, rows::write_spec);
    accepted += reads_back(text, rows::read_result, rows::write_result);
    accepted += reads_back(text, rows::read_builds, |builds| rows::write_builds(builds));
    accepted += reads_back(text, rows::read_traffic, rows::write_traffic);
    let cases = || "suite,id,verdict\n".to_owned();
    accepted += baseline(&BaselineText { cases: cases(), figures: text.to_owned(), environment: None }, text);
    let figures = NO_FIGURES.to_owned();
    accepted += baseline(&BaselineText { cases: cases(), figures, environment: Some(text.to_owned()) }, text);
    Accepted(accepted)
}

fn reads_back<T: PartialEq + Debug>(
    text: &str,
    read: impl Fn(&str) -> Result<T, String>,
    write: impl Fn(&T) -> String,
) -> usize {
    read(text).map_or(0, |value| {
        let written = write(&value);
        let again = read(&written).unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(again, value, "{written}");
        1
    })
}

/// Reads a baseline of which one file is the text.
fn baseline(files: &BaselineText, text: &str) -> usize {
    match Baseline::parse(files) {
        Ok(baseline) => {
            assert_eq!(Baseline::parse(&baseline.to_text()).as_ref(), Ok(&baseline), "a baseline's own text");
            1
        }
        Err(error) => {
            let lines = cases::lines(text) as u64;
            assert!(error.line.is_none_or(|line| line <= lines), "of {lines} lines: {error}");
            0
        }
    }
}
