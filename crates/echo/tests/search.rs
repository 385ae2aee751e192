//! Echo's search through its public interface: it is deterministic, keeps its limits, finds mates with
//! complete lines, and plays legal games.

use std::time::Duration;

use threefold_chess::clock::{Limits, Stop};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Ply, Score};
use threefold_echo::{Bound, Echo, RequestError, SearchReport, SearchRequest, SearchResult};
use threefold_oracle::{Referee, referee::RuleEnd};

fn ask(echo: &mut Echo, position: &GamePosition, limits: &Limits) -> (SearchResult, Vec<SearchReport>) {
    let mut reports = Vec::new();
    let request = SearchRequest {
        position,
        limits,
        only: &[],
        stop: &Stop::default(),
        pondering: &Stop::default(),
        now: &|| Duration::ZERO,
    };
    let found = echo.search(&request, &mut |report| reports.push(report.clone())).expect("a legal line");
    (found, reports)
}

fn line(fen: &str, moves: &str) -> GamePosition {
    GamePosition::parse(fen, moves).expect("sound")
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn search_is_deterministic() {
    let table = [
        (START, "d2d4 g8f6 c2c4 e7e6 g1f3 b7b6"),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", ""),
        ("bqnr1kr1/pppppppp/8/8/8/8/PPPPPPPP/BQNR1KR1 w GDgd - 0 1", ""),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", ""),
        ("7k/8/5K2/6N1/8/8/8/4B3 w - - 0 1", ""),
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1", "g8f8 g1f1 f8g8 f1g1"),
    ];
    // Nodes, moves, variations and scores of every depth are compared.
    let limits = Limits::nodes(15_000);
    let mut used = Echo::new();
    let set = |echo: &mut Echo, options: &[(&str, &str)]| {
        for (name, value) in options {
            echo.set(name, value).expect("an option");
        }
    };
    for (fen, moves) in table {
        let line = line(fen, moves);
        let first = ask(&mut Echo::new(), &line, &limits);
        assert_eq!(ask(&mut Echo::new(), &line, &limits), first, "another Echo: {line}");
        ask(&mut used, &GamePosition::start_position(), &limits);
        used.new_game();
        assert_eq!(ask(&mut used, &line, &limits), first, "a new game: {line}");
        set(&mut used, &[("Clear Hash", "")]);
        assert_eq!(ask(&mut used, &line, &limits), first, "the hash table cleared: {line}");
        set(&mut used, &[("Threads", "2"), ("Hash", "3"), ("MultiPV", "2")]);
        ask(&mut used, &line, &limits);
        set(&mut used, &[("Threads", "1"), ("Hash", "16"), ("MultiPV", "1")]);
        used.new_game();
        assert_eq!(ask(&mut used, &line, &limits), first, "after two threads: {line}");
    }
}

#[test]
fn interrupted_search_reports_the_move_it_plays() {
    let positions = [
        START,
        "r1b2rk1/pp1nqppp/2p1pn2/3p4/2PP4/2NBPN2/PPQ2PPP/R3K2R w KQ - 4 10",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "7k/8/5K2/6N1/8/8/8/4B3 w - - 0 1",
        "r4rk1/5ppp/8/8/8/2Q5/1B3PPP/6K1 w - - 0 1",
    ];
    for fen in positions {
        let line = line(fen, "");
        let mut mated = None;
        for nodes in (500..12_000).step_by(379) {
            let (found, reports) = ask(&mut Echo::new(), &line, &Limits::nodes(nodes));
            let last = reports.last().expect("a report");
            assert_eq!(last.pv.first().copied(), found.best, "{fen}, {nodes} nodes");
            // An upper bound says nothing about the move's value.
            assert_ne!(last.bound, Bound::Upper, "{fen}, {nodes} nodes");
            // A reported mate is not withdrawn.
            let Score::Mate(mate) = last.score else {
                assert_eq!(mated, None, "{fen}, {nodes} nodes");
                continue;
            };
            assert!(mated.is_none_or(|before| mate.moves() <= before), "{fen}, {nodes} nodes");
            mated = Some(mate.moves());
        }
    }
}

#[test]
fn interrupted_search_claims_no_mate_too_soon() {
    // FEN, plies to mate by the tablebase
    let table = [
        ("8/8/1K6/2R5/8/8/8/k7 b - - 0 1", 14),
        ("1R6/6k1/3K4/8/8/8/8/8 b - - 0 1", 16),
        ("8/8/8/2K5/8/8/k7/4R3 w - - 0 1", 11),
        ("k7/8/2K5/8/8/1B6/8/1N6 b - - 0 1", 16),
    ];
    for (fen, plies) in table {
        let line = line(fen, "");
        for nodes in (500..25_000).step_by(611) {
            let (_, reports) = ask(&mut Echo::new(), &line, &Limits::nodes(nodes));
            for report in reports.iter().filter(|report| report.bound == Bound::Exact) {
                let Score::Mate(mate) = report.score else { continue };
                assert!(mate.plies() >= Ply(plies), "{fen}, {nodes} nodes: {}", report.score);
            }
        }
    }
}

#[test]
fn node_limits_are_exact_and_a_legal_move_is_always_played() {
    let line = line("r3k2r/pp3ppp/2n1bn2/3p4/3P4/2N1BN2/PP3PPP/R3K2R w KQkq - 0 12", "");
    let referee = Referee::new(&line).expect("legal");
    for nodes in [0, 1, 2, 3, 10, 100, 1_000, 10_000] {
        let (found, _) = ask(&mut Echo::new(), &line, &Limits::nodes(nodes));
        assert!(found.nodes <= nodes, "{} of {nodes}", found.nodes);
        referee.legal(found.best.expect("there are moves")).expect("a legal move");
    }
}

/// The last position has captures of such number that depth 1 needs millions of nodes.
#[test]
fn depth_one_is_always_completed_and_scored() {
    let positions = [
        START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "7k/8/8/8/8/8/r7/7K w - - 0 1",
        "k1q1q1q1/q1q1q1q1/1q1q1q2/8/8/2Q1Q1Q1/1Q1Q1Q1Q/1Q1Q1Q1K w - - 0 1",
    ];
    for fen in positions {
        let line = line(fen, "");
        for nodes in [0, 1, 2, 7, 20, 33, 60, 200] {
            for (option, value) in [("MultiPV", "1"), ("MultiPV", "3"), ("UCI_LimitStrength", "true")] {
                let mut echo = Echo::new();
                echo.set(option, value).expect("an option");
                let (found, reports) = ask(&mut echo, &line, &Limits::nodes(nodes));
                let last = reports.iter().rfind(|report| report.line_of_play == 1).expect("a report");
                let what = format!("{fen}, {nodes} nodes, {option} {value}: {last:?}");
                assert!(last.depth >= Ply(1) && last.bound == Bound::Exact && found.nodes <= nodes, "{what}");
                assert_eq!(last.pv.first().copied(), found.best, "{what}");
                assert!(!matches!(last.score, Score::Cp(Centipawns(cp)) if cp.abs() > 15_000), "{what}");
            }
        }
    }
}

#[test]
fn moves_without_a_search_are_valued_by_rules_exchanges_and_evaluation() {
    let table = [
        // FEN, the move with few nodes
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8"),
        // The queen can capture a guarded pawn or an unguarded one.
        ("4k3/8/2p5/3p4/6p1/8/8/K2Q4 w - - 0 1", "d1g4"),
    ];
    for (fen, best) in table {
        let (found, _) = ask(&mut Echo::new(), &line(fen, ""), &Limits::nodes(0));
        assert_eq!(found.best.map(|mv| mv.to_string()).as_deref(), Some(best), "{fen}");
    }
}

#[test]
fn search_that_is_stopped_at_once_reports_a_score() {
    let stop = Stop::default();
    stop.raise();
    let position = GamePosition::start_position();
    let request = SearchRequest {
        position: &position,
        limits: &Limits::default(),
        only: &[],
        stop: &stop,
        pondering: &Stop::default(),
        now: &|| Duration::ZERO,
    };
    let mut reports = Vec::new();
    let found = Echo::new().search(&request, &mut |report| reports.push(report.clone())).expect("legal");
    let last = reports.last().expect("a report");
    assert_eq!((last.depth, last.pv.first().copied()), (Ply(1), found.best));
}

#[test]
fn node_clock_is_exact() {
    let mut echo = Echo::new();
    echo.set("nodestime", "20").expect("an option");
    echo.set("Move Overhead", "0").expect("an option");
    let limits = Limits { movetime: Some(Duration::from_millis(500)), ..Limits::default() };
    let (found, _) = ask(&mut echo, &GamePosition::start_position(), &limits);
    assert_eq!((found.nodes, found.elapsed), (10_000, Duration::from_millis(500)));
}

#[test]
fn mates_are_found_with_complete_lines() {
    let table = [
        // FEN, nodes, moves to mate
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 20_000, 1),
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 50_000, 2),
        ("8/8/8/8/8/2k5/8/K2r4 w - - 0 1", 20_000, -2),
        ("k7/8/1K6/8/8/8/8/7Q b - - 0 1", 20_000, -1),
        ("7k/8/5K2/6N1/8/8/8/4B3 w - - 0 1", 200_000, 5),
        ("r4rk1/5ppp/8/8/8/2Q5/1B3PPP/6K1 w - - 0 1", 100_000, 1),
    ];
    for (fen, nodes, moves) in table {
        let line = line(fen, "");
        let (_, reports) = ask(&mut Echo::new(), &line, &Limits::nodes(nodes));
        let last = reports.iter().rfind(|report| report.bound == Bound::Exact).expect("an exact report");
        let Score::Mate(mate) = last.score else { panic!("{fen}: {}", last.score) };
        assert_eq!(mate.moves(), moves, "{fen}");
        assert_eq!(Ply(last.pv.len() as u16), mate.plies(), "{fen}");
        let mut referee = Referee::new(&line).expect("legal");
        for &mv in &last.pv {
            referee.play(mv).expect("a legal line of play");
        }
        assert_eq!(referee.ending(), Some(RuleEnd::Checkmate), "{fen}");
    }
}

