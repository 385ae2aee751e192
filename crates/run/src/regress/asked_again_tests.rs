//! Limits of the stages, and answers that pass.

use std::time::Duration;

use super::*;
use threefold_suites::{FailCause, PassCause};

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
