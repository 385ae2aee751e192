//! Tests of Echo with a time manager: tree reuse and time reports.

use std::time::Duration;

use super::tests::request;
use super::*;
use crate::timeman::TimeManager;
use threefold_chess::clock::{Clocks, Limits, Remaining, SearchEnd, TimeReport};

/// Echo with a clock of 20 nodes per millisecond.
fn echo(manager: TimeManager, threads: &str) -> Echo {
    let mut echo = Echo::new();
    for (name, value) in
        [("TimeManager", manager.name()), ("nodestime", "20"), ("Move Overhead", "10"), ("Threads", threads)]
    {
        echo.set(name, value).expect(name);
    }
    echo
}

fn clocks(millis: u64) -> Limits {
    let side = Remaining { time: Duration::from_millis(millis), increment: Duration::ZERO };
    Limits::clocks(Clocks { white: side, black: side, moves_to_go: None })
}

/// Searches, and returns the result and its time report.
fn think(echo: &mut Echo, position: &GamePosition, limits: &Limits) -> (SearchResult, Option<TimeReport>) {
    let found = echo.search(&request(position, limits), &mut |_| {}).expect("legal");
    let time_report = found.time_report;
    (found, time_report)
}

/// The game after the best move and the expected reply.
fn going_on(position: &GamePosition, found: &SearchResult) -> GamePosition {
    let mut next = position.clone();
    next.moves.extend(found.best.into_iter().chain(found.ponder));
    next
}

#[test]
fn managers_keep_the_clock_and_report() {
    for &manager in TimeManager::ALL {
        let mut echo = echo(manager, "1");
        let (mut line, mut left) = (GamePosition::start_position(), Duration::from_secs(8));
        for _ in 0..12 {
            let limits = clocks(u64::try_from(left.as_millis()).expect("small"));
            let (found, time_report) = think(&mut echo, &line, &limits);
            let time_report = time_report.expect("a clock limits it");
            assert!(
                time_report.used <= time_report.hard_limit + Duration::from_millis(1),
                "{manager}: {time_report}"
            );
            assert!(time_report.hard_limit <= left, "{manager}: {time_report}");
            assert_eq!(time_report.tree, time_report.reused + found.nodes, "{manager}: {time_report}");
            assert_eq!(time_report.used, Duration::from_micros(found.nodes * 50), "{manager}: {time_report}");
            assert_eq!(time_report.to_string().parse(), Ok(time_report));
            if time_report.end == SearchEnd::HardLimit {
                assert!(time_report.budget < time_report.hard_limit, "{manager}: {time_report}");
            }
            left -= time_report.used;
            if found.best.is_none() || found.ponder.is_none() {
                break;
            }
            line = going_on(&line, &found);
        }
    }
}

#[test]
fn tree_reuse_requires_a_continued_search() {
    let start = GamePosition::start_position();
    let limits = clocks(20_000);
    let table = [
        // event between two searches, whether there is reuse
        ("nothing", true),
        ("a new game", false),
        ("a hash table of another size", false),
        ("a cleared hash table", false),
        ("a search of another position", false),
        ("a search by nodes", false),
        ("a search of the next position for a time of its own", false),
        ("a move of the opponent's that was not searched", false),
    ];
    for threads in ["1", "2"] {
        for (between, inherits) in table {
            let mut echo = echo(TimeManager::Smooth, threads);
            let (found, first) = think(&mut echo, &start, &limits);
            let mut next = going_on(&start, &found);
            match between {
                "a new game" => echo.new_game(),
                "a hash table of another size" => echo.set("Hash", "5").expect("sound"),
                "a cleared hash table" => echo.set("Clear Hash", "").expect("sound"),
                "a search of another position" => drop(think(&mut echo, &next, &limits)),
                "a search of the next position for a time of its own" => {
                    let movetime = Some(Duration::from_millis(5));
                    _ = think(&mut echo, &next, &Limits { movetime, ..limits });
                }
                "a search by nodes" => drop(think(&mut echo, &start, &Limits::nodes(100))),
                // Two moves further than the next search would have been.
                "a move of the opponent's that was not searched" => {
                    next = going_on(&next, &found_after(&next));
                }
                _ => {}
            }
            let (_, time_report) = think(&mut echo, &next, &limits);
            let (first, time_report) = (first.expect("a clock"), time_report.expect("a clock"));
            assert_eq!(first.reused, 0, "{between}");
            assert_eq!(time_report.reused > 0, inherits, "{between}, {threads}: {time_report}");
            assert!(time_report.reused < first.tree, "{between}: {time_report}");
        }
    }
}

