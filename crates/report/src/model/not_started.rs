//! The report of a run that did not start: an engine is missing, ends at once, or does not answer.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::environment_comparison::EnvironmentComparison;
use crate::model::report::{Activity, Baseline, FailureKind, FailureReason, Report};
use crate::model::sources::Sources;
use threefold_run::job::ComparisonUse;

impl Report {
    /// A report of nothing but the reason, which is a clause with its remedy.
    pub fn not_started(title: &str, command: &str, machine: &str, why: &str) -> Self {
        Self {
            title: title.to_owned(),
            seed: 0,
            command: command.to_owned(),
            engines: Vec::new(),
            suites: Vec::new(),
            matches: Vec::new(),
            baseline: Baseline::Absent("the run did not start".to_owned()),
            comparison: ComparisonUse::Optional,
            failure_reasons: vec![FailureReason {
                kind: FailureKind::FailedStart,
                part: "the run".to_owned(),
                what: why.to_owned(),
            }],
            worse: BTreeSet::new(),
            not_counted: BTreeMap::new(),
            becomes_baseline: false,
            stopped: None,
            activity: Activity::Ended,
            machine: machine.to_owned(),
            environment: EnvironmentComparison::default(),
            sources: Sources::default(),
            traffic: BTreeMap::new(),
            benches: Vec::new(),
            game_reader: None,
            tournament: None,
            takes: None,
            trend: Vec::new(),
        }
    }

    /// Why the run did not start; `None` if it did.
    pub(crate) fn failed_start(&self) -> Option<&str> {
        let failed = self.failure_reasons.iter().find(|reason| reason.kind == FailureKind::FailedStart);
        failed.map(|reason| reason.what.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FORMATS;

    #[test]
    fn every_format_reports_a_run_that_did_not_start() {
        let why = "engine `mine` (`./mine`): can't be started: no such file";
        let report = Report::not_started("mine", "threefold regress", "a machine", why);
        assert_eq!(report.headline(), format!("Not started: {why}."));
        let render = |name: &str| {
            let format = FORMATS.iter().find(|format| format.name == name).expect("a format");
            String::from_utf8((format.render)(&report).expect("renders")).expect("UTF-8")
        };
        for format in FORMATS {
            render(format.name);
        }
        assert!(render("junit").contains("<failure message=\"the run: engine `mine`"), "{}", render("junit"));
        let junit = render("junit");
        // Nothing passes.
        assert_eq!(junit.matches("<testcase").count(), junit.matches("</testcase>").count(), "{junit}");
        assert!(
            junit.contains("<error message=\"engine `mine`") && junit.contains("the run did not start"),
            "{junit}"
        );
        let sarif: serde_json::Value = serde_json::from_str(&render("sarif")).expect("JSON");
        let invocation = &sarif["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        let notice = &invocation["toolExecutionNotifications"][0];
        assert_eq!(
            (&notice["level"], &notice["descriptor"]["id"]),
            (&"error".into(), &"run/not-started".into())
        );
        let issues: serde_json::Value = serde_json::from_str(&render("gitlab")).expect("JSON");
        assert_eq!(issues.as_array().map(Vec::len), Some(1));
        assert!(
            issues[0]["description"].as_str().is_some_and(|it| it.starts_with("Not started: ")),
            "{issues}"
        );
        let summary = render("markdown");
        assert!(summary.contains("**Not started: engine \\`mine\\`"), "{summary}");
        assert_eq!(summary.matches("no such file").count(), 1, "{summary}");
    }
}
