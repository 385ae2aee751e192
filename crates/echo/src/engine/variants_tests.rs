//! Options that change the computation but not its result: the same tree, or the same value.

use super::tests::request;
use super::*;
use crate::feature_switches::{Feature, FeatureSwitches};
use threefold_chess::clock::Limits;

const LINES: [(&str, &str); 5] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4 c7c5 g1f3 d7d6"),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", ""),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", ""),
    ("4k3/8/8/8/8/8/1Q6/4K3 w - - 0 1", "b2b7 e8f8 b7c7 f8e8 c7b7 e8f8"),
    ("3r2k1/1q3ppp/8/1p6/1P1Q4/6P1/5P1P/3R2K1 w - - 12 31", "d4d7 d8f8 d7d4 f8d8"),
];

/// The nodes and the last report of a search to a depth.
fn search(
    options: &[(&str, &str)],
    features: FeatureSwitches,
    line: (&str, &str),
    depth: u16,
) -> (u64, SearchReport) {
    let (nodes, report, _) = searched(options, features, line, depth);
    (nodes, report)
}

/// The nodes and the last report of a search to a depth, and the number of passes of MTD(f) if they are
/// counted.
fn searched(
    options: &[(&str, &str)],
    features: FeatureSwitches,
    line: (&str, &str),
    depth: u16,
) -> (u64, SearchReport, u64) {
    let mut echo = Echo::new();
    echo.settings.features = features;
    for (name, value) in options {
        echo.set(name, value).expect("an option");
    }
    let position = GamePosition::parse(line.0, line.1).expect("sound");
    let limits = Limits::depth(Ply(depth));
    let mut last = None;
    let found = echo.search(&request(&position, &limits), &mut |report| {
        if report.bound == Bound::Exact {
            last = Some(report.clone());
        }
    });
    (found.expect("legal").nodes, last.expect("an exact report"), echo.counters().passes)
}

type Options<'a> = &'a [(&'a str, &'a str)];

#[test]
fn neutral_options_keep_the_tree() {
    let none = ("RepetitionDetector", "None");
    let table: &[(Options, Options)] = &[
        (&[], &[("RepetitionDetector", "HashSet")]),
        (&[], &[("EvalArithmetic", "Float")]),
        (&[], &[("HashBounds", "Integrated")]),
        (&[], &[("PerpetualBonus", "0")]),
        (&[], &[("HashFifty", "Late")]),
        (&[], &[("EvalGrain", "1")]),
        (&[], &[("EvalLimit", "10000")]),
        (&[], &[("DrawScore", "Contempt"), ("Contempt", "0")]),
        (&[("SearchDriver", "MTDF")], &[("SearchDriver", "MTDF")]),
        (&[none], &[none, ("HashScores", "Untainted")]),
        (&[none], &[none, ("HashScores", "Shadow")]),
        (&[none], &[none, ("HashScores", "Guarded")]),
        (&[none], &[none, ("HashScores", "BaseTwin")]),
    ];
    for &line in &LINES {
        for (plain, varied) in table {
            let one = search(plain, FeatureSwitches::FULL, line, 9);
            assert_eq!(search(varied, FeatureSwitches::FULL, line, 9), one, "{varied:?}: {line:?}");
            assert_eq!(search(varied, FeatureSwitches::FULL, line, 9), one, "{varied:?} again: {line:?}");
        }
    }
}

#[test]
fn features_change_the_tree() {
    let changed = |options: &[(&str, &str)]| {
        let differs = |&line: &(&str, &str)| {
            search(options, FeatureSwitches::FULL, line, 9).0 != search(&[], FeatureSwitches::FULL, line, 9).0
        };
        // The rook falls, and the pawn wins; the game is drawn soon; a perpetual check begins.
        let others = [
            ("8/8/8/1K1r3k/2P5/8/8/8 w - - 0 1", ""),
            ("8/5k2/3r4/8/3P4/4K3/1R6/8 w - - 91 99", ""),
            ("7k/Q7/8/1p5p/2P3N1/PP6/8/K2q1b2 w - - 0 1", "a1a2 d1e2 a2a1 e2d1 a1a2 d1e2 a2a1"),
        ];
        LINES.iter().chain(&others).any(differs)
    };
    for options in [
        ("RepetitionPolicy", "HistoryDraw"),
        ("RepetitionPolicy", "Threefold"),
        ("RepetitionDetector", "MoveTrace"),
        ("RepetitionDetector", "None"),
        ("CycleDetection", "true"),
        ("HashScores", "Untainted"),
        ("HashScores", "Shadow"),
        ("HashScores", "Progressive"),
        ("HashScores", "Guarded"),
        ("HashScores", "BaseTwin"),
        ("HashFifty", "Ignore"),
        ("HashFifty", "Keyed"),
        ("HashFifty", "Bounds"),
        ("HashBounds", "Dual"),
        ("MateScore", "DelayedLoss"),
        ("DrawScore", "CrayBlitz"),
        ("DrawJitter", "true"),
        ("PerpetualBonus", "50"),
        ("ZeroExcluded", "true"),
        ("EvalGrain", "8"),
        ("SearchDriver", "MTDF"),
        ("Recognisers", "true"),
    ] {
        assert!(changed(&[options]), "{options:?}");
    }
    assert!(changed(&[("DrawScore", "Contempt"), ("Contempt", "50")]));
}

