//! Engines that ignore limits, `go`, `stop` or `quit`: the harness enforces the limit, or ends them.

use super::*;

/// Searches until it is stopped, whatever the limit, then prints something else.
const TIRELESS: &str = "echo info depth 1 score cp 10 nodes 50 pv e2e4; \
    echo info depth 2 score cp 20 nodes 900 pv d2d4 d7d5; echo info depth 3 score cp 30 nodes 90000 pv g1f3;;\n\
    stop) echo info depth 4 score cp 40 nodes 99000 pv h2h4; echo bestmove h2h4;;";

#[test]
fn node_limit_is_enforced_for_engines_that_ignore_it() {
    let idle = "go' nodes'*) echo info depth 1 score cp 5 nodes 4 pv a2a3; echo bestmove a2a3;;\n";
    let table = [
        (format!("go*) {TIRELESS}"), 1000, "d2d4", [900, 99_000], LimitEnforcedBy::Harness),
        (format!("{idle}go' depth'*) {TIRELESS}"), 1000, "d2d4", [900, 99_000], LimitEnforcedBy::Harness),
        (format!("{idle}go' depth'*) {TIRELESS}"), 90, "a2a3", [4, 4], LimitEnforcedBy::Engine),
        (
            "go*) echo info depth 3 score cp 1 nodes 1100 pv e2e4; echo bestmove e2e4;;".to_owned(),
            1000,
            "e2e4",
            [1100, 1100],
            LimitEnforcedBy::Engine,
        ),
        // It looks at its limit rarely.
        (
            "go*) echo info depth 2 score cp 1 nodes 900 pv d2d4; echo info depth 3 score cp 1 nodes 26000 pv e2e4; \
             echo bestmove e2e4;;"
                .to_owned(),
            1000,
            "d2d4",
            [900, 26_000],
            LimitEnforcedBy::Engine,
        ),
    ];
    for (arms, limit, best, [nodes, nodes_at_end], keeper) in table {
        let answer = Mock::new(&arms).ask(Limits::nodes(limit)).expect("no fault");
        assert_eq!(
            (answer.best, answer.nodes, answer.nodes_at_end, answer.limit_enforced_by),
            (best.parse().ok(), nodes, nodes_at_end, keeper),
            "{arms}"
        );
        assert!(answer.infos.iter().all(|claim| claim.nodes <= Some(nodes)), "{answer:?}");
    }
}

#[test]
fn finished_engine_is_stopped_before_its_limit() {
    let idle = "go' nodes'*) echo info depth 1 score cp 5 nodes 4 pv a2a3; echo bestmove a2a3;;\n";
    let ready = "go' depth'*) echo info depth 60 score cp 0 nodes 700 pv e2e4;;\nstop) echo bestmove e2e4;;";
    let mut mock = Mock::new(&format!("{idle}{ready}"));
    mock.options.grace = SHORT;
    let answer = mock.ask(Limits::nodes(1000)).expect("no fault");
    assert_eq!((answer.best, answer.nodes), ("e2e4".parse().ok(), 700));
    assert_eq!(answer.limit_enforced_by, LimitEnforcedBy::Harness);
}

#[test]
fn engine_that_ignores_stop_is_a_fault_of_the_whole_wait() {
    let mut mock = Mock::new("go*) sleep 0.3; echo info depth 3 score cp 1 nodes 90000 pv e2e4;;");
    mock.options.grace = SHORT;
    let fault = mock.ask(Limits::nodes(1000)).expect_err("it sends no move");
    let EngineFault::TimedOut { task, waited, limit } = &fault else { panic!("{fault}") };
    assert_eq!((task.as_str(), *limit), ("answering `go nodes 1000`", WaitLimit::Nodes));
    assert!(*waited >= SHORT + Duration::from_millis(300), "{waited:?}");
    assert!(fault.to_string().ends_with("; it had searched beyond its node limit, and did not obey `stop`"));
}

#[test]
fn raised_stop_ends_the_wait() {
    let mock = Mock::new("go*) : > asked; sleep 1000;;");
    let stop = mock.options.stop.clone();
    let asked = mock.dir.path().join("asked");
    let mut player = mock.start(&format!(",dir={}", mock.dir.path().display())).expect("it starts");
    let watcher = std::thread::spawn(move || {
        while !asked.exists() {
            std::thread::yield_now();
        }
        stop.raise();
    });
    assert_eq!(player.answer(&question(Limits::nodes(1))), Err(EngineFault::Interrupted));
    watcher.join().expect("it only looks");
}