#[test]
fn position_without_moves_has_no_best_move() {
    // FEN, score as UCI writes it
    for (fen, score) in
        [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"), ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0")]
    {
        let (found, reports) = ask(&mut Echo::new(), &line(fen, ""), &Limits::nodes(100));
        assert_eq!(found.best, None, "{fen}");
        assert_eq!(reports.last().map(|report| report.score.to_string()).as_deref(), Some(score), "{fen}");
    }
}

#[test]
fn invalid_requests_are_refused_with_a_reason() {
    let table = [
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "", "invalid position: "),
        ("8/8/8/3kK3/8/8/8/7R w - - 0 1", "", "invalid position: the kings are adjacent"),
        (START, "e2e4 e7e5 e4e5", "move 3 of the history, `e4e5`, is illegal"),
    ];
    for (fen, moves, reason) in table {
        let line = line(fen, moves);
        let request = SearchRequest {
            position: &line,
            limits: &Limits::nodes(10),
            only: &[],
            stop: &Stop::default(),
            pondering: &Stop::default(),
            now: &|| Duration::ZERO,
        };
        let refusal: RequestError = Echo::new().search(&request, &mut |_| {}).expect_err("a bad question");
        assert!(refusal.to_string().starts_with(reason), "{refusal}");
    }
}

