//! `cases.csv`: every case with its verdict, one a line, in the order of the run.
//!
//! Nothing in it may depend on the machine or the day, except what the wall's clock limited: the time used is
//! in it there alone. `Column` is the list of the columns and what each holds.

use std::io;

use csv::{QuoteStyle, Terminator, WriterBuilder};

use crate::ReportFormat;
use threefold_named_enum::named_enum;
use threefold_suites::CaseRecord;

/// The table's line.
pub(crate) const FORMAT: ReportFormat = ReportFormat {
    name: "csv",
    file: "cases.csv",
    summary: "every case with its verdict, one per line",
    stream: None,
    render: |report| render(report.suites.iter().flat_map(|suite| &suite.cases)),
};

named_enum! {
    /// The columns, in order.
    pub enum Column {
        /// The suite.
        Suite = "suite",
        /// The case, unique in its suite.
        Id = "id",
        /// Its class within the suite.
        Class = "class",
        /// The engine.
        Engine = "engine",
        /// `passed`, `failed`, `skipped` or `fault`.
        Verdict = "verdict",
        /// The cause of the verdict: one of the names listed below.
        Cause = "cause",
        /// Details of this case, in words; may be empty.
        Detail = "detail",
        /// `harness` if the engine ignores node limits and was stopped by the harness; else `engine`.
        LimitKeeper = "limit_keeper",
        /// The accepted moves or results.
        Accepted = "accepted",
        /// The move or result of the engine.
        Played = "played",
        /// The final score, from the side to move.
        Score = "score",
        /// The depth reached, in plies.
        Depth = "depth",
        /// The nodes of all searches of the case.
        Nodes = "nodes",
        /// The nodes after which the search showed an accepted answer to its end, in a passed case of a search suite.
        SolvedNodes = "solved_nodes",
        /// The final principal variation.
        Pv = "pv",
        /// The position: FEN and moves.
        Line = "line",
        /// Why the accepted answer is right.
        Note = "note",
        /// Milliseconds used, if a wall clock limits the searches.
        Time = "time",
    }
}

/// The table of some cases, with its header.
fn render<'a>(cases: impl IntoIterator<Item = &'a CaseRecord>) -> io::Result<Vec<u8>> {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::Any(b'\n'))
        .quote_style(QuoteStyle::Necessary)
        .from_writer(Vec::new());
    writer.write_record(Column::ALL.iter().map(|column| column.name()))?;
    for case in cases {
        writer.write_record(Column::ALL.iter().map(|&column| field(case, column)))?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

fn field(case: &CaseRecord, column: Column) -> String {
    let CaseRecord { suite, id, class, engine, accepted, note, line, verdict } = case;
    match column {
        Column::Suite => suite.clone(),
        Column::Id => id.clone(),
        Column::Class => class.clone(),
        Column::Engine => engine.clone(),
        Column::Verdict => verdict.kind().to_string(),
        Column::Cause => verdict.cause.name().to_owned(),
        Column::Detail => verdict.detail.clone(),
        Column::LimitKeeper => verdict.limit_enforced_by.to_string(),
        Column::Accepted => accepted.clone(),
        Column::Played => verdict.played.clone(),
        Column::Score => verdict.score.map(|score| score.to_string()).unwrap_or_default(),
        Column::Depth => verdict.depth.0.to_string(),
        Column::Nodes => verdict.nodes.to_string(),
        Column::SolvedNodes => verdict.solved_nodes.map(|nodes| nodes.to_string()).unwrap_or_default(),
        Column::Pv => verdict.pv.clone(),
        Column::Line => line.to_string(),
        Column::Note => note.clone(),
        Column::Time => verdict.time.map(|time| time.as_millis().to_string()).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;

    #[test]
    fn each_case_is_a_row() {
        let bytes = (FORMAT.render)(&fixture::report()).expect("renders");
        insta::assert_snapshot!(String::from_utf8(bytes).expect("UTF-8"));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut report = fixture::report();
        let name = "a \"b\",\r\n<c>\0\u{1b}";
        report.suites[0].cases[0].engine = name.to_owned();
        let bytes = (FORMAT.render)(&report).expect("renders");
        let mut reader = csv::Reader::from_reader(&bytes[..]);
        let columns: Vec<&str> = Column::ALL.iter().map(|column| column.name()).collect();
        assert_eq!(reader.headers().expect("a header"), columns);
        let first = reader.records().next().expect("a case").expect("sound");
        assert_eq!(&first[3], name);
    }
}