#[test]
fn inherited_nodes_are_those_below_the_reply() {
    let start = GamePosition::start_position();
    let limits = clocks(20_000);
    let begin = || {
        let mut echo = echo(TimeManager::Smooth, "1");
        let (found, report) = think(&mut echo, &start, &limits);
        (echo, found, report.expect("a clock"))
    };
    let (_, found, first) = begin();
    let mut line = start.clone();
    line.moves.extend(found.best);
    let ReplayedGame { board, .. } = ReplayedGame::replay(&line, SeededBug::NONE).expect("legal");
    let mut inherited = Vec::new();
    for reply in position::legal_moves(&board) {
        let (mut echo, ..) = begin();
        let mut next = line.clone();
        next.moves.push(move_conversion::to_uci(&board, reply, move_conversion::Castling::TwoSteps));
        let report = think(&mut echo, &next, &limits).1.expect("a clock");
        inherited.push(report.reused);
    }
    // Few replies had most of the nodes, and all replies to the move together had a part of the tree.
    inherited.sort_unstable();
    let [median, most] = [inherited[inherited.len() / 2], inherited[inherited.len() - 1]];
    assert!(most > 10 * median, "{inherited:?}");
    let sum: u64 = inherited.iter().sum();
    assert!(first.tree / 4 < sum && sum <= first.tree, "{sum} of {}", first.tree);
}

/// After 1.d4 d5: the reply is foreseen, so the tree of the first search is inherited.
fn queens_pawns() -> GamePosition {
    let moves = ["d2d4", "d7d5"].map(|mv| mv.parse().expect("a move"));
    GamePosition { moves: moves.into(), ..GamePosition::start_position() }
}

/// The table holds fewer entries than the first search had nodes.
#[test]
fn no_more_nodes_are_inherited_than_the_table_holds() {
    let start = queens_pawns();
    let mut echo = echo(TimeManager::Smooth, "1");
    echo.set("Hash", "1").expect("an option");
    let entries = echo.memory.table.capacity();
    let limits = clocks(800_000);
    let (found, first) = think(&mut echo, &start, &limits);
    let tree = first.expect("a clock").tree;
    let (_, report) = think(&mut echo, &going_on(&start, &found), &limits);
    let reused = report.expect("a clock").reused;
    assert!(tree > 3 * entries, "{tree} nodes, {entries} entries");
    assert!(entries / 8 < reused && reused <= entries, "{reused} of {entries}");
}

#[test]
fn report_tells_when_the_old_depth_is_regained() {
    let start = queens_pawns();
    let mut echo = echo(TimeManager::Smooth, "1");
    let (found, first) = think(&mut echo, &start, &clocks(60_000));
    assert_eq!(first.expect("a clock").regained, None, "nothing is inherited");
    let next = going_on(&start, &found);
    let (mut ends, limits) = (Vec::new(), clocks(60_000));
    let found = echo.search(&request(&next, &limits), &mut |report| ends.push(report.nodes));
    let report = found.expect("legal").time_report.expect("a clock");
    let regained = report.regained.expect("it is as deep again");
    // A completed iteration ended at this number of nodes, with less than the position had cost before.
    assert!(ends.contains(&regained), "{regained}: {ends:?}");
    assert!(0 < regained && regained < report.reused, "{report}");
    // After the hash table is cleared, nothing is inherited and nothing regained.
    echo.set("Clear Hash", "").expect("a button");
    let report = think(&mut echo, &next, &clocks(60_000)).1.expect("a clock");
    assert_eq!((report.reused, report.regained), (0, None));
}

