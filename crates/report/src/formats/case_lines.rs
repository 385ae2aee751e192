//! The cases of a run as JSON, one object per line: what `threefold suite --json` prints.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::ReportFormat;
use crate::model::report::SuitePart;
use threefold_player::visible::visible_json;
use threefold_suites::CaseRecord;

/// What `threefold suite --json` prints.
pub(crate) const FORMAT: ReportFormat = ReportFormat {
    name: "cases",
    file: "cases.jsonl",
    summary: "every case with its answer and verdict, one JSON object per line",
    stream: None,
    render: |report| {
        let lines = report.suites.iter().flat_map(case_lines);
        Ok(lines.flat_map(|line| (line + "\n").into_bytes()).collect())
    },
};

/// The cases of a suite, one after the other.
fn case_lines(part: &SuitePart) -> impl Iterator<Item = String> {
    part.cases.iter().map(|case| case_line(part, case))
}

/// One case: an object on one line, without a line break.
fn case_line(part: &SuitePart, case: &CaseRecord) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        suite: &'a str,
        limits: &'a str,
        id: &'a str,
        class: &'a str,
        engine: &'a str,
        played: &'a str,
        verdict: &'a str,
        cause: &'a str,
        detail: &'a str,
        nodes: u64,
        depth: u16,
        score: Option<String>,
        pv: &'a str,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        counts: BTreeMap<&'a str, u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        time_ms: Option<u64>,
    }
    let verdict = &case.verdict;
    let line = Line {
        suite: &part.suite,
        limits: &part.limits,
        id: &case.id,
        class: &case.class,
        engine: &case.engine,
        played: &verdict.played,
        verdict: verdict.kind().name(),
        cause: verdict.cause.name(),
        detail: &verdict.detail,
        nodes: verdict.nodes,
        depth: verdict.depth.0,
        score: verdict.score.map(|score| score.to_string()),
        pv: &verdict.pv,
        counts: verdict.measures.iter().map(|it| (it.name.as_str(), it.amount)).collect(),
        time_ms: verdict.time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
    };
    visible_json(&serde_json::to_string(&line).expect("strings and numbers are always JSON"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;

    #[test]
    fn each_case_is_one_json_line() {
        let report = fixture::report();
        let lines: Vec<String> = case_lines(&report.suites[0]).collect();
        insta::assert_snapshot!(lines.join("\n"));
    }
}
