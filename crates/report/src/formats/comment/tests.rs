//! Tests of the comment: what it says for each kind of run, and how long it may be.

use std::cell::Cell;

use super::text::tests::breach;
use super::*;
use crate::model::baseline_fixture::{compare, passing};
use crate::model::bench_comparison::BenchComparison;
use crate::model::fixture;
use crate::model::report::{FailureReason, MatchResult, Test, TestStanding};
use threefold_stats::GameResult::{self, Draw, Loss, Win};
use threefold_stats::{EloModel, Risks, Sprt};
use threefold_suites::kinds::bench::BenchReading;
use threefold_suites::{FailCause, Verdict};

/// The comment, which has the form that the script accepts.
fn checked(report: &Report) -> String {
    let comment = page(report);
    assert_eq!(breach(&comment), None, "{comment}");
    assert!(comment.chars().count() < 20_000, "{} characters", comment.chars().count());
    let rows = comment.lines().filter(|line| line.starts_with("| ")).count();
    assert!(rows <= ROWS + 2, "{rows} rows");
    comment
}

/// A run of three suites as in the baseline, with a bench and a test of these pairs, which is over.
fn with_test(standing: TestStanding, pairs: &[[GameResult; 2]]) -> Report {
    let mut report = passing(3, 40);
    "Stash".clone_into(&mut report.title);
    "threefold regress --base-commit 1a2b3c4d".clone_into(&mut report.command);
    let reading = |nps| BenchReading { nodes: 12_170_044, nps: Some(nps), runs: None };
    report.benches = vec![BenchComparison {
        suite: "bench".to_owned(),
        now: reading(1_507_000),
        was: Some(reading(1_512_000)),
    }];
    let sprt = Sprt::new(EloModel::Normalized, 0.0, 10.0, Risks::USUAL).expect("a test");
    let names = ["mine", "base 1a2b3c4d"].map(str::to_owned);
    let test = Test::from_pairs(names, pairs, &sprt.into(), standing);
    report.matches[0].name = "base".to_owned();
    report.matches[0].terms = "8+0.08".to_owned();
    report.matches[0].result = MatchResult::Test(Box::new(test));
    report
}

/// Pairs of which the first engine wins a few more than it loses.
fn pairs(number: usize) -> Vec<[GameResult; 2]> {
    let some = [[Win, Draw], [Draw, Draw], [Loss, Draw], [Win, Loss], [Draw, Draw], [Win, Draw], [Win, Win]];
    some.into_iter().cycle().take(number).collect()
}

#[test]
fn a_pass_is_a_comment() {
    insta::assert_snapshot!(checked(&with_test(TestStanding::AcceptedH1, &pairs(300))));
}

#[test]
fn an_undecided_test_is_a_comment() {
    insta::assert_snapshot!(checked(&with_test(TestStanding::BudgetSpent, &pairs(60))));
}

#[test]
fn a_regression_is_a_comment() {
    let mut report = with_test(TestStanding::BudgetSpent, &pairs(60));
    let cases = Cell::new(0);
    compare(&mut report, |verdict| {
        cases.set(cases.get() + 1);
        if cases.get() % 8 == 0 {
            *verdict = Verdict::unanswered(FailCause::Longer, "mate in 5 instead of 3");
        }
    });
    let what = "15 verdicts worse than in the baseline".to_owned();
    let part = report.suites[0].name.clone();
    report.failure_reasons = vec![FailureReason { kind: FailureKind::Regression, part, what }];
    insta::assert_snapshot!(checked(&report));
}

#[test]
fn a_run_that_could_not_start_is_a_comment() {
    let why = "engine `mine` (`./mine`): can't be started: No such file or directory; build it first";
    insta::assert_snapshot!(checked(&Report::not_started("Stash", "threefold regress", "a machine", why)));
}

#[test]
fn a_match_is_a_comment() {
    let mut report = fixture::report();
    report.suites.clear();
    report.failure_reasons.clear();
    report.baseline = Baseline::Absent("there is no baseline".to_owned());
    report.matches = vec![report.matches.remove(1)];
    let comment = checked(&report);
    // Two games of a pair make its points: LL 2, LD 9, WL 13, DD 18, WD 14, WW 4.
    assert!(comment.contains("\n    Games | N: 120 W: 35 L: 26 D: 59\n"), "{comment}");
    assert!(!comment.contains("SPRT"), "{comment}");
}

#[test]
fn every_name_and_every_text_of_a_hostile_run_is_shown_as_text() {
    let hostile = "<img src=x onerror=y> @team #7 [a](http://x) `b|c` | \n/close &lt; ~~~ ".repeat(40);
    let mut report = fixture::report();
    for text in [&mut report.title, &mut report.command] {
        hostile.clone_into(text);
    }
    for reason in &mut report.failure_reasons {
        hostile.clone_into(&mut reason.what);
        hostile.clone_into(&mut reason.part);
    }
    for part in &mut report.suites {
        for text in [&mut part.title, &mut part.engine, &mut part.suite] {
            hostile.clone_into(text);
        }
        for case in &mut part.cases {
            for text in [&mut case.id, &mut case.accepted, &mut case.verdict.played, &mut case.verdict.detail]
            {
                hostile.clone_into(text);
            }
        }
        let failed = part.cases.last().expect("a case").clone();
        part.cases.extend(std::iter::repeat_n(failed, 90));
    }
    for part in &mut report.matches {
        hostile.clone_into(&mut part.name);
        hostile.clone_into(&mut part.terms);
        if let MatchResult::Test(test) = &mut part.result {
            hostile.clone_into(&mut test.duel.ours);
        }
    }
    checked(&report);
    report.baseline = Baseline::Absent(hostile);
    let comment = checked(&report);
    assert!(comment.contains("\n| and "), "{comment}");
}