/// Alpha-beta, quiescence search and hash table only.
fn unselective() -> FeatureSwitches {
    let mut features = FeatureSwitches::PLAIN;
    for feature in [Feature::TableCut, Feature::Quiescence, Feature::Aspiration] {
        features.switch(feature, true);
    }
    features
}

#[test]
fn value_does_not_depend_on_driver_or_stored_bounds_without_selectivity() {
    for &line in &LINES {
        for depth in 1..=5 {
            // Values of deeper searches differ from this one's.
            let exact = [("HashScores", "Guarded")];
            let (_, pvs) = search(&exact, unselective(), line, depth);
            for varied in [
                ("SearchDriver", "MTDF"),
                ("HashBounds", "Dual"),
                ("HashBounds", "Integrated"),
                ("HashScores", "BaseTwin"),
            ] {
                let (_, other) = search(&[exact[0], varied], unselective(), line, depth);
                assert_eq!(other.score, pvs.score, "{varied:?}: {line:?} to {depth}");
            }
        }
    }
}

#[test]
fn mtdf_converges_faster_with_coarser_granularity() {
    let cost = |grain: &str| -> (u64, u64) {
        let mut features = unselective();
        features.count_events(true);
        let with = |driver, line| {
            let options = [("HashScores", "Guarded"), ("EvalGrain", grain), ("SearchDriver", driver)];
            searched(&options, features, line, 5)
        };
        let costs = LINES.iter().map(|&line| {
            let (nodes, report, passes) = with("MTDF", line);
            let (_, by_pvs, none) = with("PVS", line);
            assert_eq!((report.score, none), (by_pvs.score, 0), "{grain}: {line:?}");
            (nodes, passes)
        });
        costs.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    };
    let costs = ["1", "2", "4", "8", "16"].map(cost);
    assert!(costs.is_sorted_by(|fine, coarse| fine.1 > coarse.1), "{costs:?} nodes and passes");
    assert!(costs[4].0 < costs[0].0, "{costs:?} nodes and passes");
}

#[test]
fn tree_is_constant_over_a_game_without_detection() {
    let trees = |scores: &str| -> Vec<u64> {
        let mut echo = Echo::new();
        for (name, value) in
            [("RepetitionDetector", "None"), ("RepetitionPolicy", "Threefold"), ("HashScores", scores)]
        {
            echo.set(name, value).expect("an option");
        }
        let mut searched = |moves| {
            let position = GamePosition::parse(LINES[0].0, moves).expect("sound");
            let limits = Limits::depth(Ply(8));
            let found = echo.search(&request(&position, &limits), &mut |_| {});
            found.expect("legal").nodes
        };
        ["", "g1f3 g8f6", "g1f3 g8f6 f3g1 f6g8"].map(&mut searched).to_vec()
    };
    for scores in ["Untainted", "Shadow", "Guarded", "BaseTwin"] {
        assert_eq!(trees(scores), trees("Real"), "{scores}");
    }
}

#[test]
fn cray_blitz_scores_prefer_the_later_draw() {
    // Stepping up is stalemate; giving up the pawn draws as well, a move later.
    let line = ("k7/P7/8/1K6/8/8/8/8 w - - 0 1", "");
    let (_, report) = search(&[("DrawScore", "CrayBlitz")], FeatureSwitches::FULL, line, 6);
    assert_eq!(report.score.to_string(), "cp 0");
    assert!(report.pv.len() > 1 && report.pv[0].to_string() != "b5b6", "{:?}", report.pv);
}

