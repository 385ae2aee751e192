//! Output that keeps every rule, and output that breaks exactly one.

use std::time::Duration;

use super::*;
use shakmaty::CastlingMode;
use threefold_chess::position::GamePosition;
use threefold_chess::uci::Command;

/// Chess960 with the king on b1 and rooks on a1 and f1.
const CROSSED: &str = "fen rk3r2/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/RK3R2 w FAfa - 4 8";
/// A mate in one for White.
const MATE: &str = "fen 6k1/5ppp/8/8/8/8/1K6/4R3 w - - 0 1";
/// White promotes.
const PROMOTES: &str = "fen 8/1P4k1/8/8/8/6K1/5p2/8 w - - 0 1";
/// Both sides have moved to and fro twice, but for the last move.
const NEAR_THIRD: &str = "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";

/// The searches of these lines, one each millisecond; lines after `bestmove` are late.
fn search(position: &str, go: &str, multipv: u32, lines: &[&str]) -> SearchOutput {
    let Ok(Some(Command::Position(position))) = Command::parse(&format!("position {position}")) else {
        panic!("{position}")
    };
    let castling = CastlingMode::detect(position.start.as_setup());
    searched(position, go, SearchOptions { multipv, castling, ..SearchOptions::default() }, lines)
}

/// The same with these options.
pub(super) fn searched(at: GamePosition, go: &str, options: SearchOptions, lines: &[&str]) -> SearchOutput {
    let Ok(Some(Command::Go(go))) = Command::parse(go) else { panic!("{go}") };
    let request = SearchRequest { position: Some(at), go, options };
    let mut search = SearchOutput::new(request);
    for (millis, line) in (1..).zip(lines) {
        match search.end() {
            None => search.take_line(line, Duration::from_millis(millis)),
            Some(_) => search.take_late_line(line),
        }
    }
    search
}

/// The rules that a search breaks.
fn broken(search: &SearchOutput) -> Vec<(OutputRule, String)> {
    let rules = OutputRule::ALL.iter();
    rules.filter_map(|&rule| search.violation(rule, &[]).map(|what| (rule, what))).collect()
}

#[test]
fn sound_output_keeps_every_rule() {
    let table: [(&str, &str, u32, &[&str]); 8] = [
        (
            "startpos",
            "go depth 2",
            1,
            &[
                "info string a net is loaded",
                "info depth 1 score cp 30 nodes 20 time 0 pv e2e4",
                "info depth 1 currmove d2d4 currmovenumber 2",
                "",
                "info depth 2 seldepth 3 score cp 20 upperbound nodes 50 time 1 hashfull 1000 pv d2d4",
                "info depth 2 score cp 25 wdl 70 900 30 nodes 50 time 1 nps 9 pv e2e4 e7e5",
                "info depth 2 score cp 25 nodes 1000 time 100 nps 5100 pv e2e4 e7e5",
                "readyok",
                "bestmove e2e4 ponder e7e5",
                "info string 50  nodes",
                "readyok",
            ],
        ),
        // The last exact line counts where a bound follows it.
        (
            "startpos",
            "go infinite",
            1,
            &[
                "info depth 9 score cp 5 pv e2e4",
                "info depth 10 score cp 50 lowerbound pv d2d4",
                "bestmove e2e4",
            ],
        ),
        ("startpos", "go nodes 1", 1, &["bestmove a2a3"]),
        (MATE, "go depth 9", 1, &["info depth 9 score mate 1 pv e1e8", "bestmove e1e8 ponder (none)"]),
        (CROSSED, "go depth 1", 1, &["info depth 1 score cp 9 pv b1f1 b8f8", "bestmove b1f1"]),
        (PROMOTES, "go depth 2", 1, &["info depth 2 score cp 0 pv b7b8q f2f1n", "bestmove b7b8q"]),
        (NEAR_THIRD, "go depth 1", 1, &["info depth 1 score cp 0 pv f6g8", "bestmove f6g8"]),
        // The king has one move, so there is one line.
        (
            "fen r5k1/5ppp/8/8/2b5/8/1PP5/K7 w - - 0 1",
            "go depth 3",
            4,
            &["info depth 3 multipv 1 score cp -900 pv a1b1", "bestmove a1b1"],
        ),
    ];
    for (position, go, multipv, lines) in table {
        assert_eq!(broken(&search(position, go, multipv, lines)), [], "{lines:?}");
    }
}

/// A checkmate of Black.
const MATED: &str = "fen 4R1k1/5ppp/8/8/8/8/1K6/8 b - - 0 1";

