//! Lines of an engine, and what the client makes of them in each state.

use proptest::prelude::*;

use super::*;
use crate::clock::Limits;

fn greeted(options: &[&str]) -> UciClient {
    let (mut conversation, first) = UciClient::start();
    assert_eq!(first, Command::Uci);
    for option in options {
        assert_eq!(conversation.receive(option), Ok(None));
    }
    assert_eq!(conversation.receive("uciok\r"), Ok(Some(EngineEvent::UciOk)));
    conversation
}

#[test]
fn client_runs_a_search() {
    let mut talk = greeted(&[
        "Fish 2 by A",
        "id name Fish 2",
        "id author A",
        "",
        "option name Hash type spin default 1",
    ]);
    assert_eq!((talk.name(), talk.author(), talk.options().len()), (Some("Fish 2"), Some("A"), 1));
    assert_eq!(talk.receive("readyok"), Ok(None), "without `go`");
    assert_eq!(talk.isready(), Command::IsReady);
    assert_eq!(talk.receive("info string ready soon"), Ok(None), "about no search");
    assert_eq!(talk.receive("info depth 9 score cp 3"), BETWEEN, "left over from before");
    assert_eq!(talk.receive("readyok"), Ok(Some(EngineEvent::ReadyOk)));
    let go = talk.go(Go { limits: Limits::nodes(5), ..Go::default() });
    assert_eq!(go.to_string(), "go nodes 5");
    assert!(matches!(talk.receive("info depth 1"), Ok(Some(EngineEvent::Info(_)))));
    assert!(matches!(talk.receive(" bestmove e2e4 \r"), Ok(Some(EngineEvent::BestMove(_)))));
}

const BETWEEN: Result<Option<EngineEvent>, ProtocolError> = Ok(Some(EngineEvent::BetweenSearches));

#[test]
fn output_between_searches_belongs_to_none() {
    let mut talk = greeted(&[]);
    let late =
        ["bestmove e2e4", "bestmove", "bestmove Nf3", "info depth 9 score cp -900 pv e2e4", "info pv a2a3"];
    for line in late {
        talk.go(Go::default());
        assert!(matches!(talk.receive("bestmove e2e4"), Ok(Some(EngineEvent::BestMove(_)))));
        assert_eq!(talk.receive(line), BETWEEN, "{line}");
        talk.isready();
        assert_eq!(talk.receive(line), BETWEEN, "{line}");
        assert_eq!(talk.receive("readyok"), Ok(Some(EngineEvent::ReadyOk)));
    }
    for line in ["info string done", "info", "", "Nodes searched: 3"] {
        assert_eq!(talk.receive(line), Ok(None), "{line:?} is about no search");
    }
}

#[test]
fn move_sent_twice_is_known_after_the_next_go() {
    let mut talk = greeted(&[]);
    let best = |mv: &str| BestMove { best: mv.parse().expect("a move"), ponder: None };
    assert!(!talk.is_repeated(&best("e2e4")));
    talk.accept(&best("e2e4"));
    assert!(talk.is_repeated(&best("e2e4")) && !talk.is_repeated(&best("d2d4")));
    talk.go(Go::default());
    assert!(matches!(talk.receive("bestmove e2e4"), Ok(Some(EngineEvent::BestMove(_)))));
    talk.continue_search();
    assert!(matches!(talk.receive("info depth 1"), Ok(Some(EngineEvent::Info(_)))));
    assert!(matches!(talk.receive("bestmove d2d4"), Ok(Some(EngineEvent::BestMove(_)))));
    talk.go(Go { ponder: true, ..Go::default() });
    assert_eq!(talk.receive("bestmove e2e4"), BETWEEN, "it does not move while it ponders");
    let early = Err(ProtocolError::MovedWhilePondering("bestmove d2d4".to_owned()));
    assert_eq!(talk.receive("bestmove d2d4"), early);
}

#[test]
fn pondering_engine_must_not_move() {
    let mut talk = greeted(&[]);
    let ponder = || Go { ponder: true, ..Go::default() };
    assert_eq!(talk.go(ponder()).to_string(), "go ponder infinite");
    assert!(matches!(talk.receive("info depth 1"), Ok(Some(EngineEvent::Info(_)))));
    let early = Err(ProtocolError::MovedWhilePondering("bestmove e2e4".to_owned()));
    assert_eq!(talk.receive("bestmove e2e4"), early);
    for end in [UciClient::ponder_hit, UciClient::stop_pondering] {
        talk.go(ponder());
        end(&mut talk);
        assert!(matches!(talk.receive("bestmove e2e4"), Ok(Some(EngineEvent::BestMove(_)))));
    }
}

#[test]
fn search_may_end_without_a_move() {
    let table =
        [("bestmove", ""), ("bestmove \r", ""), ("bestmove Nf3", "Nf3"), ("bestmove (none)", "(none)")];
    for (line, text) in table {
        let mut talk = greeted(&[]);
        talk.go(Go::default());
        assert_eq!(talk.receive(line), Ok(Some(EngineEvent::NoMove(text.to_owned()))), "{line:?}");
        assert_eq!(talk.receive("bestmove e2e4"), BETWEEN, "the search has ended");
    }
}

#[test]
fn client_refuses_too_many_options() {
    let flood = vec!["option name A type button"; MOST_OPTIONS];
    let (mut talk, _) = UciClient::start();
    assert!(flood.iter().all(|line| talk.receive(line) == Ok(None)));
    assert_eq!(talk.receive(flood[0]), Err(ProtocolError::TooManyOptions));
}

#[test]
fn client_checks_option_values() {
    let talk = greeted(&[
        "option name Hash type spin default 1 min 1 max 9",
        "option name Clear Hash type button",
        "option name SyzygyPath type string",
        "option name TimeManager type combo default Plain var Plain var Very Smooth",
    ]);
    let set = |name, value| talk.set(name, value).map(|command| command.to_string());
    assert_eq!(set("hash", "9"), Ok("setoption name Hash value 9".to_owned()));
    assert_eq!(set("CLEAR HASH", ""), Ok("setoption name Clear Hash".to_owned()));
    for (value, sent) in [("plain", "Plain"), ("very smooth(a=1,b=2)", "Very Smooth(a=1,b=2)")] {
        assert_eq!(set("TimeManager", value), Ok(format!("setoption name TimeManager value {sent}")));
    }
    let table = [
        ("Hahs", "1", "`Hahs` is not offered; did you mean `Hash`?"),
        ("Contempt", "1", "`Contempt` is not offered; see what the engine lists after `uci`"),
        ("Hash", "10", "`Hash` can't be `10`; give a whole number from 1 to 9"),
        (
            "TimeManager",
            "smooth(a=1)",
            "`TimeManager` can't be `smooth(a=1)`; give one of Plain, Very Smooth",
        ),
        ("TimeManager", "plain(a=1", "`TimeManager` can't be `plain(a=1`; give one of Plain, Very Smooth"),
    ];
    for (name, value, message) in table {
        assert_eq!(set(name, value).expect_err(name).to_string(), message);
    }
}

proptest! {
    #[test]
    fn client_accepts_any_lines(lines in prop::collection::vec("(bestmove|uciok|readyok|info|pv|e2e4| |\\PC)*", 0..20)) {
        let (mut talk, _) = UciClient::start();
        for line in lines {
            let _ = talk.receive(&line);
            talk.go(Go::default());
        }
    }
}
