//! `gl-code-quality-report.json`: the findings as a code quality report, which GitLab shows in merge
//! requests.
//!
//! The format is described in <https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>.

use std::io;

use serde::Serialize;

use crate::ReportFormat;
use crate::format;
use crate::model::report::Report;
use crate::words::finding::{Finding, Severity};
use crate::words::run_notice::RunNotice;
use threefold_player::visible::visible_json;

/// The table's line.
pub(crate) const FORMAT: ReportFormat = ReportFormat {
    name: "gitlab",
    file: "gl-code-quality-report.json",
    summary: "the same findings as a code quality report of GitLab",
    stream: None,
    render: |report| {
        let text = serde_json::to_string_pretty(&issues(report)).map_err(io::Error::from)?;
        Ok((visible_json(&text) + "\n").into_bytes())
    },
};

/// An issue of a code quality report.
#[derive(Debug, Serialize)]
struct Issue {
    description: String,
    check_name: String,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Debug, Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Debug, Serialize)]
struct Lines {
    begin: usize,
}

fn issues(report: &Report) -> Vec<Issue> {
    let notices = report.run_notices().into_iter().map(of_run);
    notices.chain(report.findings().into_iter().map(issue)).collect()
}

/// The file that issues about the whole run are attached to: GitLab requires a path. The default plan's name
/// is used.
const PLAN: &str = "threefold.toml";

fn of_run(notice: RunNotice) -> Issue {
    Issue {
        description: format::visible(&notice.message),
        check_name: format!("run/{}", notice.kind),
        severity: severity(notice.severity),
        location: Location { path: PLAN.to_owned(), lines: Lines { begin: 1 } },
        fingerprint: notice.fingerprint,
    }
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "critical",
        Severity::Warning => "major",
        Severity::Note => "minor",
    }
}

fn issue(finding: Finding) -> Issue {
    Issue {
        description: format!("{}: {}", finding.title, finding.message),
        check_name: finding.rule.id(),
        severity: severity(finding.severity),
        location: Location {
            path: finding.place.file,
            // The format requires a line.
            lines: Lines { begin: finding.place.line.unwrap_or(1) },
        },
        fingerprint: finding.fingerprint,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;
    use crate::model::report::Baseline;
    use crate::model::sources::SourcePlace;
    use threefold_run::job::ComparisonUse;
    use threefold_run::regress::baseline::CaseName;

    #[test]
    fn an_issue_has_every_field_that_gitlab_requires() {
        let mut report = fixture::report();
        let dawdle = CaseName { suite: "repetition".to_owned(), id: "dawdle".to_owned() };
        report.sources.cases.insert(dawdle, SourcePlace { file: "my/traps.csv".to_owned(), line: Some(7) });
        let bytes = (FORMAT.render)(&report).expect("renders");
        let issues: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
        let issues = issues.as_array().expect("an array");
        assert_eq!(issues.len(), 5, "four findings, and a suite that the baseline lacks");
        for issue in issues {
            assert!(
                ["info", "minor", "major", "critical", "blocker"]
                    .contains(&issue["severity"].as_str().expect("text"))
            );
            for key in ["description", "check_name", "fingerprint"] {
                assert!(issue[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {issue}");
            }
            // GitLab ignores an issue whose path begins with `./`.
            assert!(
                issue["location"]["path"].as_str().is_some_and(|path| !path.starts_with("./")),
                "{issue}"
            );
        }
        assert_eq!(
            issues[1]["location"],
            serde_json::json!({ "path": "my/traps.csv", "lines": { "begin": 7 } })
        );
    }

    #[test]
    fn a_run_without_findings_is_an_empty_list() {
        let mut report = fixture::report();
        report.suites.clear();
        report.matches.clear();
        report.baseline = Baseline::Absent("there is no baseline".to_owned());
        report.failure_reasons.clear();
        report.comparison = ComparisonUse::Optional;
        assert_eq!((FORMAT.render)(&report).expect("renders"), b"[]\n");
    }
}
