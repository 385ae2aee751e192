//! Clauses that a mock engine meets and violates.

use super::*;
use crate::mock_engine::Mock;
use crate::{EngineSpec, Question};
use threefold_chess::clock::Limits;
use threefold_chess::score::Ply;

/// Greets, sees to everything, and searches until `stop`.
const SOUND: &str = "uci) echo id name Mock; echo uciok;;\n\
    *infinite) echo info depth 1 score cp 3;;\n\
    'position startpos moves'*) best=g1f3;; position*) best=e2e4;;\n\
    *searchmoves*) echo bestmove a2a3;; go*) echo bestmove $best;; stop) echo bestmove $best;;";

fn test(clause: Clause, arms: &str) -> Result<Result<(), String>, EngineFault> {
    let mut mock = Mock::new("", &format!("{arms}\n{SOUND}"));
    mock.options.startup = Duration::from_secs(2);
    mock.launch().expect("it starts").test_clause(clause)
}

#[test]
fn a_sound_engine_meets_every_clause() {
    for clause in Clause::ALL {
        assert_eq!(test(*clause, ""), Ok(Ok(())), "{clause}");
    }
}

/// A clause, what the engine does instead, and what the failure says.
const VIOLATIONS: &[(Clause, &str, &str)] = &[
    (Clause::Identification, "uci) echo uciok;;", "it sends no `id name` before `uciok`"),
    (
        Clause::Identification,
        "uci) echo id name Mock; echo id name Mock; echo uciok;;",
        "it sends `id name` 2 times for one `uci`",
    ),
    (
        Clause::Identification,
        "uci) echo id name Mock; echo uciok; echo id name Mock; echo uciok;;",
        "it sends `id name` 2 times for one `uci`",
    ),
    (
        Clause::Identification,
        "uci) echo id name Mock; echo option name Pretty type option name Hash type spin; echo uciok;;",
        "it sends `option name Pretty type option name Hash type spin`: UCI does not know the type `option`",
    ),
    (
        Clause::ReadyWhileSearching,
        "*infinite) read -r line; read -r line; echo bestmove e2e4;;",
        "after `go infinite` and `isready` it sends no `readyok` within 2.0 s",
    ),
    (
        Clause::OneBestMove,
        "stop) echo bestmove e2e4; echo bestmove e2e4;;",
        "after `stop` and `isready` it has sent `bestmove e2e4`, `bestmove e2e4` for one `go`",
    ),
    (
        Clause::InfiniteSearch,
        "*infinite) echo bestmove g5g7;;",
        "after `go infinite` it sends `bestmove g5g7` without `stop`",
    ),
    (
        Clause::NewGame,
        "ucinewgame) read -r line;;",
        "after `ucinewgame` and `isready` it sends no `readyok` within 2.0 s",
    ),
    (
        Clause::UnknownCommand,
        "*unknown*) read -r line;;",
        "after `threefold unknown command` and `isready` it sends no `readyok` within 2.0 s",
    ),
    (
        Clause::UnknownOption,
        "*Unknown*) read -r line;;",
        "after `setoption name Threefold Unknown Option value 1` and `isready` it sends no `readyok` within \
         2.0 s",
    ),
    (
        Clause::PositionWithMoves,
        "position*) best=e2e4;;",
        "after `position startpos moves e2e4 e7e5 d1h5 e8e7` and `go depth 1` it sends `bestmove e2e4`, not a \
         legal move after these moves",
    ),
    (
        Clause::SearchMoves,
        "*searchmoves*) echo bestmove e2e4;;",
        "after `position startpos` and `go depth 3 searchmoves a2a3` it sends `bestmove e2e4`, not the only \
         move allowed",
    ),
    (
        Clause::SearchMoves,
        "*searchmoves*) only=${line##* }; echo bestmove $only;; go*) echo bestmove ${only:-$best};;",
        "after `position startpos` and `go depth 3` it sends `bestmove h2h3`, as if `searchmoves` of the search before \
         still held",
    ),
    (
        Clause::SearchMoves,
        "go*) echo bestmove a2a3;;",
        "after `position startpos` and `go depth 3 searchmoves h2h3` it sends `bestmove a2a3`, not the only \
         move allowed",
    ),
    (Clause::Quit, "quit) sleep 100;;", "it does not end within 2.0 s after `quit`"),
    (
        Clause::QuitWhileSearching,
        "*infinite) while :; do read -r line; done;;",
        "it does not end within 2.0 s after `quit`",
    ),
];

#[test]
fn every_clause_can_fail_and_says_what_happened() {
    for (clause, arms, what) in VIOLATIONS {
        assert_eq!(test(*clause, arms), Ok(Err((*what).to_owned())), "{clause}");
    }
    let mut mock = Mock::new("trap 'sleep 100' EXIT", SOUND);
    mock.options.startup = Duration::from_secs(2);
    let endless = "it does not end within 2.0 s after `the end of its input`".to_owned();
    let tested = mock.launch().expect("it starts").test_clause(Clause::EndOfInput);
    assert_eq!(tested, Ok(Err(endless)));
}

/// The engine searches the only move of one search in all later ones, until it is started again.
#[test]
fn engine_that_keeps_the_moves_of_a_search_is_restarted_for_a_new_game() {
    let keeps = "*searchmoves*) only=${line##* }; echo bestmove $only;; go*) echo bestmove ${only:-$best};;";
    // The first process, that of the probe, and one for each game after a restricted search.
    for (arms, starts) in [(keeps, 4), ("", 3)] {
        let mut mock = Mock::new("echo start >> said", &format!("{arms}\n{SOUND}"));
        mock.options.startup = Duration::from_secs(2);
        let mut engine = mock.launch().expect("it starts");
        for only in ["a2a3", "", "a2a3", ""] {
            engine.new_game().expect("it is ready");
            let searchmoves = only.parse().into_iter().collect();
            let (position, limits) = (GamePosition::start_position(), Limits::depth(Ply(1)));
            let answer = engine.answer(&Question { position, limits, searchmoves }).expect("a move");
            let expected = if only.is_empty() { "e2e4" } else { only };
            assert_eq!(answer.best.expect("a move").to_string(), expected, "{arms}");
        }
        assert_eq!(mock.said().iter().filter(|line| *line == "start").count(), starts, "{arms}");
    }
}

#[test]
fn buttons_of_a_spec_are_pressed_for_each_game() {
    let offers = "uci) echo id name Mock; echo option name Clear Hash type button; echo uciok;;";
    let notes = "set*|ucinew*) echo \"$line\" >> said;;";
    let mock = Mock::new("", &format!("{notes}\n{offers}\n{SOUND}"));
    let spec = EngineSpec { options: vec![("Clear Hash".to_owned(), String::new())], ..mock.spec() };
    let mut engine = crate::launch(&spec, &mock.options).expect("it starts");
    for _ in 0..2 {
        engine.new_game().expect("it is ready");
    }
    let press = "setoption name Clear Hash";
    assert_eq!(mock.said(), [press, "ucinewgame", press, "ucinewgame", press]);
}

#[test]
fn a_crash_is_a_fault() {
    let crash = test(Clause::UnknownCommand, "*unknown*) kill -SEGV $$;;");
    assert!(matches!(crash, Err(EngineFault::Ended { .. })), "{crash:?}");
    let crash = test(Clause::Quit, "quit) kill -SEGV $$;;");
    assert!(matches!(crash, Err(EngineFault::Ended { .. })), "{crash:?}");
}
