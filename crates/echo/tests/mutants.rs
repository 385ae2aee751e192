//! Each seeded bug is visible in a position where the correct Echo answers right.
#![cfg(feature = "mutants")]

use std::time::Duration;

use threefold_chess::clock::{Limits, Stop};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Ply, Score};
use threefold_echo::mutants::Mutant;
use threefold_echo::{Bound, Echo, SearchReport, SearchRequest, SearchResult};

/// Searches with these options, with one root move if given.
fn ask(
    options: &[(&str, &str)],
    position: &GamePosition,
    only: &str,
    limits: &Limits,
) -> (SearchResult, SearchReport) {
    let mut echo = Echo::new();
    for (name, value) in options {
        echo.set(name, value).expect("an option");
    }
    let only: Vec<_> = only.split_whitespace().map(|mv| mv.parse().expect("a move")).collect();
    let request = SearchRequest {
        position,
        limits,
        only: &only,
        stop: &Stop::default(),
        pondering: &Stop::default(),
        now: &|| Duration::ZERO,
    };
    let mut last = None;
    let found = echo.search(&request, &mut |report| {
        if report.bound == Bound::Exact {
            last = Some(report.clone());
        }
    });
    (found.expect("a legal line"), last.expect("an exact report"))
}

#[test]
fn mutants_show_in_scores_of_drawn_moves() {
    const QUEEN: &str = "4k3/8/8/8/8/8/1Q6/4K3 w - - 0 1";
    const ROOK: &str = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    const PAWN: &str = "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1";
    const LATE: &str = "4k3/8/8/8/8/8/8/R3K3 w - - 99 80";
    const TWICE: &str = "b2b7 e8f8 b7c7 f8e8 c7b7 e8f8 b7c7 f8e8";
    const TRIANGLE: &str = "e1d1 e8f8 d1d2 f8e8";
    const DOUBLE_STEP: &str = "e2e4 e8d8 a1a2 d8e8 a2a1 e8f8 a1a2 f8e8";
    let table = [
        // bug, policy, FEN, moves, root move, whether it is a draw
        (Mutant::KeyWithoutSide, "HistoryDraw", ROOK, TRIANGLE, "d2e1", false),
        (Mutant::EnPassantAlwaysInKey, "HistoryIgnored", PAWN, DOUBLE_STEP, "a2a1", true),
        (Mutant::FiftyMovesIgnored, "HistoryIgnored", LATE, "", "a1a2", true),
        (Mutant::DrawSignFlipped, "HistoryIgnored", QUEEN, TWICE, "c7b7", true),
    ];
    for (mutant, policy, fen, moves, mv, drawn) in table {
        let position = GamePosition::parse(fen, moves).expect("sound");
        let is_drawn = |seeded| {
            let options = [("RepetitionPolicy", policy), ("Mutant", seeded)];
            ask(&options, &position, mv, &Limits::nodes(5_000)).1.score.to_string() == "cp 0"
        };
        assert_eq!(is_drawn("None"), drawn, "sound: {fen} {moves}");
        assert_eq!(is_drawn(mutant.name()), !drawn, "{mutant}: {fen} {moves}");
    }
}

#[test]
fn underpromotion_to_a_rook_mates_where_a_queen_stalemates() {
    let position = GamePosition::parse("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "").expect("sound");
    let answer = |seeded| ask(&[("Mutant", seeded)], &position, "", &Limits::nodes(20_000));
    assert_eq!(answer("None").1.score.to_string(), "mate 2");
    assert_ne!(answer("OnlyQueens").1.score.to_string(), "mate 2");
}

#[test]
fn mutants_claim_false_mates() {
    // FEN, plies to mate by the tablebase
    const TABLE: &[(&str, u16)] = &[
        ("4Q1K1/2k5/8/8/8/8/8/8 w - - 0 1", 11),
        ("8/8/8/2K5/8/8/k7/4R3 w - - 0 1", 11),
        ("8/8/1K6/2R5/8/8/8/k7 b - - 0 1", 14),
        ("1R6/6k1/3K4/8/8/8/8/8 b - - 0 1", 16),
    ];
    let false_claims = |seeded: &str| {
        let is_false = |&&(fen, plies): &&(&str, u16)| {
            let position = GamePosition::parse(fen, "").expect("sound");
            let (_, report) = ask(&[("Mutant", seeded)], &position, "", &Limits::nodes(100_000));
            matches!(report.score, Score::Mate(mate) if mate.plies() < Ply(plies))
        };
        TABLE.iter().filter(is_false).count()
    };
    assert_eq!(false_claims("None"), 0);
    assert!(false_claims("MateNotPlyAdjusted") > 0);
}