/// The rule, a position, the value of `MultiPV`, the lines that break this rule alone, and what the failure
/// says.
const BROKEN: &[(OutputRule, &str, u32, &[&str], &str)] = &[
    (OutputRule::BestMove, "startpos", 1, &["bestmove e2e5"], "`bestmove e2e5`, which is not a legal move"),
    (OutputRule::BestMove, "startpos", 1, &["bestmove (none)"], "which is not a legal move"),
    (OutputRule::BestMove, MATED, 1, &["bestmove e2e4"], "`bestmove e2e4` where no move is legal"),
    (OutputRule::PonderMove, "startpos", 1, &["bestmove e2e4 ponder e2e4"], "whose ponder move is not legal"),
    (OutputRule::LateOutput, "startpos", 1, &["bestmove e2e4", "bestmove e2e4"], "after `bestmove`"),
    (
        OutputRule::LateOutput,
        "startpos",
        1,
        &["bestmove e2e4", "info depth 3 score cp 1 pv e2e4"],
        "`info depth 3 score cp 1 pv e2e4` after `bestmove`",
    ),
    (
        OutputRule::LegalPv,
        "startpos",
        1,
        &["info depth 2 score cp 1 pv e2e4 e2e4", "bestmove e2e4"],
        "move 2 of `info depth 2 score cp 1 pv e2e4 e2e4`, `e2e4`, is not legal",
    ),
    (
        OutputRule::LegalPv,
        MATE,
        1,
        &["info depth 2 score mate 1 pv e1e8 g8h8", "bestmove e1e8"],
        "`g8h8`, is not legal",
    ),
    (
        OutputRule::MoveNotation,
        CROSSED,
        1,
        &["info depth 1 score cp 9 pv b1f1 b8f8 H2H3", "bestmove b1f1"],
        "it writes `H2H3` instead of `h2h3`",
    ),
    (
        OutputRule::MoveNotation,
        "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        1,
        &["bestmove e1h1"],
        "it writes `e1h1` instead of `e1g1`",
    ),
    (
        OutputRule::PvEnd,
        NEAR_THIRD,
        1,
        &["info depth 1 score cp 0 pv f6g8 e2e4", "bestmove f6g8"],
        "after move 1 of `info depth 1 score cp 0 pv f6g8 e2e4` the game is drawn (threefold repetition)",
    ),
    (
        OutputRule::Wdl,
        "startpos",
        1,
        &["info depth 1 score cp 30 wdl 300 600 101 pv e2e4", "bestmove e2e4"],
        "`wdl 300 600 101` sums to 1001, not to 1000: `info depth 1 score cp 30 wdl",
    ),
    (
        OutputRule::Wdl,
        "startpos",
        1,
        &["info depth 1 score cp 30 wdl 100 600 300 pv e2e4", "bestmove e2e4"],
        "`wdl 100 600 300` favours the other side than `score cp 30`",
    ),
    (
        OutputRule::PvStart,
        "startpos",
        1,
        &["info depth 1 score cp 1 pv e2e4", "bestmove d2d4"],
        "it sends `bestmove d2d4` after `info depth 1 score cp 1 pv e2e4`",
    ),
    (
        OutputRule::MateScore,
        MATE,
        1,
        &["info depth 1 score mate 2 pv e1e8", "bestmove e1e8"],
        "shows a mate in 1 plies, not in 3",
    ),
    (
        OutputRule::Mated,
        "startpos",
        1,
        &["info depth 1 score mate 0 pv e2e4", "bestmove e2e4"],
        "says that the side to move is mated already",
    ),
    (
        OutputRule::Mated,
        "startpos",
        1,
        &["info depth 1 score mate 0 upperbound pv e2e4", "bestmove e2e4"],
        "says that the side to move is mated already",
    ),
    (
        OutputRule::Counters,
        "startpos",
        1,
        &["info depth 1 nodes 30", "info depth 1 nodes 20", "bestmove e2e4"],
        "`info depth 1 nodes 20` has less nodes than a line before",
    ),
    (
        OutputRule::Counters,
        "startpos",
        1,
        &["info depth 1 time 30", "info depth 2 time 20", "bestmove e2e4"],
        "has less time",
    ),
    (
        OutputRule::Counters,
        "startpos",
        1,
        &["info depth 2 score cp 1", "info depth 1 score cp 1", "bestmove e2e4"],
        "has less depth",
    ),
    (OutputRule::Counters, "startpos", 1, &["info depth 3 nodes -12", "bestmove e2e4"], "has nodes -12"),
    (
        OutputRule::Counters,
        "startpos",
        1,
        &["info depth 1 time 4294967", "bestmove e2e4"],
        "`info depth 1 time 4294967` came 1 ms after `go`",
    ),
    (
        OutputRule::MateScore,
        "startpos",
        1,
        &["info depth 9 score cp -31996 upperbound pv e2e4", "bestmove e2e4"],
        "has the score of a mate in centipawns",
    ),
    (OutputRule::Nps, "startpos", 1, &["info nodes 90000 time 200 nps 9", "bestmove e2e4"], "shows 9 nps"),
    (
        OutputRule::Lines,
        "startpos",
        2,
        &["info depth 9 multipv 1 score cp 1 pv e2e4", "bestmove e2e4"],
        "it sends no line `multipv 2` where 2 are possible",
    ),
    (
        OutputRule::Words,
        "startpos",
        1,
        &["test", "bestmove e2e4"],
        "it sends `test`, which UCI does not define",
    ),
    (
        OutputRule::Spaces,
        "startpos",
        1,
        &["info depth 1 score cp  13 pv e2e4 string two  spaces", "bestmove e2e4"],
        "`info depth 1 score cp  13 pv e2e4 string two  spaces` has more than a space between two words",
    ),
];

