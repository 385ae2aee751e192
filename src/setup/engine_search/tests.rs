//! Set-up of engines that are shell scripts.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::*;

/// It moves at once, and searches on at a depth that it does not reach, without reading further lines.
const IGNORES_STOP: &str =
    "'go depth 60') echo info depth 9 nodes 999999 score cp 1 pv e2e4; while :; do :; done;;
  go*) echo info depth 1 nodes 20 score cp 1 pv e2e4; echo bestmove e2e4;;";

/// It knows no limit, as if it moved after a fixed time.
const KNOWS_NO_LIMIT: &str = "go*) echo info depth 12 nodes 5000000 score cp 1 pv e2e4; echo bestmove e2e4;;";

/// Its searches differ in each process and from one another.
const NEVER_THE_SAME: &str = "go*) depth=$((depth + 1)); echo info depth $depth nodes $((19000 + $(date +%N | sed 's/^0*//') % 1000)) score cp 1 pv e2e4
    echo bestmove e2e4;;";

fn limit_kept(go: &str) -> SearchLimit {
    found(go, "").search_limit
}

/// Sets up an engine that answers `go` by these arms of a shell's `case`. They may count in `depth`.
#[expect(clippy::disallowed_methods, reason = "the program of a test")]
fn found(go: &str, settings: &str) -> FoundEngine {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("engine");
    let script = format!(
        "#!/bin/sh\ndepth=0\nwhile read -r line; do case \"$line\" in\n\
         uci) echo uciok;;\nisready) echo readyok;;\nquit) exit;;\n{go}\nesac; done\n"
    );
    fs::write(&program, script).expect("it is written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it is executable");
    let spec = format!("{}{settings}", program.display());
    EngineSearch::new(None).start(&spec).expect("it is set up")
}

#[test]
fn engine_that_keeps_neither_nodes_nor_stop_is_limited_by_depth() {
    assert_eq!(limit_kept(IGNORES_STOP), SearchLimit::Depth(Ply(8), NodeLimit::Ignored));
}

#[test]
fn engine_that_never_searches_the_same_twice_is_restarted_whatever_its_spec_has() {
    for settings in [",restart=on", ",restart=off"] {
        let found = found(NEVER_THE_SAME, settings);
        assert!(matches!(found.determinism, Determinism::Never(_)), "{found:?}");
        let spec: EngineSpec = found.spec.parse().expect("each key is there once");
        assert!(spec.restart, "{settings}");
    }
}

/// It ends in its third search.
const ENDS_SOON: &str = "go*) depth=$((depth + 1)); [ $depth = 3 ] && exit 1
    echo info depth 1 nodes 19000 score cp 1 pv e2e4; echo bestmove e2e4;;";

#[test]
fn engine_without_an_answer_in_one_process_is_restarted() {
    let found = found(ENDS_SOON, "");
    assert_eq!((found.search_limit, found.determinism), (SearchLimit::Nodes, Determinism::InNewProcesses));
}

#[test]
fn engine_that_ends_every_search_after_some_time_is_limited_by_clocks() {
    assert_eq!(limit_kept(KNOWS_NO_LIMIT), SearchLimit::ClockAlone);
}
