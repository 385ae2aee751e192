//! Node limits are exact, and a speed limit is a number of nodes.

use super::*;
use cozy_chess::Board;

use crate::engine::{GameTimeKeeper, SearchPosition};
use crate::timeman::TimeManager;
use threefold_chess::clock::{Clocks, Limits, Remaining};
use threefold_chess::position::GamePosition;

/// Nodes until the budget stops the search.
fn spent(limits: &Limits, settings: &Settings, now: &(dyn Fn() -> Duration + Sync), ponder: &Stop) -> u64 {
    spent_slowly(limits, settings, now, ponder, None)
}

/// Nodes until the budget stops the search, with a speed limit after the first hundred.
fn spent_slowly(
    limits: &Limits,
    settings: &Settings,
    now: &(dyn Fn() -> Duration + Sync),
    ponder: &Stop,
    speed: Option<u64>,
) -> u64 {
    let (line, stop) = (GamePosition::start_position(), Stop::default());
    let request = SearchRequest { position: &line, limits, only: &[], stop: &stop, pondering: ponder, now };
    let shared = SharedCounters::default();
    let mut keeper = GameTimeKeeper::new(settings);
    let board = Board::startpos();
    let position = SearchPosition { position: &line, board: &board, last: [None; 2], entries: 0 };
    keeper.begin(&position, limits, settings);
    let mut budget = SearchBudget::new(&request, keeper.timer(), settings, &shared);
    while budget.nodes() < 10_000_000 && budget.spend().is_ok() {
        if budget.nodes() == 5_000 {
            ponder.lower();
        }
        if budget.nodes() == 100
            && let Some(speed) = speed
        {
            budget.limit_speed(speed);
            if budget.check_limits().is_err() {
                break;
            }
        }
    }
    budget.nodes()
}

#[test]
fn node_limits_are_exact() {
    let clocks = |milliseconds, moves_to_go| {
        let side = Remaining { time: Duration::from_millis(milliseconds), increment: Duration::ZERO };
        Limits::clocks(Clocks { white: side, black: side, moves_to_go })
    };
    let virtual_clock = Settings { nodes_a_millisecond: 100, ..Settings::DEFAULT };
    let movetime = Limits { movetime: Some(Duration::from_millis(50)), ..Limits::default() };
    let table = [
        // limits, settings, nodes
        (Limits::nodes(0), Settings::DEFAULT, 0),
        (Limits::nodes(1), Settings::DEFAULT, 1),
        (Limits::nodes(12_345), Settings::DEFAULT, 12_345),
        (clocks(1_010, Some(1)), virtual_clock, 100_000),
        (clocks(5, Some(1)), virtual_clock, 0),
        (movetime, virtual_clock, 4_000),
        (Limits { nodes: Some(77), ..movetime }, virtual_clock, 77),
    ];
    for (limits, settings, nodes) in table {
        let never = || Duration::MAX;
        assert_eq!(spent(&limits, &settings, &never, &Stop::default()), nodes, "{limits:?}");
    }
}

#[test]
fn clock_starts_at_the_end_of_pondering() {
    let settings = Settings { nodes_a_millisecond: 100, ..Settings::DEFAULT };
    let movetime = Limits { movetime: Some(Duration::from_millis(50)), ..Limits::default() };
    let ponder = Stop::default();
    ponder.raise();
    let nodes = spent(&movetime, &settings, &|| Duration::ZERO, &ponder);
    // Lowered at 5 000, noticed at the next check.
    assert_eq!(nodes, 5 * CHECK_INTERVAL + 4_000);
}