#[test]
fn every_rule_can_be_broken_alone() {
    for (rule, position, multipv, lines, what) in BROKEN {
        let broken = broken(&search(position, "go depth 9", *multipv, lines));
        let rules: Vec<OutputRule> = broken.iter().map(|(rule, _)| *rule).collect();
        assert_eq!(rules, [*rule], "{lines:?}");
        assert!(broken[0].1.contains(what), "{} has not {what}", broken[0].1);
    }
    let untested: Vec<_> =
        OutputRule::ALL.iter().filter(|rule| !BROKEN.iter().any(|row| row.0 == **rule)).collect();
    // It takes two searches, and has a test of its own.
    assert_eq!(untested, [&OutputRule::SearchedDepth]);
}

#[test]
fn lines_of_several_moves_are_different_and_sorted() {
    let line = |rank, score, mv: &str| format!("info depth 9 multipv {rank} score cp {score} pv {mv}");
    let table = [
        ([line(1, 20, "e2e4"), line(2, 30, "d2d4")], "is worse than the line after it"),
        ([line(1, 20, "e2e4"), line(2, 10, "e2e4")], "two lines begin with one move"),
        ([line(1, 20, "e2e4"), line(3, 10, "d2d4")], "where 2 lines are possible"),
    ];
    for (lines, what) in table {
        let lines = [lines[0].as_str(), lines[1].as_str(), "bestmove e2e4"];
        let broken = search("startpos", "go depth 9", 2, &lines).violation(OutputRule::Lines, &[]);
        assert!(broken.as_ref().is_some_and(|it| it.contains(what)), "{broken:?}");
    }
    // A search that is stopped may show the lines in any order, but not the same move twice.
    let stopped = |second: &str| {
        let lines = [line(1, 20, "e2e4"), line(2, 30, second)];
        let lines = [lines[0].as_str(), lines[1].as_str(), "bestmove e2e4"];
        search("startpos", "go infinite", 2, &lines).violation(OutputRule::Lines, &[])
    };
    assert_eq!(stopped("d2d4"), None);
    assert!(stopped("e2e4").is_some_and(|it| it.contains("two lines begin with one move")));
}

#[test]
fn upper_case_promotions_are_named() {
    let odd = search(PROMOTES, "go depth 9", 1, &["bestmove b7b8Q"]).violation(OutputRule::MoveNotation, &[]);
    assert_eq!(odd.as_deref(), Some("it writes `b7b8Q` instead of `b7b8q`"));
    let none =
        search(PROMOTES, "go depth 9", 1, &["bestmove b7b8x"]).violation(OutputRule::MoveNotation, &[]);
    assert_eq!(none.as_deref(), Some("it writes `b7b8x`, which ends in no letter of a promotion"));
}