#[test]
fn multipv_reports_the_requested_number_of_variations() {
    let mut echo = Echo::new();
    echo.set("MultiPV", "3").expect("an option");
    let (found, reports) = ask(&mut echo, &GamePosition::start_position(), &Limits::depth(Ply(6)));
    let last: Vec<&SearchReport> = reports.iter().rev().take(3).rev().collect();
    assert_eq!(last.iter().map(|report| report.line_of_play).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(last.is_sorted_by(|better, worse| better.score >= worse.score));
    assert_eq!(last[0].pv.first().copied(), found.best);
    assert!(last[0].pv[0] != last[1].pv[0] && last[1].pv[0] != last[2].pv[0]);
}

#[test]
fn searchmoves_restrict_the_best_move() {
    let only = ["a2a3".parse().expect("a move"), "h2h3".parse().expect("a move")];
    let position = GamePosition::start_position();
    let request = SearchRequest {
        position: &position,
        limits: &Limits::nodes(5_000),
        only: &only,
        stop: &Stop::default(),
        pondering: &Stop::default(),
        now: &|| Duration::ZERO,
    };
    let found = Echo::new().search(&request, &mut |_| {}).expect("a legal line");
    assert!(only.contains(&found.best.expect("there are moves")));
}

#[test]
fn self_play_is_legal_and_ends() {
    for (fen, nodes) in
        [(START, 800), ("8/8/8/3k4/8/3K4/8/3R4 w - - 0 1", 3_000), ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 2_000)]
    {
        let mut game = line(fen, "");
        let mut referee = Referee::new(&game).expect("legal");
        let mut echo = Echo::new();
        while referee.ending().is_none() {
            let (found, reports) = ask(&mut echo, &game, &Limits::nodes(nodes));
            for report in &reports {
                let mut ahead = referee.clone();
                for &mv in &report.pv {
                    ahead.play(mv).expect("a legal line of play");
                }
            }
            let mv = found.best.expect("the game goes on");
            referee.play(mv).expect("a legal move");
            game.moves.push(mv);
            assert!(game.moves.len() < 2_000, "no game lasts so long");
        }
        if fen.contains("3R4") {
            assert_eq!(referee.ending(), Some(RuleEnd::Checkmate), "a rook is enough: {game}");
        }
    }
}