#[test]
fn delayed_losses_find_the_same_mates() {
    let table = [
        // FEN, moves to mate
        ("7k/5K2/8/8/8/8/6R1/8 w - - 0 1", 1),
        ("k7/8/1K6/8/8/8/8/Q7 b - - 0 1", -1),
        ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 2),
        ("4Q1K1/2k5/8/8/8/8/8/8 w - - 0 1", 6),
        ("8/8/8/2K5/8/8/k7/4R3 w - - 0 1", 6),
        ("8/8/1K6/2R5/8/8/8/k7 b - - 0 1", -7),
    ];
    for (fen, moves) in table {
        for scheme in ["PlyAdjusted", "DelayedLoss"] {
            let (_, report) = search(&[("MateScore", scheme)], FeatureSwitches::FULL, (fen, ""), 18);
            assert_eq!(report.score.to_string(), format!("mate {moves}"), "{scheme}: {fen}");
        }
    }
}

#[test]
fn contempt_avoids_or_seeks_a_repetition() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let table = [
        // moves, and the one with a third occurrence
        ("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", "f6g8"),
        ("e2e4 e7e5 g1f3 b8c6 f3g1 c6b8 g1f3 b8c6 f3g1", "c6b8"),
        ("d2d4 d7d5 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", "f6g8"),
    ];
    for (moves, repeating) in table {
        for (contempt, repeats) in [("200", false), ("-200", true)] {
            let options = [("DrawScore", "Contempt"), ("Contempt", contempt)];
            let (_, report) = search(&options, FeatureSwitches::FULL, (START, moves), 8);
            let played = report.pv[0].to_string();
            assert_eq!(played == repeating, repeats, "{contempt}: {moves} {played}");
        }
    }
}

/// White gives perpetual check, and is mated otherwise.
#[test]
fn perpetual_check_is_worth_the_bonus_to_its_giver() {
    let score = |fen, bonus, coming| {
        let options = [("PerpetualBonus", bonus), ("CycleDetection", coming)];
        search(&options, FeatureSwitches::FULL, (fen, ""), 8).1.score.to_string()
    };
    let (giver, checked) = ("6k1/6p1/8/7Q/8/8/qq6/7K w - - 0 1", "4Q1k1/6p1/8/8/8/8/qq6/7K b - - 0 1");
    for coming in ["false", "true"] {
        for (bonus, gained, lost) in [("0", "cp 0", "cp 0"), ("40", "cp 40", "cp -40")] {
            assert_eq!(
                [score(giver, bonus, coming), score(checked, bonus, coming)],
                [gained, lost],
                "{coming}"
            );
        }
    }
}

#[test]
fn evaluations_saturate_where_the_option_says() {
    let won = ("kb6/pp6/8/8/8/5QQQ/6QQ/6K1 b - - 0 1", "");
    let score = |options: &[_]| search(options, FeatureSwitches::PLAIN, won, 1).1.score.to_string();
    assert_eq!(score(&[("EvalLimit", "3000")]), "cp -3000");
    assert_eq!(score(&[("EvalLimit", "3500")]), "cp -3500");
}

#[test]
fn recognised_win_is_above_small_advantages_and_below_mates() {
    let value = |fen, recognisers, depth| {
        search(&[("Recognisers", recognisers)], FeatureSwitches::FULL, (fen, ""), depth).1.score
    };
    let least = Value::recognised(0).centipawns();
    // The rook is captured; the pawn wins, though no mate is in sight.
    let falls = "8/8/8/1K1r3k/2P5/8/8/8 w - - 0 1";
    assert!(value(falls, "true", 3) >= least);
    assert!(value(falls, "false", 3) < least);
    // A mate is worth more.
    assert_eq!(value("k7/8/1K6/8/8/8/8/1R6 w - - 0 1", "true", 8).to_string(), "mate 2");
}

#[test]
fn third_occurrence_overrides_recognisers() {
    let moves = "h2h3 d5e5 h3h2 e5d5 h2h3 d5e5";
    let position = GamePosition::parse("8/8/8/3k4/8/8/7R/K7 w - - 0 1", moves).expect("sound");
    let mut echo = Echo::new();
    echo.set("Recognisers", "true").expect("an option");
    let only = ["h3h2".parse().expect("a move")];
    let mut last = None;
    let limits = Limits::depth(Ply(4));
    let request = SearchRequest { only: &only, ..request(&position, &limits) };
    echo.search(&request, &mut |report| last = Some(report.score)).expect("legal");
    assert_eq!(last, Some(Value::DRAW.centipawns()));
}