#[test]
fn line_of_an_unfinished_depth_repeats_the_one_before() {
    let lines = |lines: &[(u16, u64, &str)]| {
        let infos =
            lines.iter().map(|(depth, nodes, rest)| format!("info depth {depth} nodes {nodes} score {rest}"));
        let infos: Vec<String> = infos.chain(["bestmove e2e4".to_owned()]).collect();
        let infos: Vec<&str> = infos.iter().map(String::as_str).collect();
        search("startpos", "go depth 9", 1, &infos)
    };
    let whole: &[(u16, u64, &str)] = &[(1, 20, "cp 30 pv e2e4"), (2, 90, "cp 30 pv e2e4")];
    let repeated: &[(u16, u64, &str)] = &[(1, 20, "cp 30 pv e2e4"), (2, 50, "cp 30 pv e2e4")];
    let broken = |first, last| lines(last).violation(OutputRule::SearchedDepth, &[lines(first)]);
    let what = broken(whole, repeated).expect("depth 2 takes 90 nodes");
    let expected = "score cp 30 pv e2e4` repeats the line of the depth before; its own takes 90 nodes";
    assert!(what.contains(expected), "{what}");
    for (first, last) in [
        // The depth was searched.
        (whole, whole),
        (&[(1, 20, "cp 30 pv e2e4"), (2, 40, "cp 30 pv e2e4"), (2, 90, "cp 35 pv d2d4")], repeated),
        // It found something else.
        (whole, &[(1, 20, "cp 30 pv e2e4"), (2, 50, "cp 30 pv d2d4")]),
        (whole, &[(1, 20, "cp 30 pv e2e4"), (2, 50, "cp 31 pv e2e4")]),
        (whole, &[(1, 20, "cp 30 pv e2e4"), (1, 50, "cp 30 pv e2e4")]),
        // The first search says nothing about it, or is another search.
        (&[(1, 20, "cp 30 pv e2e4"), (1, 90, "cp 30 pv e2e4")], repeated),
        (&[(1, 21, "cp 30 pv e2e4"), (2, 90, "cp 30 pv e2e4")], repeated),
        (whole, &[]),
    ] {
        assert_eq!(broken(first, last), None, "{first:?} {last:?}");
    }
    let elsewhere = search("startpos moves e2e4", "go depth 9", 1, &[]);
    assert_eq!(lines(repeated).violation(OutputRule::SearchedDepth, &[elsewhere]), None);
}

#[test]
fn least_time_includes_waits_for_a_cpu_unless_it_is_assumed() {
    let mut search =
        search("startpos", "go movetime 9", 1, &["info depth 1", "info depth 2", "bestmove e2e4"]);
    let unmet = |search: &SearchOutput, millis, consequence| {
        let check = Check::TakesAtLeast(Duration::from_millis(millis));
        check.unmet(std::slice::from_ref(search), consequence).is_some()
    };
    search.set_delay(Duration::from_millis(2));
    for (millis, fails, does_not_apply) in
        [(1, false, false), (2, false, true), (3, false, true), (4, true, true)]
    {
        assert_eq!(unmet(&search, millis, Consequence::Fails), fails, "{millis} ms");
        assert_eq!(unmet(&search, millis, Consequence::DoesNotApply), does_not_apply, "{millis} ms");
    }
}

/// Pairs of searches with these nodes.
fn pairs_with_nodes(pairs: &[[u64; 2]]) -> Vec<SearchOutput> {
    let with_nodes = |nodes: &u64| {
        let info = format!("info depth 1 score cp 0 nodes {nodes} pv e2e4");
        search("startpos", "go depth 9", 1, &[&info, "bestmove e2e4"])
    };
    pairs.iter().flatten().map(with_nodes).collect()
}

#[test]
fn share_of_nodes_in_the_last_pairs_is_compared_with_the_first() {
    let first = [[100, 10], [50, 5]];
    for (last, is_met) in [
        (&[][..], true),
        (&[[200, 80]], true),
        (&[[200, 81]], true),
        (&[[200, 82]], false),
        (&[[100, 90], [300, 10]], true),
        (&[[100, 10], [300, 300]], false),
    ] {
        let searches = pairs_with_nodes(&[&first[..], last].concat());
        let check = Check::NodesAtMostPercentMore { points: 30, last: last.len().max(1), first: 2 };
        assert_eq!(check.unmet(&searches, Consequence::Fails).is_none(), is_met, "{last:?}");
    }
    let check = Check::NodesAtMostPercentMore { points: 30, last: 1, first: 2 };
    assert_eq!(check.unmet(&pairs_with_nodes(&[[100, 100]]), Consequence::Fails), None, "too few searches");
    assert_eq!(
        check.unmet(&pairs_with_nodes(&[[0, 0], [0, 0], [9, 9]]), Consequence::Fails),
        None,
        "no nodes"
    );
}

#[test]
fn share_of_nodes_counts_in_one_of_the_last_pairs() {
    for (nodes, pairs, is_met) in [
        (&[[100, 50]][..], 1, true),
        (&[[100, 51]], 1, false),
        (&[[100, 50], [100, 90]], 1, false),
        (&[[100, 50], [100, 90]], 2, true),
        (&[[100, 50], [100, 90], [100, 90]], 2, false),
    ] {
        let check = Check::NodesAtMostPercent { percent: 50, pairs };
        let unmet = check.unmet(&pairs_with_nodes(nodes), Consequence::Fails);
        assert_eq!(unmet.is_none(), is_met, "{nodes:?} {pairs}: {unmet:?}");
    }
}