#[test]
fn lost_engine_is_restarted_for_the_next_game() {
    let mock = Mock::new("go*) [ -e died ] || { : > died; exit 1; }; echo bestmove e2e4;;");
    let mut player = mock.start(&format!(",dir={}", mock.dir.path().display())).expect("it starts");
    player.new_game().expect("it is ready");
    assert!(matches!(player.answer(&question(Limits::nodes(1))), Err(EngineFault::Ended { .. })));
    player.new_game().expect("it is back");
    assert!(player.answer(&question(Limits::nodes(1))).is_ok());
}

#[cfg_attr(feature = "portable", ignore = "only process groups reach what an engine has started")]
#[test]
fn child_that_ignores_quit_is_killed_with_its_children() {
    let mut mock = Mock::new("uci) sleep 1000 & echo $! > pids; echo $$ >> pids; echo uciok;;\nquit) ;;");
    mock.options.grace = SHORT;
    drop(mock.start(&format!(",dir={}", mock.dir.path().display())).expect("it starts"));
    let pids = std::fs::read_to_string(mock.dir.path().join("pids")).expect("it wrote");
    assert_eq!(pids.lines().count(), 2);
    for pid in pids.lines() {
        // An orphan may stay a zombie until the system's first process looks after it: dead all the same.
        let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().expect("ps runs");
        let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
        assert!(state.is_empty() || state.starts_with('Z'), "{pid}: {state}");
    }
}

#[cfg_attr(feature = "portable", ignore = "only /proc says whether threads run")]
#[test]
fn engine_that_has_ignored_go_is_asked_again_and_then_awaited_until_idle() {
    if !Path::new("/proc/thread-self/stat").exists() {
        return;
    }
    // It ignores one `go`. After that a child of it keeps running.
    let mock = Mock::new(
        "uci) : > said; sleep 1000 & echo uciok;;\n\
         go*) echo go >> said; [ -e refused ] && echo bestmove e2e4; : > refused;;",
    );
    let mut player = mock.start(&format!(",dir={}", mock.dir.path().display())).expect("it starts");
    player.new_game().expect("it is ready");
    let answer = player.answer(&question(clocks(5000))).expect("no fault");
    assert!(answer.elapsed < Duration::from_secs(4), "the clock began again: {:?}", answer.elapsed);
    let said = std::fs::read_to_string(mock.dir.path().join("said")).expect("it wrote");
    assert_eq!(said, "go\ngo\n");
    player.answer(&question(clocks(5000))).expect("no fault");
    let said = std::fs::read_to_string(mock.dir.path().join("said")).expect("it wrote");
    assert_eq!(said, "go\ngo\ngo\n");
}

#[cfg_attr(feature = "portable", ignore = "only /proc says whether threads run")]
#[test]
fn engine_that_ignores_go_twice_is_not_awaited() {
    if !Path::new("/proc/thread-self/stat").exists() {
        return;
    }
    let mock = Mock::new("go*) echo go >> said;;");
    let mut player = mock.start(&format!(",dir={}", mock.dir.path().display())).expect("it starts");
    player.new_game().expect("it is ready");
    match player.answer(&question(Limits::nodes(1))) {
        Err(fault @ EngineFault::TimedOut { waited, .. }) => {
            assert!(waited < Duration::from_secs(20), "the timeout of a search is longer: {waited:?}");
            assert!(fault.to_string().contains("so it had ignored the command, twice"), "{fault}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(std::fs::read_to_string(mock.dir.path().join("said")).expect("it wrote"), "go\ngo\n");
}

#[cfg_attr(feature = "portable", ignore = "only /proc says whether threads run")]
#[test]
fn engine_that_searches_asleep_is_stopped_once() {
    // The search is a process of its own, which ends early after `stop`. It is started after the engine's
    // start, so its threads are not seen.
    let mock = Mock::new(
        "go*) echo go >> said; (sleep 0.3; [ -e stopped ] || echo bestmove e2e4) & ;;\n\
         stop) echo stop >> said; : > stopped; echo bestmove d2d4;;",
    );
    let mut player = mock.start(&format!(",dir={}", mock.dir.path().display())).expect("it starts");
    player.new_game().expect("it is ready");
    let best = |player: &mut Box<dyn Player>| {
        let best = player.answer(&question(clocks(5000))).expect("no fault").best;
        best.map(|best| best.to_string()).unwrap_or_default()
    };
    if Path::new("/proc/thread-self/stat").exists() {
        assert_eq!(best(&mut player), "d2d4");
    }
    std::fs::remove_file(mock.dir.path().join("stopped")).expect("it was stopped");
    assert_eq!(best(&mut player), "e2e4");
    let said = std::fs::read_to_string(mock.dir.path().join("said")).expect("it wrote");
    assert_eq!(said, "go\nstop\ngo\n");
}