#[test]
fn saved_nodes_change_the_plan_if_they_are_learnt() {
    let budgets = |sample: &str| -> Vec<Duration> {
        let mut echo = echo(TimeManager::Smooth, "1");
        echo.set("SmoothReuse", sample).expect(sample);
        let mut position = GamePosition::start_position();
        let mut plan = || {
            let (found, report) = think(&mut echo, &position, &clocks(60_000));
            position = going_on(&position, &found);
            report.expect("a clock").budget
        };
        (0..6).map(|_| plan()).collect()
    };
    let [inherited, saved] = ["Inherited", "Saved"].map(budgets);
    assert_eq!(inherited[0], saved[0], "nothing is learnt before");
    assert_ne!(inherited[2..], saved[2..]);
}

#[test]
fn held_back_overheads_are_the_only_difference_from_the_published_formula() {
    // At the first move, 51.5 moves left, half of a tree reused, and 70 % of a budget used.
    let literal = |clock: f64| (clock - 10.0).max(0.0) / 51.5 / 0.5 / 0.7;
    let table = [
        // clock and increment in milliseconds, milliseconds held back, the largest loss against the formula
        (30_000, 0, 300.0, 0.0101),
        (5_000, 0, 300.0, 0.061),
        (300, 0, 193.333, 0.67),
        // An increment as large as the overhead pays for it, half of it for half.
        (30_000, 10, 0.0, 0.0),
        (30_000, 5, 150.0, 0.0051),
    ];
    for (clock, increment, held, loss) in table {
        let side = |time| Remaining { time, increment: Duration::from_millis(increment) };
        let side = side(Duration::from_millis(clock));
        let limits = Limits::clocks(Clocks { white: side, black: side, moves_to_go: None });
        let position = GamePosition::start_position();
        let budget =
            think(&mut echo(TimeManager::Smooth, "1"), &position, &limits).1.expect("a clock").budget;
        let budget = budget.as_secs_f64() * 1e3;
        let whole = clock as f64 + 50.5 * increment as f64;
        let expected = literal(whole - held);
        assert!((budget - expected).abs() < 2e-3, "{clock}+{increment}: {budget} for {expected}");
        assert!(
            budget >= literal(whole) * (1.0 - loss),
            "{clock}+{increment}: {budget} of {}",
            literal(whole)
        );
    }
}

/// A best move and reply by a search without history.
fn found_after(position: &GamePosition) -> SearchResult {
    think(&mut Echo::new(), position, &Limits::nodes(500)).0
}

#[test]
fn time_report_requires_a_managed_clock() {
    let mut echo = echo(TimeManager::Classic, "1");
    let position = GamePosition::start_position();
    let movetime = Limits { movetime: Some(Duration::from_millis(30)), ..Limits::default() };
    for limits in [Limits::nodes(1_000), movetime, Limits { movetime: movetime.movetime, ..clocks(60_000) }] {
        assert_eq!(think(&mut echo, &position, &limits).1, None, "{limits:?}");
    }
    let called = think(&mut echo, &position, &Limits { nodes: Some(50), ..clocks(60_000) }).1;
    assert_eq!(called.map(|time_report| time_report.end), Some(SearchEnd::Interrupted));
}

#[test]
fn single_legal_move_is_played_at_once() {
    let only = GamePosition::parse("k7/8/8/8/8/8/r7/7K w - - 0 1", "").expect("sound");
    for &manager in TimeManager::ALL {
        let (_, time_report) = think(&mut echo(manager, "1"), &only, &clocks(60_000));
        let time_report = time_report.expect("a clock");
        assert_eq!(time_report.end, SearchEnd::NoChoice, "{manager}: {time_report}");
        assert!(time_report.used < time_report.budget / 2, "{manager}: {time_report}");
    }
}
