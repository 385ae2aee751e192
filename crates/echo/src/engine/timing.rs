//! Echo with a time manager: what one search leaves for the next, and what is told of it.

use std::time::Duration;

use super::tests::request;
use super::*;
use crate::timeman::TimeManager;
use threefold_chess::clock::{Account, Clocks, Limits, Remaining, SearchEnd};

/// Echo on a clock of 20 nodes a millisecond.
fn echo(manager: TimeManager, threads: &str) -> Echo {
    let mut echo = Echo::new();
    for (name, value) in
        [("TimeManager", manager.name()), ("nodestime", "20"), ("MoveOverhead", "10"), ("Threads", threads)]
    {
        echo.set(name, value).expect(name);
    }
    echo
}

fn clocks(millis: u64) -> Limits {
    let side = Remaining { time: Duration::from_millis(millis), increment: Duration::ZERO };
    Limits::clocks(Clocks { white: side, black: side, moves_to_go: None })
}

/// Thinks, and says what it found and how its time went.
fn think(echo: &mut Echo, line: &Line, limits: &Limits) -> (Found, Option<Account>) {
    let found = echo.search(&request(line, limits), &mut |_| {}).expect("legal");
    let account = found.account;
    (found, account)
}

/// The line after the move that was found and the reply that was expected.
fn going_on(line: &Line, found: &Found) -> Line {
    let mut next = line.clone();
    next.moves.extend(found.best.into_iter().chain(found.ponder));
    next
}

#[test]
fn every_manager_keeps_the_clock_and_tells_how() {
    for &manager in TimeManager::ALL {
        let mut echo = echo(manager, "1");
        let (mut line, mut left) = (Line::start_position(), Duration::from_secs(8));
        for _ in 0..12 {
            let limits = clocks(u64::try_from(left.as_millis()).expect("small"));
            let (found, account) = think(&mut echo, &line, &limits);
            let account = account.expect("a clock limits it");
            assert!(account.used <= account.most + Duration::from_millis(1), "{manager}: {account}");
            assert!(account.most <= left, "{manager}: {account}");
            assert_eq!(account.tree, account.reused + found.nodes, "{manager}: {account}");
            assert_eq!(account.used, Duration::from_micros(found.nodes * 50), "{manager}: {account}");
            assert_eq!(account.to_string().parse(), Ok(account));
            if account.end == SearchEnd::Most {
                assert!(account.budget < account.most, "{manager}: {account}");
            }
            left -= account.used;
            if found.best.is_none() || found.ponder.is_none() {
                break;
            }
            line = going_on(&line, &found);
        }
    }
}

#[test]
fn a_search_inherits_only_from_the_one_it_goes_on_from() {
    let start = Line::start_position();
    let limits = clocks(20_000);
    let table = [
        // what happens between two searches, is anything inherited
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
                // Two moves further on than the next search would have been.
                "a move of the opponent's that was not searched" => {
                    next = going_on(&next, &found_after(&next));
                }
                _ => {}
            }
            let (_, account) = think(&mut echo, &next, &limits);
            let (first, account) = (first.expect("a clock"), account.expect("a clock"));
            assert_eq!(first.reused, 0, "{between}");
            assert_eq!(account.reused > 0, inherits, "{between}, {threads}: {account}");
            assert!(account.reused < first.tree, "{between}: {account}");
        }
    }
}

/// A move and a reply for a position, by a search that knows nothing.
fn found_after(line: &Line) -> Found {
    think(&mut Echo::new(), line, &Limits::nodes(500)).0
}

#[test]
fn only_a_managed_clock_is_told_of() {
    let mut echo = echo(TimeManager::Classic, "1");
    let line = Line::start_position();
    let movetime = Limits { movetime: Some(Duration::from_millis(30)), ..Limits::default() };
    for limits in [Limits::nodes(1_000), movetime, Limits { movetime: movetime.movetime, ..clocks(60_000) }] {
        assert_eq!(think(&mut echo, &line, &limits).1, None, "{limits:?}");
    }
    let called = think(&mut echo, &line, &Limits { nodes: Some(50), ..clocks(60_000) }).1;
    assert_eq!(called.map(|account| account.end), Some(SearchEnd::Called));
}

#[test]
fn an_only_move_is_made_at_once() {
    let only = Line::parse("k7/8/8/8/8/8/r7/7K w - - 0 1", "").expect("sound");
    for &manager in TimeManager::ALL {
        let (_, account) = think(&mut echo(manager, "1"), &only, &clocks(60_000));
        let account = account.expect("a clock");
        assert_eq!(account.end, SearchEnd::Clear, "{manager}: {account}");
        assert!(account.used < account.budget / 2, "{manager}: {account}");
    }
}
