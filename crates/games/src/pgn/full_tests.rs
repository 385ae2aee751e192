//! A game with all tags and all fields, against a golden file; and the same game with less.

use std::time::Duration;

use super::*;
use crate::game::{GameTimes, MoveRecord};
use crate::move_details::{DetailSelection, MoveDetails, MoveField};
use threefold_chess::score::{Centipawns, MateDistance, Ply, Score};
use threefold_player::EngineId;

/// A move with everything that can be known of it.
fn played(mv: &str, score: Score, number: u64) -> MoveRecord {
    let details = MoveDetails {
        seldepth: Some(Ply(12)),
        nps: Some(1_000_000 + number),
        hashfull: Some(7),
        tbhits: Some(number),
        wdl: None,
        pv: vec![mv.parse().expect(mv)],
        reported_time: Some(Duration::from_millis(10 + number)),
        lines: vec![format!("info string note {number}")],
        is_from_book: false,
    };
    MoveRecord {
        score: Some(score),
        depth: Ply(9),
        nodes: 1000 * number,
        used: Some(Duration::from_micros(12_600)),
        left: Some(Duration::from_millis(9_000 + number)),
        details: Some(Box::new(details)),
        ..MoveRecord::new(mv.parse().expect(mv))
    }
}

/// Fool's mate after one move of the book.
fn game() -> GameRecord {
    let cp = |size| Score::Cp(Centipawns(size));
    GameRecord {
        played: vec![
            played("e7e5", cp(55), 1),
            played("g2g4", cp(-310), 2),
            played("d8h4", MateDistance::from_moves(1).map(Score::Mate).expect("a mate"), 3),
        ],
        times: Some(GameTimes { begun: 1_795_564_798_900, duration: Duration::from_millis(3_725_400) }),
        ..GameRecord::new(
            ["A", "B"],
            GamePosition { moves: vec!["f2f3".parse().expect("a move")], ..GamePosition::start_position() },
            GameOutcome::Black,
            GameEnd::Checkmate,
        )
    }
}

fn tags() -> PgnTags {
    let id =
        |name: &str| EngineId { name: Some(format!("{name} 1.0")), author: Some(format!("{name} Author")) };
    PgnTags {
        event: "Sunday match".to_owned(),
        site: "here".to_owned(),
        round: "1.1".to_owned(),
        controls: ["10+0.1", "40/60"].map(|control| control.parse().expect(control)),
        engines: [
            PgnEngine { id: id("First"), build: Some("First 1.0 sha256:0123456789ab".to_owned()) },
            PgnEngine { id: id("Second"), build: None },
        ],
        eco: Some("A00".to_owned()),
        opening: Some("Barnes Opening".to_owned()),
    }
}

fn all_fields() -> DetailSelection {
    DetailSelection {
        fields: Some(MoveField::ALL.to_vec()),
        match_lines: vec!["^info string".parse().expect("valid")],
    }
}

#[test]
fn pgn_with_everything_is_the_golden_file() {
    let options = PgnOptions { details: all_fields(), ..PgnOptions::default() };
    let text = pgn(&game(), &tags(), &options).expect("legal");
    assert_eq!(text, include_str!("full_game.pgn"), "{text}");
}

#[test]
fn minimal_pgn_has_moves_and_result_only() {
    let options = PgnOptions { details: all_fields(), extent: PgnExtent::Minimal, ..PgnOptions::default() };
    let expected = "[Event \"Sunday match\"]\n[Site \"here\"]\n[Date \"2026.11.24\"]\n[Round \"1.1\"]\n[White \"A\"]\n\
        [Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
    assert_eq!(pgn(&game(), &tags(), &options).expect("legal"), expected);
}

#[test]
fn pgn_notation_is_that_of_the_options() {
    let moves = |notation| {
        let options = PgnOptions { notation, extent: PgnExtent::Minimal, ..PgnOptions::default() };
        let text = pgn(&game(), &tags(), &options).expect("legal");
        text.trim_end().lines().last().expect("moves").to_owned()
    };
    assert_eq!(moves(PgnNotation::San), "1. f3 e5 2. g4 Qh4# 0-1");
    assert_eq!(moves(PgnNotation::Lan), "1. f2f3 e7e5 2. g2g4 Qd8h4# 0-1");
    assert_eq!(moves(PgnNotation::Uci), "1. f2f3 e7e5 2. g2g4 d8h4 0-1");
}

#[test]
fn tags_without_a_value_are_left_out() {
    let bare = GameRecord { times: None, ..game() };
    let text = pgn(&bare, &PgnTags::default(), &PgnOptions::default()).expect("legal");
    let absent =
        ["GameDuration", "GameStartTime", "GameEndTime", "ECO", "Opening", "EngineWhiteName", "WhiteEngine"];
    assert!(absent.iter().all(|name| !text.contains(name)), "{text}");
    assert!(text.contains("[Date \"????.??.??\"]"), "{text}");
}
