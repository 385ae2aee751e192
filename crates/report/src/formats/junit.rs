//! `junit.xml`: what CI servers draw as a tree of tests.
//!
//! A suite is a `testsuite` and a case a `testcase`; so are its thresholds, the faults in a match, and
//! whatever counts against the run: regressions, missed thresholds, rejected tests, too many faults.
//!
//! The file keeps to the schema of Jenkins' xUnit plugin, which refuses other attributes. So the place of a
//! case and its link to the page are lines of its text, and those of a suite are `file` and a property.
//!
//! The file has a failure or an error if and only if the exit code is not 0. So a case that fails is a
//! failure only where the run is refused because of it: its verdict is worse than the baseline's, or no
//! baseline fails it and its suite misses a threshold. Any other is skipped, with the reason why it failed
//! and why that is accepted.

use std::io;

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use crate::model::case_standing::CaseStanding;
use crate::model::faults;
use crate::model::report::{FailureKind, MatchPart, MatchResult, Report, SuitePart, ThresholdState};
use crate::words::headline::Acceptance;
use crate::words::page_link;
use crate::{ReportFormat, format};
use threefold_player::visible::visible_lines;
use threefold_suites::{CaseRecord, VerdictKind};

/// The table's line.
pub(crate) const FORMAT: ReportFormat = ReportFormat {
    name: "junit",
    file: "junit.xml",
    summary: "suites, thresholds and tests as JUnit XML, for CI servers",
    stream: None,
    render: |report| {
        let mut bytes = Vec::new();
        page(report).serialize(&mut bytes).map_err(io::Error::other)?;
        // Names and texts of engines may have characters that change how a line reads.
        Ok(visible_lines(&String::from_utf8_lossy(&without_skips_of_the_root(bytes))).into_bytes())
    },
};

/// Removes the attribute `skipped` of `testsuites`, which the schema lacks. Each suite counts its own.
fn without_skips_of_the_root(bytes: Vec<u8>) -> Vec<u8> {
    const START: &[u8] = b" skipped=\"";
    let find = |bytes: &[u8], part: &[u8]| bytes.windows(part.len()).position(|it| it == part);
    let root = find(&bytes, b"<testsuites").unwrap_or_default();
    // `>` is escaped in the values of attributes, so the first one ends the element.
    let end = root + find(&bytes[root..], b">").unwrap_or_default();
    let Some(start) = find(&bytes[root..end], START).map(|at| root + at) else { return bytes };
    let value = start + START.len();
    let after = value + find(&bytes[value..], b"\"").map_or(0, |quote| quote + 1);
    [&bytes[..start], &bytes[after..]].concat()
}

fn page(report: &Report) -> quick_junit::Report {
    let mut page = quick_junit::Report::new(report.title.as_str());
    page.add_test_suites(report.suites.iter().map(|part| suite(report, part)));
    page.add_test_suites(report.matches.iter().map(|part| games(report, part)));
    page.add_test_suite(acceptance(report));
    page
}

fn suite(report: &Report, part: &SuitePart) -> TestSuite {
    let mut suite = TestSuite::new(part.name.as_str());
    suite.add_property(("engine", part.engine.as_str()));
    suite.add_property(("limits", part.limits.as_str()));
    suite.add_property(("report", page_link::suite(part).as_str()));
    let file = part.cases.iter().find_map(|case| report.sources.case(case));
    suite.extra.extend(file.map(|place| ("file".into(), place.file.as_str().into())));
    suite.add_test_cases(part.cases.iter().map(|record| case(report, part, record)));
    if part.cases.is_empty() {
        suite.add_test_case(named("the suite", "suite", skipped("did not run")));
    }
    suite.add_test_cases(part.thresholds.iter().map(|threshold| {
        let missed = |shortfall: &str| {
            if report.becomes_baseline {
                skipped(&format!("{shortfall}; the results are the new baseline"))
            } else {
                failure(shortfall)
            }
        };
        let status = match &threshold.state {
            ThresholdState::Met => TestCaseStatus::success(),
            ThresholdState::Missed(shortfall) => missed(shortfall),
            ThresholdState::Unknown => skipped("the suite is not finished"),
        };
        named(&format!("threshold: {}", threshold.threshold), "threshold", status)
    }));
    suite
}

