//! `junit.xml`: what CI servers draw as a tree of tests.
//!
//! A suite is a `testsuite` and a case a `testcase`; so are its thresholds, the faults in a match, and whatever
//! speaks against the run: regressions, missed thresholds, rejected tests. A case that fails now and failed in the baseline, too, is still a failure here:
//! whether a run is accepted is for the thresholds and the comparison to say, and for the exit code.

use std::io;

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use super::model::{ComplaintKind, MatchPart, MatchResult, Report, SuitePart};
use super::{Format, faults, phrase};
use crate::suite::{CaseRecord, Mark};

/// The table's line.
pub(super) const FORMAT: Format = Format {
    name: "junit",
    file: "junit.xml",
    summary: "suites, thresholds and tests for CI servers",
    render: |report| {
        let mut bytes = Vec::new();
        page(report).serialize(&mut bytes).map_err(io::Error::other)?;
        Ok(bytes)
    },
};

fn page(report: &Report) -> quick_junit::Report {
    let mut page = quick_junit::Report::new(report.title.as_str());
    page.add_test_suites(report.suites.iter().map(suite));
    page.add_test_suites(report.matches.iter().map(games));
    page.add_test_suite(acceptance(report));
    page
}

fn suite(part: &SuitePart) -> TestSuite {
    let mut suite = TestSuite::new(part.name.as_str());
    suite.add_property(("engine", part.engine.as_str()));
    suite.add_property(("limits", part.limits.as_str()));
    suite.add_test_cases(part.cases.iter().map(case));
    suite.add_test_cases(part.demands.iter().map(|demand| {
        let status = demand.shortfall.as_deref().map_or_else(TestCaseStatus::success, failure);
        named(&format!("threshold: {}", demand.asked), "threshold", status)
    }));
    suite
}

fn case(case: &CaseRecord) -> TestCase {
    let verdict = &case.verdict;
    let mut status = match verdict.mark {
        Mark::Passed => TestCaseStatus::success(),
        Mark::Failed => failure(&verdict.reason),
        Mark::Fault => error(&verdict.reason),
        Mark::Skipped => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(phrase::visible(&verdict.reason));
            status
        }
    };
    if verdict.mark != Mark::Passed {
        let score = verdict.score.map_or_else(|| "none".to_owned(), |score| score.to_string());
        status.set_description(format!(
            "played: {}\naccepted: {}\nscore: {score}\nposition {}\nwhy: {}",
            verdict.played, case.accepted, case.line, case.note
        ));
    }
    let mut named = named(&case.id, &format!("{}.{}", case.suite, case.class), status);
    if let Some(time) = verdict.time {
        named.set_time(time);
    }
    named
}

fn games(part: &MatchPart) -> TestSuite {
    let mut suite = TestSuite::new(part.name.as_str());
    suite.add_property(("terms", part.terms.as_str()));
    let faults: Vec<String> = faults::of_games(part).map(|fault| fault.to_string()).collect();
    let status = if faults.is_empty() { TestCaseStatus::success() } else { error(&faults.join("; ")) };
    suite.add_test_case(named("no engine fault", "match", status));
    match &part.result {
        MatchResult::Table | MatchResult::Duel(_) | MatchResult::Test(_) => {}
        MatchResult::Ratings(ratings) => {
            let status = ratings.as_ref().map_or_else(|why| failure(why), |_| TestCaseStatus::success());
            suite.add_test_case(named("ratings", "calibration", status));
        }
    }
    suite
}

/// What the exit code says, by what speaks against the run.
fn acceptance(report: &Report) -> TestSuite {
    let mut suite = TestSuite::new("acceptance");
    for &kind in ComplaintKind::ALL {
        let complaints: Vec<String> = report
            .complaints
            .iter()
            .filter(|complaint| complaint.kind == kind)
            .map(|complaint| format!("{}: {}", complaint.part, complaint.what))
            .collect();
        let status =
            if complaints.is_empty() { TestCaseStatus::success() } else { failure(&complaints.join("; ")) };
        suite.add_test_case(named(&format!("no {kind}"), "acceptance", status));
    }
    suite
}

fn named(name: &str, class: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(class);
    case
}

fn failure(message: &str) -> TestCaseStatus {
    status(NonSuccessKind::Failure, message)
}

fn error(message: &str) -> TestCaseStatus {
    status(NonSuccessKind::Error, message)
}

fn status(kind: NonSuccessKind, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(phrase::visible(message));
    status
}

#[cfg(test)]
mod tests {
    use super::super::specimen;
    use super::*;
    use crate::suite::Verdict;

    #[test]
    fn every_verdict_has_its_place() {
        let bytes = (FORMAT.render)(&specimen::report()).expect("renders");
        insta::assert_snapshot!(String::from_utf8(bytes).expect("UTF-8"));
    }

    #[test]
    fn what_an_engine_lacks_is_skipped_and_said() {
        let mut report = specimen::report();
        report.suites[0].cases[1].verdict = Verdict::skipped("the engine lacks option Ponder");
        let text = String::from_utf8((FORMAT.render)(&report).expect("renders")).expect("UTF-8");
        assert!(text.contains("<skipped message=\"the engine lacks option Ponder\""), "{text}");
    }

    #[test]
    fn names_from_outside_stay_text() {
        let mut report = specimen::report();
        report.title = "<a> & \"b\"\0\u{1b}[1m".to_owned();
        report.suites[0].cases[1].verdict.reason = "]]>\0 <b>".to_owned();
        let bytes = (FORMAT.render)(&report).expect("renders");
        let text = String::from_utf8(bytes).expect("UTF-8");
        assert!(!text.contains(['\0', '\u{1b}']) && !text.contains("<a>") && !text.contains("<b>"), "{text}");
        assert_eq!(quick_junit::Report::deserialize(text.as_bytes()).expect("JUnit").tests, 14);
    }
}
