//! Tests of the verdict basis: a run without a compared case, a threshold or a test is no success in any
//! format.

use super::*;
use crate::FORMATS;
use crate::formats::github;
use crate::model::fixture;
use crate::words::headline::Acceptance;
use threefold_run::regress::SuiteCoverage;
use threefold_suites::{SkipCause, Verdict};

fn render(report: &Report, name: &str) -> String {
    let format = FORMATS.iter().find(|format| format.name == name).expect("a format");
    String::from_utf8((format.render)(report).expect("renders")).expect("UTF-8")
}

/// A run of one suite with three cases, without tests, engine faults, thresholds and worse cases.
fn run() -> Report {
    let mut report = fixture::report();
    report.suites.truncate(1);
    report.suites[0].cases.truncate(3);
    report.suites[0].planned = 3;
    report.suites[0].thresholds.clear();
    report.matches.clear();
    report.failure_reasons.clear();
    report.worse.clear();
    report
}

fn compared(coverage: &[(&str, Result<ComparedCases, NotCompared>)]) -> Report {
    let mut report = run();
    let covered = coverage
        .iter()
        .map(|(suite, compared)| SuiteCoverage { suite: (*suite).to_owned(), compared: compared.clone() });
    report.baseline = Baseline::Compared {
        suites: Vec::new(),
        figures: Vec::new(),
        other_budgets: Vec::new(),
        known: [].into(),
        coverage: covered.collect(),
    };
    report
}

fn other_limits() -> NotCompared {
    NotCompared::OtherLimits { was: "5000 nodes".to_owned(), now: "100 nodes".to_owned() }
}

/// A run whose every case was skipped.
fn skipped(comparison: ComparisonUse) -> Report {
    let mut report = run();
    report.comparison = comparison;
    report.baseline = Baseline::Absent("there is no baseline".to_owned());
    report.suites[0].thresholds = fixture::report().suites[0].thresholds.clone();
    report.suites[0]
        .thresholds
        .iter_mut()
        .for_each(|threshold| threshold.state = crate::model::report::ThresholdState::Met);
    for case in &mut report.suites[0].cases {
        case.verdict = Verdict::unanswered(SkipCause::NotSupported, "go perft");
    }
    report
}

fn without_baseline() -> Report {
    Report { baseline: Baseline::Absent("there is no baseline".to_owned()), ..run() }
}