fn case(report: &Report, part: &SuitePart, case: &CaseRecord) -> TestCase {
    let standing = CaseStanding::judge(report, part, case);
    let verdict = &case.verdict;
    let (mark, reason) = (verdict.kind(), verdict.reason());
    let mut status = match (mark, standing) {
        (VerdictKind::Passed, _) => TestCaseStatus::success(),
        (VerdictKind::Failed, CaseStanding::Counts) => failure(&reason),
        (VerdictKind::Fault, CaseStanding::Counts) => error(&reason),
        // A skipped case that counts is a failure in the suite `acceptance`, as a regression.
        (VerdictKind::Skipped, _) => skipped(&reason),
        (VerdictKind::Failed | VerdictKind::Fault, CaseStanding::Accepted(why)) => {
            skipped(&format!("{mark}: {reason}; {why}"))
        }
    };
    if mark != VerdictKind::Passed {
        status.set_type(verdict.cause.name());
        let score = verdict.score.map_or_else(|| "none".to_owned(), |score| score.to_string());
        let place = report.sources.case(case).map(|place| format!("\nfile: {place}")).unwrap_or_default();
        status.set_description(format!(
            "played: {}\naccepted: {}\nscore: {score}\nposition {}\nreason: {}{place}\nreport: {}",
            verdict.played,
            case.accepted,
            case.line,
            case.note,
            page_link::case(part, &case.id),
        ));
    }
    let mut named = named(&case.id, &format!("{}.{}", case.suite, case.class), status);
    if let Some(time) = verdict.time {
        named.set_time(time);
    }
    named
}

fn games(report: &Report, part: &MatchPart) -> TestSuite {
    let mut suite = TestSuite::new(part.name.as_str());
    suite.add_property(("terms", part.terms.as_str()));
    let groups = faults::grouped(faults::of_games(part));
    let text = groups.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    let is_stop = report.stopped.as_ref().is_some_and(|stop| stop.part == part.name);
    let status = match (groups.is_empty(), is_stop) {
        (true, _) => TestCaseStatus::success(),
        (false, true) => error(&text),
        (false, false) => skipped(&format!("{text}; engine faults are within --max-faults")),
    };
    suite.add_test_case(named("no engine fault", "match", status));
    let warnings = report.warnings().into_iter().filter(|group| group.part == part.name);
    let warnings: Vec<String> = warnings.map(|group| format::visible(&format!("warning: {group}"))).collect();
    if !warnings.is_empty() {
        suite.set_system_out(warnings.join("\n"));
    }
    match &part.result {
        MatchResult::Table | MatchResult::Duel(_) | MatchResult::Test(_) | MatchResult::Tuning(_) => {}
        MatchResult::Ratings(ratings) => {
            // The exit code does not depend on the ratings, so their absence is no failure.
            let status = ratings.as_ref().map_or_else(|why| skipped(why), |_| TestCaseStatus::success());
            suite.add_test_case(named("ratings", "calibration", status));
        }
    }
    suite
}

/// The reasons against the run, as the exit code counts them.
fn acceptance(report: &Report) -> TestSuite {
    let mut suite = TestSuite::new("acceptance");
    for &kind in FailureKind::ALL {
        let failure_reasons: Vec<String> = report
            .failure_reasons
            .iter()
            .filter(|reason| reason.kind == kind)
            .map(|reason| format!("{}: {}", reason.part, reason.what))
            .collect();
        let status = match (failure_reasons.is_empty(), unknown(report, kind)) {
            (false, _) => failure(&failure_reasons.join("; ")),
            (true, Some(why)) => skipped(why),
            (true, None) => TestCaseStatus::success(),
        };
        suite.add_test_case(named(&format!("no {kind}"), "acceptance", status));
    }
    let finished = match report.acceptance() {
        Acceptance::Accepted | Acceptance::Refused | Acceptance::NotCompared => TestCaseStatus::success(),
        Acceptance::Unfinished | Acceptance::Running | Acceptance::Stopped => error(&report.headline()),
    };
    // A failed start is a reason against the run, so that its acceptance alone would count as finished.
    let finished = report.failed_start().map_or(finished, error);
    suite.add_test_case(named("the run is finished", "acceptance", finished));
    suite.add_test_cases(comparison(report));
    suite
}

