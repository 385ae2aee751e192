//! Games with scripted players: how they end, what is charged, and how they are judged.

use super::*;
use crate::VerdictKind;
use crate::dialogue::script::{lead, says};

/// Plays from the start position.
fn led(terms: TimedGameTerms, answers: Vec<Answer>) -> Verdict {
    lead(&mut TimedGameCase::new(&GamePosition::start_position(), terms), answers).0
}

fn game(control: &str, plies: u32) -> TimedGameCase {
    let terms = TimedGameTerms {
        controls: ByColor::new_with(|_| control.parse().expect("a control")),
        clock_source: "virtual:1000".parse().expect("a pace"),
        plies,
        lags: Vec::new(),
        least_used: 0.0,
        most_spread: None,
        most_overrun: None,
        margin: Duration::ZERO,
    };
    TimedGameCase::new(&GamePosition::start_position(), terms)
}

/// Knights move out and back, with these nodes for each move.
fn shuffle(nodes: &[u64]) -> Vec<Answer> {
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle();
    moves.zip(nodes).map(|(mv, &nodes)| Answer { nodes, ..says(mv, &[]) }).collect()
}

#[test]
fn timed_game_ends_by_rules_length_or_fault() {
    let other = |mv: &str| [shuffle(&[100]), vec![says(mv, &[])]].concat();
    let table = [
        // control, plies, answers, mark, what was played, reason
        (
            "1+0.5",
            160,
            shuffle(&[600, 50, 300, 50, 300, 50, 300, 50]),
            VerdictKind::Passed,
            "8 plies",
            "in time: threefold repetition after 8 plies; used 42.9 % and 5.7 % of the time granted to White and Black; \
             longest think 40.0 % of the time left",
        ),
        (
            "2/1",
            4,
            shuffle(&[500, 100, 500, 100]),
            VerdictKind::Passed,
            "4 plies",
            "in time: the limit of plies after 4 plies; used 50.0 % and 10.0 % of the time granted to White and \
             Black; longest think 100.0 % of the time left",
        ),
        (
            "1",
            160,
            shuffle(&[1001]),
            VerdictKind::Fault,
            "0 plies",
            "time loss: white oversteps 1 by 1 ms at ply 1",
        ),
        (
            "1+0.01",
            160,
            shuffle(&[1, 1010, 1, 11]),
            VerdictKind::Fault,
            "3 plies",
            "time loss: black oversteps 1+0.01 by 1 ms at ply 4",
        ),
        ("1", 160, other("e2e4"), VerdictKind::Fault, "1 plies", "illegal move: e2e4 at ply 2"),
        ("1", 160, other(""), VerdictKind::Fault, "1 plies", "no move: at ply 2"),
        (
            "1",
            2,
            shuffle(&[0, 0]),
            VerdictKind::Failed,
            "2 plies",
            "no nodes reported: so its clock never ran",
        ),
    ];
    for (control, plies, answers, mark, played, reason) in table {
        let mut case = game(control, plies);
        let (verdict, _, games) = lead(&mut case, answers);
        assert_eq!((verdict.kind(), verdict.reason().as_str()), (mark, reason), "{control}");
        assert_eq!((verdict.played.as_str(), games), (played, 1), "{control}");
    }
}

#[test]
fn margin_of_the_game_is_for_controls_without_their_own() {
    let table = [
        // control, nodes, flag; the margin of the game is 4 ms
        ("1", 1004, None),
        ("1", 1005, Some("time loss: white oversteps 1 by 5 ms at ply 1")),
        ("1,timemargin=2", 1003, Some("time loss: white oversteps 1,timemargin=2 by 3 ms at ply 1")),
    ];
    for (control, nodes, flag) in table {
        let terms = TimedGameTerms { margin: Duration::from_millis(4), ..game(control, 1).terms };
        let verdict = led(terms, shuffle(&[nodes]));
        let loss = (verdict.kind() == VerdictKind::Fault).then(|| verdict.reason());
        assert_eq!(loss.as_deref(), flag, "{control}");
    }
}

#[test]
fn lags_apply_in_order() {
    let table = [
        // lags in milliseconds, and the flag; each of White's moves takes 200
        (vec![], None),
        (vec![100], None),
        (vec![140], Some("time loss: white oversteps 1 by 20 ms at ply 5")),
        (vec![0, 0, 401], Some("time loss: white oversteps 1 by 1 ms at ply 5")),
        (vec![200, 1], Some("time loss: white oversteps 1 by 1 ms at ply 5")),
    ];
    for (lags, flag) in table {
        let millis = lags.iter().map(|&lag| Duration::from_millis(lag)).collect();
        let verdict = led(
            TimedGameTerms { lags: millis, ..game("1", 6).terms },
            shuffle(&[200, 100, 200, 100, 200, 100]),
        );
        assert_eq!(
            (verdict.kind() == VerdictKind::Fault).then_some(verdict.reason().as_str()),
            flag,
            "{lags:?}"
        );
    }
}

