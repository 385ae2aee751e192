//! `cases.csv`: every case with its verdict, one a line, in the order of the run.
//!
//! Nothing in it may depend on the machine or the day, except what the wall's clock limited: the time used, in
//! milliseconds, is told there alone.

use std::io;

use csv::{QuoteStyle, Terminator, WriterBuilder};

use super::Format;
use threefold_harness::suite::CaseRecord;

/// The table's line.
pub(super) const FORMAT: Format = Format {
    name: "csv",
    file: "cases.csv",
    summary: "every case with its verdict, one a line",
    render: |report| render(report.suites.iter().flat_map(|suite| &suite.cases)),
};

/// The columns, in order.
const COLUMNS: [&str; 15] = [
    "suite", "id", "class", "engine", "verdict", "reason", "accepted", "played", "score", "depth", "nodes",
    "pv", "line", "note", "time",
];

/// The table of some cases, with its header.
fn render<'a>(cases: impl IntoIterator<Item = &'a CaseRecord>) -> io::Result<Vec<u8>> {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::Any(b'\n'))
        .quote_style(QuoteStyle::Necessary)
        .from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for case in cases {
        writer.write_record(row(case))?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

fn row(case: &CaseRecord) -> [String; COLUMNS.len()] {
    let CaseRecord { suite, id, class, engine, accepted, note, line, verdict } = case.clone();
    let score = verdict.score.map(|score| score.to_string()).unwrap_or_default();
    let (mark, depth, nodes) =
        (verdict.mark.to_string(), verdict.depth.0.to_string(), verdict.nodes.to_string());
    [
        suite,
        id,
        class,
        engine,
        mark,
        verdict.reason,
        accepted,
        verdict.played,
        score,
        depth,
        nodes,
        verdict.pv,
        line,
        note,
        verdict.time.map(|time| time.as_millis().to_string()).unwrap_or_default(),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::specimen;
    use super::*;

    #[test]
    fn a_case_is_a_line() {
        let bytes = (FORMAT.render)(&specimen::report()).expect("renders");
        insta::assert_snapshot!(String::from_utf8(bytes).expect("UTF-8"));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut report = specimen::report();
        let name = "a \"b\",\r\n<c>\0\u{1b}";
        report.suites[0].cases[0].engine = name.to_owned();
        let bytes = (FORMAT.render)(&report).expect("renders");
        let mut reader = csv::Reader::from_reader(&bytes[..]);
        assert_eq!(reader.headers().expect("a header"), COLUMNS.as_slice());
        let first = reader.records().next().expect("a case").expect("sound");
        assert_eq!(&first[3], name);
    }
}