#[test]
fn run_that_nothing_decides_on_is_not_compared_in_any_format() {
    let table = [
        (without_baseline(), "Not compared: there is no baseline."),
        (
            compared(&[("perft", Err(NotCompared::NotInBaseline)), ("rule", Err(NotCompared::DidNotRun))]),
            "Not compared: perft (not in the baseline), rule (in the baseline, but not in this run).",
        ),
        (
            compared(&[("rule", Err(other_limits()))]),
            "Not compared: rule (baseline at 5000 nodes, this run at 100 nodes).",
        ),
        (
            skipped(ComparisonUse::Required),
            "Not compared: there is no baseline; repetition (all 3 cases were skipped).",
        ),
        (
            compared(&[("perft", Err(NotCompared::SkippedInBoth { cases: 20 }))]),
            "Not compared: perft (all 20 cases are skipped, as in the baseline).",
        ),
        (skipped(ComparisonUse::Optional), "Not compared: repetition (all 3 cases were skipped)."),
    ];
    for (report, expected) in table {
        assert_eq!((report.acceptance(), report.headline()), (Acceptance::NotCompared, expected.to_owned()));
        for format in FORMATS.iter().filter(|it| ["html", "markdown", "json"].contains(&it.name)) {
            assert!(render(&report, format.name).contains("Not compared"), "{}: {expected}", format.name);
        }
        let annotation = &github::annotations(&report)[0];
        assert!(annotation.starts_with("::error ") && annotation.contains("Not compared: "), "{annotation}");
        let junit = render(&report, "junit");
        assert!(junit.contains("<skipped message=\"not compared: ") && junit.contains("<error"), "{junit}");
        let sarif: Value = serde_json::from_str(&render(&report, "sarif")).expect("JSON");
        let invocation = &sarif["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        let notice = &invocation["toolExecutionNotifications"][0];
        assert_eq!(
            (&notice["level"], &notice["descriptor"]["id"]),
            (&json!("error"), &json!("run/not-compared"))
        );
        let gitlab: Value = serde_json::from_str(&render(&report, "gitlab")).expect("JSON");
        assert_eq!(gitlab[0]["severity"], "critical");
    }
}

#[test]
fn no_regression_is_said_of_the_compared_cases_and_the_rest_is_named() {
    let skipped = vec!["repetition/x".to_owned()];
    let cases = |cases, missing| Ok(ComparedCases { cases, missing, skipped: Vec::new() });
    let table = [
        (compared(&[("repetition", cases(3, 0))]), "No regression (3 cases compared).", false),
        (
            compared(&[("repetition", cases(3, 9))]),
            "No regression (3 cases compared; of the baseline, 9 cases did not run).",
            false,
        ),
        (
            compared(&[("repetition", Ok(ComparedCases { cases: 3, missing: 1, skipped: skipped.clone() }))]),
            "No regression (3 cases compared; of the baseline, 1 case did not run, and 1 case was skipped (repetition/x)).",
            false,
        ),
        (
            compared(&[
                ("repetition", cases(3, 0)),
                ("time-control", Err(NotCompared::SkippedInBoth { cases: 17 })),
            ]),
            "No regression (3 cases compared).",
            false,
        ),
        (
            compared(&[("perft", Err(NotCompared::DidNotRun)), ("repetition", cases(3, 0))]),
            "No regression (3 cases compared). Not compared: perft (in the baseline, but not in this run).",
            true,
        ),
        (
            compared(&[("repetition", cases(3, 0)), ("rule", Err(other_limits()))]),
            "No regression (3 cases compared). Not compared: rule (baseline at 5000 nodes, this run at 100 nodes).",
            true,
        ),
    ];
    for (report, expected, is_doubtful) in table {
        assert_eq!((report.acceptance(), report.headline()), (Acceptance::Accepted, expected.to_owned()));
        assert_eq!(report.is_doubtful(), is_doubtful, "{expected}");
        let level = if is_doubtful { "::warning " } else { "::notice " };
        assert!(github::annotations(&report)[0].starts_with(level), "{expected}");
        let junit = render(&report, "junit");
        assert_eq!(junit.contains("<skipped message=\"not compared: "), is_doubtful, "{junit}");
        assert_eq!(render(&report, "sarif").contains("run/not-compared"), is_doubtful, "{expected}");
        assert_eq!(render(&report, "gitlab").contains("run/not-compared"), is_doubtful, "{expected}");
        assert!(render(&report, "sarif").contains("\"executionSuccessful\": true"), "{expected}");
    }
}

#[test]
fn measurement_without_a_baseline_is_finished() {
    let report = Report { comparison: ComparisonUse::Optional, ..without_baseline() };
    assert_eq!((report.acceptance(), report.headline()), (Acceptance::Accepted, "Finished.".to_owned()));
    assert!(!report.is_doubtful());
}

#[test]
fn threshold_decides_without_a_baseline_and_the_missing_baseline_is_named() {
    let mut report = without_baseline();
    report.suites[0].thresholds = fixture::report().suites[0].thresholds[1..].to_vec();
    let expected = "All requirements are met. Not compared: there is no baseline.";
    assert_eq!((report.acceptance(), report.headline()), (Acceptance::Accepted, expected.to_owned()));
    assert!(report.is_doubtful());
}

#[test]
fn headline_has_the_suites_and_the_games() {
    let mut report =
        compared(&[("repetition", Ok(ComparedCases { cases: 1040, ..ComparedCases::default() }))]);
    report.matches = fixture::report().matches;
    report.matches.truncate(1);
    report.matches[0].games.clear();
    let headline = report.headline();
    let start = "Suites: no regression (1\u{202f}040 cases compared). Games: undecided after 120 games: Elo ";
    assert!(headline.starts_with(start), "{headline}");
    assert!(report.is_doubtful() && github::annotations(&report)[0].starts_with("::warning "));
    let mut second = report.matches[0].clone();
    second.name = "second".to_owned();
    report.matches.push(second);
    let headline = report.headline();
    assert!(
        headline.contains(" Games of policies: undecided after ")
            && headline.contains(" Games of second: undecided"),
        "{headline}"
    );
    report.failure_reasons = fixture::report().failure_reasons[..1].to_vec();
    report.worse = fixture::report().worse;
    let headline = report.headline();
    assert!(headline.starts_with("Suites: regression: 2 cases are worse"), "{headline}");
    assert!(headline.contains(" Games of second: undecided "), "{headline}");
}

#[test]
fn accepted_new_baseline_needs_no_comparison() {
    let report = Report { becomes_baseline: true, ..without_baseline() };
    let expected = (Acceptance::Accepted, "The results are the new baseline.".to_owned());
    assert_eq!((report.acceptance(), report.headline()), expected);
    assert!(report.basis().gaps.is_empty());
}

#[test]
fn suite_that_a_stopped_run_has_not_begun_is_no_gap() {
    let mut report = compared(&[("perft", Err(NotCompared::DidNotRun))]);
    assert_eq!(report.basis().gaps.len(), 1);
    let mut ahead = report.suites[0].clone();
    (ahead.name, ahead.suite, ahead.cases, ahead.planned) =
        ("perft".to_owned(), "perft".to_owned(), Vec::new(), 3);
    report.suites.push(ahead);
    assert_eq!((report.basis().gaps.len(), report.unfinished()), (0, vec![("perft", 0, 3)]));
}