#[test]
fn busy_machine_differs_from_a_late_engine() {
    let what = "white oversteps 1 by 14 ms at ply 1";
    let table = [
        (None, VerdictKind::Fault, format!("time loss: {what}")),
        (Some(13), VerdictKind::Fault, format!("time loss: {what}, kept waiting 13 ms")),
        (Some(14), VerdictKind::Skipped, format!("busy machine: {what}, kept waiting 14 ms")),
    ];
    for (waited, mark, reason) in table {
        let (elapsed, waited) = (Duration::from_millis(1014), waited.map(Duration::from_millis));
        let delays = waited.map(|engine| Delays { engine, runner: Duration::ZERO });
        let verdict = led(
            TimedGameTerms { clock_source: ClockSource::Wall, ..game("1", 2).terms },
            vec![Answer { elapsed, delays, ..says("e2e4", &[]) }],
        );
        assert_eq!((verdict.kind(), verdict.reason()), (mark, reason));
    }
    let moves = ["e2e4", "e7e5"].map(|mv| Answer { nodes: 0, ..says(mv, &[]) });
    let verdict =
        led(TimedGameTerms { clock_source: ClockSource::Wall, ..game("1", 2).terms }, moves.to_vec());
    assert_eq!(verdict.kind(), VerdictKind::Passed, "the wall's clock needs no nodes: {}", verdict.reason());
}

#[test]
fn time_use_is_checked_and_measured() {
    // Trees of 100 and 300 nodes, and 3 ms over the maximum.
    let reported = |nodes: [u64; 2]| {
        let account =
            |tree, used| format!("time budget 1 most 200 used {used} tree {tree} reused 0 end budget");
        let accounts = [account(100, 1), account(300, 203)].map(|text| text.parse().ok());
        let answers = shuffle(&nodes).into_iter().zip(accounts);
        answers.map(|(answer, account)| Answer { account, ..answer }).collect::<Vec<_>>()
    };
    let seen = "the limit of plies after 2 plies; used 25.0 % and 25.0 % of the time granted to White and Black; \
                longest think 25.0 % of the time left";
    let plans = "; trees spread by 50.0 % of their mean; worst overrun 3ms";
    let terms = |used, spread, overrun: Option<u64>| TimedGameTerms {
        least_used: used,
        most_spread: spread,
        most_overrun: overrun.map(Duration::from_millis),
        ..game("1", 2).terms
    };
    let table = [
        // least used, most spread, most overrun; what is complained of
        (0.25, Some(0.5), Some(3), ""),
        (0.3, None, None, "idle: less than 30 % of the clock; "),
        (0.0, Some(0.4), None, "uneven: trees spread by more than 40 %; "),
        (0.0, None, Some(2), "overrun: a move exceeds its maximum by more than 2ms; "),
        (
            0.0,
            Some(0.0),
            Some(0),
            "uneven: trees spread by more than 0 %; overrun: a move exceeds its maximum by more than 0ns; ",
        ),
    ];
    for (used, spread, overrun, complaints) in table {
        let verdict = led(terms(used, spread, overrun), reported([250, 250]));
        let complaints = if complaints.is_empty() { "in time: " } else { complaints };
        assert_eq!(verdict.reason(), format!("{complaints}{seen}{plans}"));
        assert_eq!(verdict.kind() == VerdictKind::Passed, complaints == "in time: ", "{complaints}");
        let used = Measure::share("time used, ms", 500, 2000);
        let spread = Measure::share("spread of trees, nodes", 100, 200);
        assert_eq!(verdict.measures, [used, spread, Measure::count("worst overrun, ms", 3)]);
    }
    // An engine without time reports is judged without them.
    let verdict = led(terms(0.25, Some(0.0), Some(0)), shuffle(&[250, 250]));
    assert_eq!(
        (verdict.kind(), verdict.reason().as_str(), verdict.measures.len()),
        (VerdictKind::Passed, format!("in time: {seen}").as_str(), 1)
    );
}

#[test]
fn short_game_may_leave_time_for_the_moves_that_were_planned() {
    // Eight plies to the repetition, a tenth of the planned ones; White uses 42.9 % of its time and Black 5.7 %.
    let answers = || shuffle(&[600, 50, 300, 50, 300, 50, 300, 50]);
    let reason = |least_used, plies| {
        led(TimedGameTerms { least_used, ..game("1+0.5", plies).terms }, answers()).reason()
    };
    assert!(reason(0.57, 160).starts_with("in time: threefold repetition"));
    assert!(reason(0.58, 160).starts_with("idle: less than 6 % of the clock; threefold repetition"));
    // A game that the suite ends is not short.
    assert!(reason(0.57, 4).starts_with("idle: less than 57 % of the clock; the limit of plies"));
}

#[test]
fn both_clocks_are_sent_with_the_period() {
    let mut case = game("2/1+0.1", 4);
    let (_, asked, _) = lead(&mut case, shuffle(&[100, 200, 100, 100]));
    let reported: Vec<_> = asked
        .iter()
        .filter_map(|question| question.limits.clocks)
        .map(|clocks| (clocks.white.time.as_millis(), clocks.black.time.as_millis(), clocks.moves_to_go))
        .collect();
    assert_eq!(
        reported,
        [(1100, 1100, Some(2)), (1100, 1100, Some(2)), (1100, 1000, Some(1)), (2100, 1000, Some(1))]
    );
}
