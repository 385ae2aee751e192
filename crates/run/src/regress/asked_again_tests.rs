//! Limits that raise a search, answers that pass, and stopped runs that go on.

use std::time::Duration;

use super::*;
use crate::regress::baseline::BaselineCase;
use threefold_stats::paired::Discordant;
use threefold_suites::{FailCause, PassCause, Share, Shortfall};

#[test]
fn cases_that_are_asked_again_are_spread_over_the_lost_ones() {
    assert!(evenly_spread::<u8>(&[], 3).is_empty());
    assert_eq!(evenly_spread(&[1, 2], 3), [1, 2]);
    assert_eq!(evenly_spread(&[1, 2, 3, 4, 5, 6, 7], 3), [1, 3, 5]);
}

#[test]
fn no_limit_is_asked_twice() {
    let depth = |plies| Limits { depth: Some(Ply(plies)), ..Limits::default() };
    let clock = |time, increment| {
        let side = Remaining { time, increment };
        Limits { clocks: Some(Clocks { white: side, black: side, moves_to_go: None }), ..Limits::default() }
    };
    let table = [
        (Limits::nodes(1), [1, 2, 1]),
        (Limits::nodes(2), [2, 2, 1]),
        (Limits::nodes(10), [3, 2, 1]),
        (Limits::nodes(u64::MAX), [1, 0, 0]),
        (depth(1), [1, 2, 1]),
        (depth(u16::MAX - 1), [1, 0, 0]),
        (depth(u16::MAX), [0, 0, 0]),
        (clock(Duration::from_secs(1), Duration::ZERO), [2, 1, 1]),
        (clock(Duration::ZERO, Duration::from_millis(50)), [1, 0, 0]),
        (clock(Duration::MAX, Duration::ZERO), [1, 0, 0]),
    ];
    for (limits, counts) in table {
        let stages = [0, 1, 2].map(|stage| stage_limits(&limits, stage));
        assert_eq!(stages.each_ref().map(Vec::len), counts, "{limits:?}");
        let texts: Vec<String> = stages.iter().flatten().map(limit_text).collect();
        let distinct: BTreeSet<&String> = texts.iter().collect();
        assert_eq!(distinct.len(), texts.len(), "{texts:?}");
        // The time of a plan is tried once more.
        assert!(limits.clocks.is_some() || !distinct.contains(&limit_text(&limits)), "{texts:?}");
    }
}

#[test]
fn silent_dialogue_is_not_passed_and_flaky_one_is() {
    use LostCase::{Search, Strict};
    for (cause, lost_case, passed) in [
        (Cause::Passed(PassCause::ClauseMet), Strict, Some(true)),
        (Cause::Failed(FailCause::ProtocolViolated), Strict, Some(false)),
        (Cause::Skipped(SkipCause::Flaky), Strict, Some(true)),
        (Cause::Skipped(SkipCause::NoAnswer), Strict, Some(false)),
        (Cause::Skipped(SkipCause::NoAnswer), Search, None),
        (Cause::Skipped(SkipCause::NotSupported), Strict, None),
    ] {
        let verdict = Verdict::unanswered(cause, "");
        assert_eq!(is_passed(&verdict, lost_case), passed, "{cause:?} {lost_case:?}");
    }
}

#[test]
fn stopped_plan_goes_on_unless_a_case_that_was_tried_again_counts() {
    let lost_cases = [("mate", LostCase::Search), ("dialogue", LostCase::Strict)];
    let lost_cases = lost_cases.map(|(suite, lost_case)| (suite.to_owned(), lost_case)).into();
    let asked = AskedAgain { lost_cases, ..AskedAgain::default() };
    let case = |suite: &str, loss| {
        let cause = Cause::unclassified(VerdictKind::Failed);
        let [id, class, detail, played] = [const { String::new() }; 4];
        let now = BaselineCase { class, cause, detail, played, solved_nodes: None, accepted: None };
        let change = CaseChange { id, was: now.clone(), now };
        Regression::Case { suite: suite.to_owned(), change, loss }
    };
    let threshold = |suite: &str| {
        let asked = Share::new(1.0).expect("a share");
        let shortfall = Shortfall { class: None, passed: 0, cases: 1, needed: 1, asked };
        Regression::Threshold { suite: suite.to_owned(), shortfall }
    };
    let not_asked = Some(Loss::NotAsked("the run ended before"));
    let again = Some(Loss::Again { failed: 5, attempts: 5 });
    let table = [
        (case("mate", not_asked.clone()), false),
        // A fault.
        (case("mate", None), true),
        (case("dialogue", not_asked), true),
        (case("dialogue", again), true),
        (Regression::Suite { suite: "mate".to_owned(), passed_alone: Discordant::default(), p: 0.0 }, false),
        (threshold("dialogue"), false),
        (threshold("mate"), true),
        (Regression::Rejected { test: "base".to_owned() }, true),
        (Regression::Stopped { suite: "dialogue".to_owned(), failed: 2, are_lost: true }, false),
    ];
    for (found, ends) in table {
        assert_eq!(ends_plan(&found, &["dialogue".to_owned()], &asked), ends, "{found}");
    }
}
