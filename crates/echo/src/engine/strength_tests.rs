//! Tests of play below full strength.

use std::time::Duration;

use super::tests::request;
use super::*;
use crate::feature_switches::Feature;
use crate::strength::FULL_SPEED;
use crate::strength::curve::MEASURED;
use threefold_chess::clock::{Clocks, Limits, Remaining};

fn echo(options: &[(&str, &str)]) -> Echo {
    let mut echo = Echo::new();
    for (name, value) in options {
        echo.set(name, value).expect(name);
    }
    echo
}

fn limited(elo: &str) -> Echo {
    echo(&[("UCI_LimitStrength", "true"), ("UCI_Elo", elo), ("StrengthCurve", "MadChess")])
}

fn find(echo: &mut Echo, position: &GamePosition, limits: &Limits) -> SearchResult {
    echo.search(&request(position, limits), &mut |_| {}).expect("legal")
}

/// An opening position with many nearly equal moves, and two endgames with few.
const FENS: [&str; 3] = [
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "4k3/8/8/3p4/8/2N5/8/4K2R w K - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// The reference values in centipawns: each root move searched alone to this depth, with an open window.
fn worth_alone(echo: &mut Echo, history: &GamePosition, depth: u16) -> Vec<(UciMove, i32)> {
    let ReplayedGame { board, .. } = ReplayedGame::replay(history, SeededBug::NONE).expect("legal");
    let limits = Limits::depth(Ply(depth));
    position::legal_moves(&board)
        .into_iter()
        .map(|mv| {
            let only = [move_conversion::to_uci(&board, mv, move_conversion::Castling::TwoSteps)];
            let mut value = 0;
            let heard = &mut |report: &SearchReport| match report.score {
                threefold_chess::score::Score::Cp(threefold_chess::score::Centipawns(cp)) => value = cp,
                threefold_chess::score::Score::Mate(mate) => panic!("{mate:?} in a position without mates"),
            };
            echo.search(&SearchRequest { only: &only, ..request(history, &limits) }, heard).expect("legal");
            (only[0], value)
        })
        .collect()
}

#[test]
fn handicap_plays_moves_within_the_error_margin() {
    const DEPTH: u16 = 3;
    for (fen, elo) in FENS.into_iter().flat_map(|fen| ["700", "1500", "2600"].map(|elo| (fen, elo))) {
        let position = GamePosition::parse(fen, "").expect("sound");
        let mut echo = limited(elo);
        for feature in Feature::ALL {
            echo.set(feature.name(), "false").expect("a switch");
        }
        let handicap = echo.handicap().expect("limited");
        let worth = worth_alone(&mut echo, &position, DEPTH);
        let best = worth.iter().map(|&(_, value)| value).max().expect("there are moves");
        let good =
            |error: i32| worth.iter().filter(move |(_, value)| *value >= best - error).map(|(mv, _)| *mv);
        let (mut usual, mut blundered) = (Vec::new(), Vec::new());
        for seed in 0..400 {
            echo.set("StrengthSeed", &seed.to_string()).expect("a number");
            let best = find(&mut echo, &position, &Limits::depth(Ply(DEPTH))).best.expect("there are moves");
            let drawn =
                if good(handicap.move_error).any(|mv| mv == best) { &mut usual } else { &mut blundered };
            drawn.push(best);
        }
        for mv in good(handicap.move_error) {
            assert!(usual.contains(&mv), "{fen} at {elo}: {mv} is never played");
        }
        assert!(usual.len() > 300, "{fen} at {elo}: {} of 400 within the error", usual.len());
        let farther = good(handicap.blunder_error).collect::<Vec<_>>();
        assert!(blundered.iter().all(|mv| farther.contains(mv)), "{fen} at {elo}: {blundered:?}");
    }
}

#[test]
fn seed_determines_the_moves() {
    let position = GamePosition::parse(FENS[0], "").expect("sound");
    let play = |seed: u32| {
        let mut echo = limited("800");
        echo.set("StrengthSeed", &seed.to_string()).expect("a number");
        find(&mut echo, &position, &Limits::nodes(100_000))
    };
    let found: Vec<SearchResult> = (0..20).map(play).collect();
    assert_eq!((0..20).map(play).collect::<Vec<_>>(), found);
    assert!(found.iter().any(|other| other.best != found[0].best));
}

#[test]
fn seed_of_the_game_applies_unless_one_is_set() {
    let position = GamePosition::parse(FENS[0], "").expect("sound");
    let play = |set: Option<&str>, of_game: u32| {
        let mut echo = limited("800");
        echo.set_game_seed(of_game);
        if let Some(seed) = set {
            echo.set("StrengthSeed", seed).expect("a number");
        }
        (echo.strength_seed(), find(&mut echo, &position, &Limits::nodes(100_000)))
    };
    let table = [
        // the option, the game's seed, the seed in effect
        (None, 0, 0),
        (None, 7, 7),
        (Some("-1"), 7, 7),
        (Some("0"), 7, 0),
        (Some("9"), 7, 9),
    ];
    for (set, of_game, seed) in table {
        assert_eq!(play(set, of_game), play(Some(&seed.to_string()), 1), "{set:?}, {of_game}");
        assert_eq!(play(set, of_game).0, seed);
    }
    let moves = |seed| play(None, seed).1.best;
    assert!((1..20).any(|seed| moves(seed) != moves(0)));
}

#[test]
fn handicap_reduces_the_node_limit() {
    let position = GamePosition::start_position();
    for elo in ["600", "1200", "2000", "2600"] {
        let mut echo = limited(elo);
        let handicap = echo.handicap().expect("limited");
        let first = find(&mut echo, &position, &Limits::depth(Ply(1))).nodes;
        echo.new_game();
        let nodes = find(&mut echo, &position, &Limits::nodes(50_000)).nodes;
        let most = 50_000 * handicap.nodes_per_second / FULL_SPEED;
        assert!(first <= nodes && nodes <= most.max(first) && nodes * 2 > most, "{elo}: {nodes} of {most}");
    }
}

#[test]
fn handicap_plans_slow_nodes_on_a_node_clock() {
    for elo in ["600", "1300", "2000"] {
        let mut echo = limited(elo);
        echo.set("nodestime", "1000").expect("a number");
        let speed = u128::from(echo.handicap().expect("limited").nodes_per_second);
        let (mut line, mut left, mut used) =
            (GamePosition::start_position(), Duration::from_secs(8), Duration::ZERO);
        for _ in 0..30 {
            let side = Remaining { time: left, increment: Duration::ZERO };
            let clocks = Clocks { white: side, black: side, moves_to_go: None };
            let found = find(&mut echo, &line, &Limits::clocks(clocks));
            let time_report = found.time_report.expect("a clock limits it");
            let slowly = Duration::from_nanos((u128::from(found.nodes) * 1_000_000_000 / speed) as u64);
            let rounding = Duration::from_micros(1);
            assert!(
                time_report.used <= slowly.min(time_report.hard_limit) + rounding,
                "{elo}: {time_report}"
            );
            used += time_report.used;
            // The game's clock counts nodes at full speed.
            left -= Duration::from_micros(found.nodes);
            let (Some(best), Some(reply)) = (found.best, found.ponder) else { break };
            line.moves.extend([best, reply]);
        }
        assert!(used < Duration::from_secs(8), "{elo}: {used:?}");
        assert!(left > Duration::from_secs(1), "{elo}: its nodes are few");
    }
}

#[test]
fn handicap_leaves_no_trace_after_it_is_switched_off() {
    let position = GamePosition::parse(FENS[0], "").expect("sound");
    let limits = Limits::nodes(60_000);
    let plain = find(&mut Echo::new(), &position, &limits);
    let mut switched = limited("900");
    find(&mut switched, &position, &limits);
    switched.set("UCI_LimitStrength", "false").expect("a switch");
    switched.new_game();
    assert_eq!(find(&mut switched, &position, &limits), plain);
    let mut rated = echo(&[("UCI_Elo", "700"), ("StrengthSeed", "9")]);
    assert_eq!(find(&mut rated, &position, &limits), plain);
}

#[test]
fn error_free_searches_increase_above_the_documented_ratings() {
    const SEEDS: u32 = 64;
    let position = GamePosition::parse(FENS[0], "").expect("sound");
    let limits = Limits::nodes(3_000);
    let course = |echo: &mut Echo| {
        let mut course = Vec::new();
        let heard = &mut |report: &SearchReport| course.push((report.depth, report.nodes));
        echo.search(&request(&position, &limits), heard).expect("legal");
        course
    };
    let plain = course(&mut Echo::new());
    let as_plain = |elo: &str| {
        let is_plain = |seed: &u32| {
            let mut echo = limited(elo);
            echo.set("StrengthSeed", &seed.to_string()).expect("a number");
            course(&mut echo) == plain
        };
        (0..SEEDS).filter(is_plain).count() as u32
    };
    assert_eq!(as_plain("2600"), 0, "each looks at all moves as deep");
    let halfway = as_plain("2900");
    assert!((SEEDS / 4..SEEDS * 3 / 4).contains(&halfway), "{halfway} of {SEEDS}");
    assert_eq!(as_plain("3200"), SEEDS);
}

#[test]
fn elo_is_played_at_its_measured_rating() {
    let rating = |curve: &str, elo: &str| {
        let options =
            [("StrengthCurve", curve), ("UCI_LimitStrength", "true"), ("UCI_Elo", elo), ("Threads", "2")];
        echo(&options).handicap().map(|handicap| handicap.rating)
    };
    assert_eq!((rating("MadChess", "1500"), rating("MadChess", "3200")), (Some(1500), None));
    let point = MEASURED.points().iter().find(|point| point.elo as u32 == 1000).expect("a round number");
    assert_eq!(rating("Calibrated", &point.elo.to_string()), Some(point.rating as u32));
    // At the end of the curve it plays at full strength, with all threads.
    let full = MEASURED.points().last().expect("a curve").elo;
    assert_eq!(rating("Calibrated", &full.to_string()), None);
    let position = GamePosition::parse(FENS[0], "").expect("sound");
    let limits = Limits::nodes(60_000);
    let mut full = echo(&[("UCI_LimitStrength", "true"), ("UCI_Elo", &full.to_string())]);
    assert_eq!(find(&mut full, &position, &limits), find(&mut Echo::new(), &position, &limits));
}

#[test]
fn random_choices_depend_on_the_seed_only_with_several_threads() {
    let position = GamePosition::parse(FENS[0], "").expect("sound");
    let mut alone = limited("1800");
    let mut many = limited("1800");
    many.set("Threads", "4").expect("a number");
    for _ in 0..3 {
        assert_eq!(
            find(&mut many, &position, &Limits::nodes(80_000)),
            find(&mut alone, &position, &Limits::nodes(80_000))
        );
    }
}

#[test]
fn last_report_below_full_strength_has_the_depth_of_its_values() {
    let position = GamePosition::start_position();
    let mut others = 0;
    for seed in 1..=6 {
        let mut echo = limited("1500");
        echo.set("StrengthSeed", &seed.to_string()).expect("a number");
        let mut heard = Vec::new();
        let take = &mut |report: &SearchReport| heard.push((report.depth, report.seldepth, report.pv[0]));
        echo.search(&request(&position, &Limits::nodes(60_000)), take).expect("legal");
        let [.., completed, last] = heard[..] else { panic!("{heard:?}") };
        // Another move than the best one of the last completed iteration is reported again.
        if last.2 != completed.2 && last.0 <= completed.0 {
            assert_eq!((last.0, last.1), (completed.0, completed.1), "{heard:?}");
            others += 1;
        }
        assert!(last.0.0 <= completed.0.0 + 1, "{heard:?}");
    }
    assert!(others > 0, "no other move was chosen");
}
