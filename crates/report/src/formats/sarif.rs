//! `results.sarif`: the findings in the format SARIF 2.1.0, for code scanning.
//!
//! The format is described in <https://docs.oasis-open.org/sarif/sarif/v2.1.0/>. Each cause and each kind of
//! warning is a rule. Fingerprints do not depend on messages, so that a server recognises the same finding in
//! the next run.

use std::fmt::Write;
use std::io;

use serde_json::{Value, json};

use crate::ReportFormat;
use crate::format::visible;
use crate::model::report::Report;
use crate::words::finding::{Finding, FindingRule, Severity};
use crate::words::headline::Acceptance;
use crate::words::run_notice::RunNotice;
use threefold_player::visible::visible_json;

/// The table's line.
pub(crate) const FORMAT: ReportFormat = ReportFormat {
    name: "sarif",
    file: "results.sarif",
    summary: "engine faults, lost cases and wrong lines as SARIF 2.1.0, for code scanning",
    stream: None,
    render: |report| {
        let text = serde_json::to_string_pretty(&log(report)).map_err(io::Error::from)?;
        Ok((visible_json(&text) + "\n").into_bytes())
    },
};

fn log(report: &Report) -> Value {
    let findings = report.findings();
    let mut rules: Vec<FindingRule> = findings.iter().map(|finding| finding.rule).collect();
    rules.sort();
    rules.dedup();
    let notices = report.run_notices();
    let is_complete = report.failed_start().is_none()
        && matches!(report.acceptance(), Acceptance::Accepted | Acceptance::Refused);
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "threefold",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules.iter().copied().map(rule).collect::<Vec<_>>(),
            }},
            "automationDetails": { "id": "threefold/" },
            "invocations": [{
                "commandLine": report.command,
                "executionSuccessful": is_complete,
                "toolExecutionNotifications": notices.iter().map(notification).collect::<Vec<_>>(),
            }],
            "columnKind": "unicodeCodePoints",
            "results": findings.iter().map(|finding| result(finding, &rules)).collect::<Vec<_>>(),
            "properties": { "headline": report.headline() },
        }],
    })
}

fn rule(rule: FindingRule) -> Value {
    json!({
        "id": rule.id(),
        "name": rule.name(),
        "shortDescription": { "text": rule.summary() },
    })
}

/// A statement about the run. Servers show these with the tool, not as alerts.
fn notification(notice: &RunNotice) -> Value {
    json!({
        "descriptor": { "id": format!("run/{}", notice.kind) },
        "level": level(notice.severity),
        "message": { "text": visible(&notice.message) },
    })
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn result(finding: &Finding, rules: &[FindingRule]) -> Value {
    let level = level(finding.severity);
    json!({
        "ruleId": finding.rule.id(),
        "ruleIndex": rules.iter().position(|&rule| rule == finding.rule),
        "level": level,
        "message": { "text": format!("{}: {}", finding.title, finding.message) },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": { "uri": uri(&finding.place.file) },
                // GitHub requires a line.
                "region": { "startLine": finding.place.line.unwrap_or(1) },
            },
            "logicalLocations": [{ "fullyQualifiedName": finding.title, "kind": "test" }],
        }],
        "partialFingerprints": { "threefold/v1": finding.fingerprint },
        "occurrenceCount": finding.occurrences,
        "properties": { "report": finding.link },
    })
}

/// A path as a URI reference: every byte that needs it is percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to text never fails.
            _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;

    #[test]
    fn findings_are_results_with_rules() {
        let bytes = (FORMAT.render)(&fixture::report()).expect("renders");
        insta::assert_snapshot!(String::from_utf8(bytes).expect("UTF-8"));
    }

    /// What the schema of SARIF 2.1.0 requires of the parts that are used here, and what GitHub requires
    /// beyond it.
    #[test]
    fn the_log_has_what_the_schema_requires() {
        let mut report = fixture::report();
        report.sources.programs.insert("new".to_owned(), "my engine/é#1".to_owned());
        let log = log(&report);
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        assert!(run["tool"]["driver"]["name"].is_string());
        assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
        let results = run["results"].as_array().expect("results");
        assert!(!results.is_empty());
        for result in results {
            let index = result["ruleIndex"].as_u64().expect("an index") as usize;
            assert_eq!(result["ruleId"], rules[index]["id"]);
            assert!(rules[index]["shortDescription"]["text"].as_str().is_some_and(|text| !text.is_empty()));
            assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("a level")));
            assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
            let location = &result["locations"][0]["physicalLocation"];
            let uri = location["artifactLocation"]["uri"].as_str().expect("a URI");
            assert!(!uri.is_empty() && uri.bytes().all(|it| it.is_ascii_graphic() && it != b'#'), "{uri}");
            assert!(location["region"]["startLine"].as_u64().is_some_and(|line| line >= 1));
            assert!(result["partialFingerprints"]["threefold/v1"].is_string());
            assert!(result["occurrenceCount"].as_u64().is_some_and(|count| count >= 1));
        }
        assert_eq!(uri("my engine/é#1"), "my%20engine/%C3%A9%231");
    }

    #[test]
    fn a_run_without_findings_is_a_log_without_results() {
        let mut report = fixture::report();
        report.suites.clear();
        report.matches.clear();
        assert_eq!(log(&report)["runs"][0]["results"], json!([]));
    }
}
