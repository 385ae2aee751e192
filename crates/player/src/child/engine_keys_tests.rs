//! The keys `init`, `debug`, `stderr`, `startup` and `whitepov` of an engine.

use std::time::Duration;

use crate::mock_engine::Mock;
use crate::spec::HarnessKey;
use crate::{EngineFault, EngineSpec, Question, launch};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Bound, Ply, Score};

fn with(mock: &Mock, settings: &[(HarnessKey, &str)]) -> EngineSpec {
    mock.spec().with(settings).expect("sound")
}

#[test]
fn init_lines_come_before_uci_and_debug_after_it() {
    let arms = "licence*|log*|'debug on') echo \"$line\" >> said;; uci) echo uci >> said; echo uciok;;";
    let mock = Mock::new("", arms);
    let spec = with(&mock, &[(HarnessKey::Init, r"licence 7\nlog off"), (HarnessKey::Debug, "on")]);
    launch(&spec, &mock.options).expect("it starts");
    assert_eq!(mock.said(), ["licence 7", "log off", "uci", "debug on"]);
}

#[test]
fn standard_error_is_appended_to_the_file() {
    let mock = Mock::new("", "uci) echo one >&2; echo uciok;; isready) echo two >&2; echo readyok;;");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("errors.txt");
    std::fs::File::create(&file).expect("writable");
    let spec = with(&mock, &[(HarnessKey::Stderr, &file.display().to_string())]);
    for _ in 0..2 {
        launch(&spec, &mock.options).expect("it starts").quit().expect("it ends");
    }
    let written = std::fs::File::open(&file).and_then(std::io::read_to_string);
    assert_eq!(written.expect("text"), "one\ntwo\none\ntwo\n");
    let nowhere = folder.path().join("missing/errors.txt").display().to_string();
    match launch(&with(&mock, &[(HarnessKey::Stderr, &nowhere)]), &mock.options).map(|_| ()) {
        Err(EngineFault::CannotStart { cause, .. }) => {
            assert!(cause.starts_with(&format!("stderr={nowhere}: ")), "{cause}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn startup_time_of_an_engine_replaces_that_of_the_run() {
    let mut mock = Mock::new("", "uci) sleep 0.5; echo uciok;;");
    mock.options.startup = Duration::from_millis(100);
    match launch(&mock.spec(), &mock.options).map(|_| ()) {
        Err(EngineFault::TimedOut { waited, .. }) => assert_eq!(waited, mock.options.startup),
        other => panic!("{other:?}"),
    }
    launch(&with(&mock, &[(HarnessKey::Startup, "20")]), &mock.options).expect("it starts");
}

#[test]
fn scores_and_chances_from_whites_view_are_reversed_for_black() {
    let arms = "go*) echo info depth 1 score cp 30 lowerbound; echo info depth 2 score mate 2 wdl 700 200 100; echo bestmove e7e5;;";
    let mock = Mock::new("", arms);
    let scores = |setting: &str, moves: &str| {
        let spec = with(&mock, &[(HarnessKey::WhitePov, setting)]);
        let position =
            GamePosition::parse(&GamePosition::start_position().start.to_string(), moves).expect("sound");
        let limits = Limits { depth: Some(Ply(2)), ..Limits::default() };
        let question = Question { position, limits, searchmoves: Vec::new() };
        let answer = launch(&spec, &mock.options).expect("it starts").answer(&question).expect("it answers");
        let of = |(score, bound): (Score, Bound)| format!("{score} {bound:?}");
        let wdl = answer.reported.wdl.map(|claim| claim.to_string());
        answer.infos.iter().map(|info| of((info.score, info.bound))).chain(wdl).collect::<Vec<_>>()
    };
    let as_sent = ["cp 30 Lower", "mate 2 Exact", "700/200/100"];
    assert_eq!(scores("off", "e2e4"), as_sent);
    assert_eq!(scores("on", ""), as_sent);
    assert_eq!(scores("on", "e2e4"), ["cp -30 Upper", "mate -2 Exact", "100/200/700"]);
}