/// What is compared, and what is not, with the reason.
fn comparison(report: &Report) -> Vec<TestCase> {
    let basis = report.basis();
    let gaps = basis.gaps.iter().map(|gap| {
        let status = skipped(&format!("not compared: {}", gap.reason));
        named(&format!("{} is compared", gap.subject()), "acceptance", status)
    });
    let nothing = (report.acceptance() == Acceptance::NotCompared)
        .then(|| named("the results are compared", "acceptance", error(&report.headline())));
    gaps.chain(nothing).collect()
}

/// Why a kind of reason against the run could not be checked: the run did not start, or nothing is compared.
fn unknown(report: &Report, kind: FailureKind) -> Option<&'static str> {
    if report.failed_start().is_some() {
        return Some("the run did not start");
    }
    let is_compared = report.basis().compared.cases > 0 || report.becomes_baseline;
    (kind == FailureKind::Regression && !is_compared).then_some("not compared with a baseline")
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

fn skipped(message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(format::visible(message));
    status
}

fn status(kind: NonSuccessKind, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(format::visible(message));
    status
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;
    use crate::model::report::{Baseline, FaultStop};
    use threefold_player::FaultCause;
    use threefold_run::job::ComparisonUse;
    use threefold_run::regress::baseline::CaseName;
    use threefold_run::regress::{ComparedCases, SuiteCoverage};
    use threefold_suites::{SkipCause, Verdict};

    #[test]
    fn every_verdict_has_its_junit_element() {
        let bytes = (FORMAT.render)(&fixture::report()).expect("renders");
        insta::assert_snapshot!(String::from_utf8(bytes).expect("UTF-8"));
    }

    #[test]
    fn invisible_characters_of_names_are_made_visible() {
        let mut report = fixture::report();
        report.title = "a\u{202e}b".to_owned();
        report.suites[0].cases[0].id = "c\u{2066}\u{1b}[2Jd".to_owned();
        let text = rendered(&report);
        assert!(text.contains("a\u{fffd}b") && text.contains("c\u{fffd}"), "{text}");
        assert!(!text.contains(['\u{202e}', '\u{2066}', '\u{1b}']), "{text}");
    }

    fn rendered(report: &Report) -> String {
        String::from_utf8((FORMAT.render)(report).expect("renders")).expect("UTF-8")
    }

    /// A run without a baseline, a threshold, a fault or an unfinished part.
    fn quiet() -> Report {
        let mut report = fixture::report();
        report.suites.truncate(1);
        report.suites[0].thresholds.clear();
        report.suites[0].cases.truncate(3);
        report.suites[0].planned = 3;
        report.matches.truncate(0);
        report.failure_reasons.clear();
        report.worse.clear();
        report.baseline = Baseline::Absent("none was given".to_owned());
        report.comparison = ComparisonUse::Optional;
        report
    }

    /// CI that reads this file and CI that reads the exit code come to the same.
    #[test]
    fn junit_fails_if_and_only_if_the_run_is_not_accepted() {
        let stop =
            |part: &str, unit| FaultStop { part: part.to_owned(), allowed: 0, jobs: 3, unit, is_test: false };
        let fault = |report: &mut Report| {
            report.suites[0].cases[1].verdict = Verdict::unanswered(FaultCause::Crash, "it ended");
        };
        let mut known = quiet();
        let name = |case: &CaseRecord| CaseName { suite: case.suite.clone(), id: case.id.clone() };
        known.baseline = Baseline::Compared {
            suites: Vec::new(),
            figures: Vec::new(),
            other_budgets: Vec::new(),
            known: known.suites[0].cases.iter().map(|case| (name(case), case.verdict.kind())).collect(),
            coverage: vec![SuiteCoverage {
                suite: "repetition".to_owned(),
                compared: Ok(ComparedCases { cases: 3, ..ComparedCases::default() }),
            }],
        };
        let mut worse = known.clone();
        worse.worse = [name(&worse.suites[0].cases[1])].into();
        worse.failure_reasons = fixture::report().failure_reasons[..1].to_vec();
        let mut missed = quiet();
        missed.suites[0].thresholds = fixture::report().suites[0].thresholds.clone();
        missed.failure_reasons = fixture::report().failure_reasons[1..].to_vec();
        let mut tolerated = quiet();
        fault(&mut tolerated);
        let mut accepted = missed.clone();
        (accepted.becomes_baseline, accepted.failure_reasons) = (true, Vec::new());
        let mut stopped = tolerated.clone();
        stopped.stopped = Some(stop(&stopped.suites[0].name, "case"));
        let mut unfinished = quiet();
        unfinished.suites[0].planned = 9;
        let uncompared = Report { comparison: ComparisonUse::Required, ..quiet() };
        let mut stopped_match = fixture::report();
        stopped_match.stopped = Some(stop(&stopped_match.matches[0].name, "game"));
        let table = [
            ("a failure that nothing asks about", quiet(), Acceptance::Accepted),
            ("a failure that the baseline has", known, Acceptance::Accepted),
            ("a failure that is worse than the baseline", worse, Acceptance::Refused),
            ("a missed threshold", missed, Acceptance::Refused),
            ("a missed threshold in a new baseline", accepted, Acceptance::Accepted),
            ("a fault within the budget", tolerated, Acceptance::Accepted),
            ("too many faults", stopped, Acceptance::Stopped),
            ("an interrupted run", unfinished, Acceptance::Unfinished),
            ("nothing to compare with", uncompared, Acceptance::NotCompared),
            ("everything at once", fixture::report(), Acceptance::Refused),
            ("a match with too many faults", stopped_match, Acceptance::Stopped),
        ];
        for (what, report, acceptance) in table {
            assert_eq!(report.acceptance(), acceptance, "{what}");
            let text = rendered(&report);
            let is_red = text.contains("<failure") || text.contains("<error");
            assert_eq!(is_red, acceptance != Acceptance::Accepted, "{what}:\n{text}");
            assert!(
                !report.suites.iter().any(|part| part.unpassed().count() > 0) || text.contains("message="),
                "{what}"
            );
        }
    }

    #[test]
    fn accepted_failure_has_a_reason() {
        let text = rendered(&quiet());
        let said = "<skipped message=\"failed: history: without its history it plays a1a7, which is accepted; no \
                    baseline and no threshold requires this case\"";
        assert!(text.contains(said), "{text}");
    }

    #[test]
    fn missing_engine_feature_is_reported_as_skipped() {
        let mut report = quiet();
        report.suites[0].cases[1].verdict = Verdict::unanswered(SkipCause::NotSupported, "option Ponder");
        assert!(rendered(&report).contains("<skipped message=\"not supported: option Ponder\""));
    }

    #[test]
    fn external_names_are_escaped() {
        let mut report = fixture::report();
        report.title = "<a> & \"b\"\0\u{1b}[1m".to_owned();
        report.suites[0].cases[1].verdict.detail = "]]>\0 <b>".to_owned();
        let bytes = (FORMAT.render)(&report).expect("renders");
        let text = String::from_utf8(bytes).expect("UTF-8");
        assert!(!text.contains(['\0', '\u{1b}']) && !text.contains("<a>") && !text.contains("<b>"), "{text}");
        assert_eq!(quick_junit::Report::deserialize(text.as_bytes()).expect("JUnit").tests, 23);
    }
}