#[test]
fn speed_limit_is_a_number_of_nodes() {
    let virtual_clock = Settings { nodes_a_millisecond: 100, ..Settings::DEFAULT };
    let movetime = Limits { movetime: Some(Duration::from_millis(50)), ..Limits::default() };
    let table = [
        // limits, settings, nodes per second, nodes
        (movetime, virtual_clock, 10_000, 400),
        (movetime, virtual_clock, 2_500, 100),
        (movetime, virtual_clock, 500, 100),
        (movetime, virtual_clock, FULL_SPEED, 4_000),
        (Limits::nodes(20_000), Settings::DEFAULT, FULL_SPEED / 50, 400),
        (Limits::nodes(20_000), Settings::DEFAULT, FULL_SPEED, 20_000),
        (Limits::nodes(20_000), Settings::DEFAULT, 1, 100),
        (Limits::nodes(50), Settings::DEFAULT, 1, 50),
        (Limits { nodes: Some(20_000), ..movetime }, virtual_clock, FULL_SPEED / 50, 400),
    ];
    for (limits, settings, speed, nodes) in table {
        let never = || Duration::MAX;
        let spent = spent_slowly(&limits, &settings, &never, &Stop::default(), Some(speed));
        assert_eq!(spent, nodes, "{limits:?} at {speed}");
    }
}

#[test]
fn speed_limit_sleeps_on_the_wall_clock() {
    let micros = AtomicU64::new(0);
    // Each reading of the clock is a millisecond later than the one before.
    let now = || Duration::from_micros(micros.fetch_add(1_000, Relaxed));
    let movetime = Limits { movetime: Some(Duration::from_millis(210)), ..Limits::default() };
    let nodes = spent_slowly(&movetime, &Settings::DEFAULT, &now, &Stop::default(), Some(2_000));
    assert!((380..=420).contains(&nodes), "{nodes} nodes in 200 ms at 2 000 a second");
}

#[test]
fn a_helper_reports_each_of_its_nodes_once() {
    let (line, stop, limits) = (GamePosition::start_position(), Stop::default(), Limits::nodes(1_000_000));
    let request = SearchRequest {
        position: &line,
        limits: &limits,
        only: &[],
        stop: &stop,
        pondering: &stop,
        now: &|| Duration::ZERO,
    };
    let shared = SharedCounters::default();
    let mut helper = SearchBudget::for_helper(&request, &shared);
    let check_after = [0, 1, 1, 50, 0, 3 * CHECK_INTERVAL + 7, 0, 0, 1];
    for nodes in check_after {
        for _ in 0..nodes {
            helper.spend().expect("the main thread searches on");
        }
        // Short iterations end often, each with a check.
        helper.check_limits().expect("the main thread searches on");
        assert_eq!(shared.nodes.load(Relaxed), helper.own_nodes());
    }
}

#[test]
fn plan_holds_at_once_after_pondering() {
    let settings =
        Settings { nodes_a_millisecond: 100, time_manager: TimeManager::Smooth, ..Settings::DEFAULT };
    let side = Remaining { time: Duration::from_mins(1), increment: Duration::ZERO };
    let limits = Limits::clocks(Clocks { white: side, black: side, moves_to_go: None });
    // The time of a search whose second iteration has no end.
    let time_used = |is_pondering: bool| {
        let (line, stop, ponder) = (GamePosition::start_position(), Stop::default(), Stop::default());
        if is_pondering {
            ponder.raise();
        }
        let now = || Duration::MAX;
        let request = SearchRequest {
            position: &line,
            limits: &limits,
            only: &[],
            stop: &stop,
            pondering: &ponder,
            now: &now,
        };
        let shared = SharedCounters::default();
        let mut keeper = GameTimeKeeper::new(&settings);
        let board = Board::startpos();
        let position = SearchPosition { position: &line, board: &board, last: [None; 2], entries: 0 };
        keeper.begin(&position, &limits, &settings);
        let mut budget = SearchBudget::new(&request, keeper.timer(), &settings, &shared);
        assert!(budget.spend().is_ok());
        budget.end_iteration();
        assert!(budget.allows_another(&IterationStats::default()));
        // `ponderhit` comes in the middle of the next iteration.
        ponder.lower();
        while budget.nodes() < 10_000_000 && budget.spend().is_ok() {}
        budget.into_cost().used
    };
    assert_eq!(time_used(true).as_millis(), time_used(false).as_millis());
}
