//! CSV: positions of suites, a baseline's cases, the figures of an earlier calibration.

use shakmaty::Position;
use threefold_oracle::Referee;
use threefold_run::calibration::{EarlierCalibration, EarlierCalibrationError};
use threefold_run::job::BaselineText;
use threefold_run::regress::Baseline;
use threefold_suites::{SourceFile, trap};

use crate::{Accepted, Target, cases, text};

/// The fuzz target `csv`.
pub const TARGET: Target = Target { name: "csv", check, vocabulary: VOCABULARY };

const VOCABULARY: &[&str] = &[
    "id",
    "class",
    "fen",
    "moves",
    "best",
    "avoid",
    "result",
    "dtm",
    "source",
    "note",
    "suite",
    "verdict",
    "cause",
    "detail",
    "reason",
    "played",
    "solved_nodes",
    "kind",
    "player",
    "asked",
    "here",
    "elo",
    "error",
    "judged",
    "over 100",
    "over 300",
    "level",
    "anchor",
    ",",
    ",",
    ",",
    "\"",
    "\"\"",
    "\n",
    "\n",
    "\r\n",
    "#",
    " ",
    "win",
    "draw",
    "loss",
    "tablebase",
    "search",
    "rules",
    "passed",
    "failed",
    "skipped",
    "fault",
    "missed",
    "k7/8/1K6/8/8/8/8/1R6 w - - 0 1",
    "b1h1",
    "a8b8",
    "1",
    "-1",
    "1e308",
    "NaN",
    "99999999999",
    "id,class,fen,moves,best\n",
    "suite,id,class,verdict,cause,detail,played,solved_nodes\n",
    "kind,player,asked,here,elo,error,judged,over 100,over 300\n",
];

/// A `figures.json` without figures.
pub(crate) const NO_FIGURES: &str = "{\"version\":1,\"figures\":{}}";

/// Reads the text as each of the tables.
pub fn check(bytes: &[u8]) -> Accepted {
    let Some(text) = text(bytes) else { return Accepted(0) };
    let source_file = SourceFile { file: "p.csv".to_owned(), text: text.to_owned() };
    Accepted(traps(&source_file) + cases::of_every_kind(&source_file) + baseline(text) + calibration(text))
}

fn traps(source_file: &SourceFile) -> usize {
    let traps = match trap::parse_traps(source_file) {
        Ok(traps) => traps,
        Err(error) => {
            cases::line_is_there(&error, &[source_file]);
            return 0;
        }
    };
    for trap in &traps {
        assert!((1..=cases::lines(&source_file.text)).contains(&trap.number));
        let referee = Referee::new(&trap.position).expect("an accepted history is legal");
        let legal: Vec<_> = referee.position().legal_moves().iter().map(|&mv| referee.uci(mv)).collect();
        assert!(!trap.best.is_empty());
        assert!(trap.best.iter().chain(&trap.avoid).all(|mv| legal.contains(mv)), "{trap:?}");
        Referee::new(&trap.without_history).expect("the position without its history");
        Referee::new(&trap.with_counter_of_before()).expect("the position without its counter");
    }
    traps.len()
}

fn baseline(text: &str) -> usize {
    let (cases, figures) = (text.to_owned(), NO_FIGURES.to_owned());
    let read = Baseline::parse(&BaselineText { cases, figures, environment: None });
    match read {
        Ok(baseline) => {
            let again = Baseline::parse(&baseline.to_text());
            assert_eq!(again.as_ref(), Ok(&baseline), "a baseline's own text");
            baseline.cases.len()
        }
        Err(error) => {
            let lines = cases::lines(text) as u64;
            assert!(error.line.is_none_or(|line| (1..=lines).contains(&line)), "of {lines} lines: {error}");
            0
        }
    }
}

fn calibration(text: &str) -> usize {
    match EarlierCalibration::parse(text) {
        Ok(_) => 1,
        Err(EarlierCalibrationError::Csv(error)) => {
            let line = error.position().map(csv::Position::line);
            let lines = cases::lines(text) as u64;
            assert!(line.is_none_or(|line| (1..=lines).contains(&line)), "of {lines} lines: {error}");
            0
        }
        Err(EarlierCalibrationError::Empty) => 0,
    }
}
