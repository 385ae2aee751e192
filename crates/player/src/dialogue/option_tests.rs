//! Output that is sound with the options of a search, and not without them.

use super::rule_tests::searched;
use super::*;
use threefold_chess::uci::Command;

fn with_options(options: &[(&str, &str)], go: &str, lines: &[&str]) -> SearchOutput {
    let mut of_search = SearchOptions::default();
    for (name, value) in options {
        of_search.set(name, value);
    }
    let Ok(Some(Command::Position(position))) = Command::parse("position startpos") else { panic!() };
    searched(position, go, of_search, lines)
}

#[test]
fn last_line_of_several_threads_may_have_less_depth() {
    let violation = |threads, lines: &[&str]| {
        with_options(&[("Threads", threads)], "go infinite", lines).violation(OutputRule::Counters, &[])
    };
    let last = &[
        "info depth 14 score cp 20 nodes 500 pv e2e4",
        "info depth 13 score cp 31 nodes 500 pv d2d4",
        "bestmove d2d4",
    ];
    assert_eq!(violation("4", last), None);
    assert!(violation("1", last).is_some_and(|what| what.contains("less depth")));
    let earlier = [&last[..2], &["info depth 15 score cp 20 nodes 900 pv d2d4", "bestmove d2d4"]].concat();
    assert!(violation("4", &earlier).is_some_and(|what| what.contains("less depth")));
    let nodes = &["info depth 14 nodes 500 score cp 1 pv e2e4", "info depth 13 nodes 400 score cp 1 pv e2e4"];
    assert!(violation("4", nodes).is_some_and(|what| what.contains("less nodes")));
}

/// Stockfish moves a new best line up and shows the others again with the depth that they have.
#[test]
fn lines_of_an_iteration_that_is_not_completed_are_no_lines_of_the_one_before() {
    let line = |depth, rank, mv| format!("info depth {depth} multipv {rank} score cp 5 pv {mv}");
    let violation = |lines: &[String]| {
        let lines: Vec<&str> = lines.iter().map(String::as_str).chain(["bestmove d2d4"]).collect();
        let three = [("MultiPV", "3")];
        with_options(&three, "go nodes 900", &lines).violation(OutputRule::Lines, &[])
    };
    let sixth = [line(6, 1, "e2e4"), line(6, 2, "d2d4"), line(6, 3, "c2c4")];
    let seventh = [line(7, 1, "d2d4"), line(6, 2, "e2e4"), line(6, 3, "c2c4")];
    assert_eq!(violation(&[&sixth[..], &seventh].concat()), None);
    let twice = [line(6, 1, "e2e4"), line(6, 2, "e2e4"), line(6, 3, "c2c4")];
    let what = violation(&[&twice[..], &seventh].concat());
    assert!(what.is_some_and(|what| what.contains("two lines begin with one move")));
}

#[test]
fn score_beyond_any_evaluation_is_a_table_win_if_there_are_tables() {
    let violation = |path| {
        let lines = &["info depth 9 score cp 20000 pv e2e4", "bestmove e2e4"];
        with_options(&[("SyzygyPath", path)], "go depth 9", lines).violation(OutputRule::MateScore, &[])
    };
    assert_eq!(violation("/tables"), None);
    for none in ["", "<empty>"] {
        assert!(violation(none).is_some_and(|what| what.contains("score of a mate in centipawns")));
    }
}
