//! Games between scripted players: one row a way to end.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::move_details::DetailSelection;
use crate::playout::adjudication::{DrawRule, Like, MaxMoves, ResignRule, Rule};
use threefold_chess::clock::{ClockSource, Clocks, Delays};
use threefold_chess::score::{Centipawns, MateDistance};
use threefold_player::scripted::ScriptedPlayer;
use threefold_player::{Answer, Bound, ScoredInfo, WaitLimit};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Only kings and rooks, so that moves can be repeated for long.
const ROOKS: &str = "r3k3/8/8/8/8/8/8/4K2R w - - 0 1";

/// The answer at one ply: `e2e4`, followed by `=30` (centipawns), `=#5` (mate in moves), `~1500`
/// (milliseconds), `^20` (milliseconds of CPU wait), `*5000` (nodes); or `none`, `crash`, `silence`, `stop`.
fn say(script: &str) -> Result<Answer, EngineFault> {
    match script {
        "none" => return Ok(Answer::silent()),
        "crash" => {
            return Err(EngineFault::Ended {
                status: "signal 11".to_owned(),
                task: "thinking".to_owned(),
                last_output: "oops {}".to_owned(),
            });
        }
        "silence" => {
            return Err(EngineFault::TimedOut {
                task: "thinking".to_owned(),
                waited: Duration::from_secs(3),
                limit: WaitLimit::Clock,
            });
        }
        "stop" => return Err(EngineFault::Interrupted),
        _ => {}
    }
    let mark = |character| "=~^*".contains(character);
    let (mv, _) = script.split_once(mark).unwrap_or((script, ""));
    let mut answer = match mv.strip_prefix("bestmove:") {
        Some(text) => Answer { in_place_of_move: Some(text.to_owned()), ..Answer::silent() },
        None => Answer { best: Some(mv.parse().expect("a move in a script")), ..Answer::silent() },
    };
    for (at, kind) in script.match_indices(mark) {
        let value = script[at + 1..].split(mark).next().expect("split gives at least one part");
        let number = || value.parse().expect("a number in a script");
        match kind {
            "~" => answer.elapsed = Duration::from_millis(number()),
            "^" => {
                answer.delays =
                    Some(Delays { engine: Duration::from_millis(number()), runner: Duration::ZERO });
            }
            "*" => answer.nodes = number(),
            _ => answer.infos.push(claim(value)),
        }
    }
    Ok(answer)
}

fn claim(value: &str) -> ScoredInfo {
    let number = |text: &str| text.parse().expect("a number in a script");
    let score = match value.strip_prefix('#') {
        Some(moves) => Score::Mate(MateDistance::from_moves(number(moves)).expect("small")),
        None => Score::Cp(Centipawns(number(value))),
    };
    ScoredInfo {
        score,
        bound: Bound::Exact,
        multipv: 1,
        depth: Ply(9),
        nodes: None,
        pv: Vec::new(),
        line: None,
    }
}

fn terms(control: &str) -> GameConditions {
    let control = control.parse().expect(control);
    GameConditions { controls: [control; 2], ..GameConditions::unlimited() }
}

fn play_script(fen: &str, script: &str, terms: &GameConditions) -> Result<GameRecord, GameError> {
    let said: Vec<String> = script.split_whitespace().map(str::to_owned).collect();
    let player = |name: &str| {
        let said = said.clone();
        ScriptedPlayer::new(name, move |question| {
            say(said.get(question.position.moves.len()).map_or("none", |s| s))
        })
    };
    let (mut white, mut black) = (player("W"), player("B"));
    let record = play(
        &GamePosition::parse(fen, "").expect(fen),
        [&mut white, &mut black],
        terms,
        &DetailSelection::default(),
        &mut (),
    );
    assert_eq!((white.games(), black.games()), (1, 1), "each player gets one new-game message per game");
    record
}

fn ends(fen: &str, script: &str, terms: &GameConditions) -> String {
    let record = play_script(fen, script, terms).expect(script);
    format!("{} {}", record.outcome.pgn(), record.reason())
}

#[test]
fn games_end_by_the_rules_or_a_fault() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
    let rooks = "h1h2 a8a7 h2h1 a7a8 ";
    let table = [
        // start, script, control, end
        (START, "f2f3 e7e5 g2g4 d8h4".to_owned(), "inf", "0-1 Black mates"),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7".to_owned(), "inf", "1/2-1/2 Draw by stalemate"),
        (START, shuffle.repeat(2), "inf", "1/2-1/2 Draw by 3-fold repetition"),
        ("r3k3/8/8/8/8/8/8/4K2R w - - 99 80", rooks.to_owned(), "inf", "1/2-1/2 Draw by fifty moves rule"),
        (
            "8/8/8/8/8/3k4/1r6/K7 w - - 0 1",
            "a1b2".to_owned(),
            "inf",
            "1/2-1/2 Draw by insufficient mating material",
        ),
        // Over before it began.
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", String::new(), "inf", "1/2-1/2 Draw by stalemate"),
        // Faults of the engines.
        (START, "e2e5".to_owned(), "inf", "0-1 White makes an illegal move: e2e5"),
        (START, "e2e4 e7e5 0000".to_owned(), "inf", "0-1 White makes an illegal move: 0000"),
        (START, "e2e4 none".to_owned(), "inf", "1-0 Black makes an illegal move: (none)"),
        (
            START,
            "e2e4 crash".to_owned(),
            "inf",
            "1-0 Black's engine fails: it ended (signal 11) while thinking; its last output: oops {}",
        ),
        (
            START,
            "silence".to_owned(),
            "inf",
            "0-1 White's engine fails: it was not done thinking within 3.0 s",
        ),
        // Flags.
        (START, "e2e4~1000 e7e5~1001".to_owned(), "1", "1-0 Black loses on time, 1 ms over"),
        (
            START,
            "e2e4~9^20 e7e5~1014^20".to_owned(),
            "1",
            "1-0 Black loses on time, 14 ms over; the machine kept it waiting 14 ms",
        ),
        (START, "e2e4~1100 e7e5~1 f1c4~101".to_owned(), "1+0.1", "0-1 White loses on time, 1 ms over"),
        (START, "e2e4~100 e7e5~101".to_owned(), "st=0.1", "1-0 Black loses on time, 1 ms over"),
        (START, "e2e4~105 e7e5~106".to_owned(), "st=0.1,timemargin=5", "1-0 Black loses on time, 6 ms over"),
        (START, "e2e4~90000 none".to_owned(), "nodes=5", "1-0 Black makes an illegal move: (none)"),
        // What the engine wrote in place of a move.
        (START, "e2e4 bestmove:A1A1".to_owned(), "inf", "1-0 Black makes an illegal move: A1A1"),
        (START, "e2e4 bestmove:0000".to_owned(), "inf", "1-0 Black makes an illegal move: 0000"),
        (START, "bestmove:".to_owned(), "inf", "0-1 White makes an illegal move"),
        (START, "bestmove:Nf3~2000".to_owned(), "1", "0-1 White loses on time, 1.0 s over"),
        // A time loss takes precedence over an illegal move and over mate. It loses against a bare king, too.
        (START, "e2e5~2000".to_owned(), "1", "0-1 White loses on time, 1.0 s over"),
        (START, "f2f3 e7e5 g2g4 d8h4~2000".to_owned(), "1", "1-0 Black loses on time, 1.0 s over"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "h1h2~1001".to_owned(), "1", "0-1 White loses on time, 1 ms over"),
    ];
    for (fen, script, control, end) in table {
        assert_eq!(ends(fen, &script, &terms(control)), end, "{fen}: {script}");
    }
}

#[test]
fn scores_end_games_by_the_documented_rules() {
    let level = |from_move, moves, score| -> Arc<dyn Rule> { Arc::new(DrawRule { from_move, moves, score }) };
    let lost = |two_sided| -> Arc<dyn Rule> {
        Arc::new(ResignRule { moves: 2, score: 500, two_sided, like: Like::Threefold })
    };
    let only = |rule| Adjudication::new([rule]);
    let draw = only(level(2, 1, 10));
    let slow = only(level(0, 2, 10));
    let resign = |two_sided| only(lost(two_sided));
    let both = Adjudication::new([level(0, 1, 900), lost(false)]);
    let long = only(Arc::new(MaxMoves(NonZeroU32::new(2).expect("not zero"))));
    let drawn = "1/2-1/2 Draw by adjudication";
    let none = "makes an illegal move: (none)";
    let table = [
        // rules, start, script, part of the end
        (&draw, ROOKS, "h1h2=5 a8a7=-10 h2h3=0 a7a6=10", drawn),
        (&draw, ROOKS, "h1h2=5 a8a7=-11 h2h3=0 a7a6=11", none),
        (&draw, ROOKS, "h1h2=5 a8a7=-11 h2h3 a7a6=0", none),
        (&draw, ROOKS, "h1h2=5 a8a7=#3 h2h3=0 a7a6=#9", none),
        // The move number counts, not the plies since the opening.
        (&draw, "r3k3/8/8/8/8/8/8/4K2R w - - 0 30", "h1h2=5 a8a7=0", drawn),
        (&draw, ROOKS, "h1h2=5 a8a7=-10", none),
        // A pawn move or a capture zeroes the count and is then counted itself.
        (&slow, START, "g1f3=0 g8f6=0 e2e4=0 b8c6=0", none),
        (&slow, START, "g1f3=0 g8f6=0 e2e4=0 b8c6=0 f1c4=0 c6b8=0", drawn),
        (&slow, START, "g1f3=0 b8c6=0 f3e5=0 c6e5=0", none),
        (&slow, START, "g1f3=0 b8c6=0 f3g1=0 c6b8=0", drawn),
        (&resign(false), ROOKS, "h1h2=-500 a8a7=0 h2h3=-700", "0-1 Black wins by adjudication"),
        (&resign(false), ROOKS, "h1h2=0 a8a7=-500 h2h3=0 a7a6=#-3", "1-0 White wins by adjudication"),
        (&resign(false), ROOKS, "h1h2=-500 a8a7=0 h2h3=-499 a7a6=0 h3h4=-500", none),
        (&resign(false), ROOKS, "h1h2=-500 a8a7=0 h2h3 a7a6=0 h3h4=-500", none),
        (&resign(true), ROOKS, "h1h2=-500 a8a7=500 h2h3=-700 a7a6=#5", "0-1 Black wins by adjudication"),
        (&resign(true), ROOKS, "h1h2=500 a8a7=-500 h2h3=700 a7a6=#-5", "1-0 White wins by adjudication"),
        // If both engines report a winning score, or both a losing one, no engine resigns.
        (&resign(true), ROOKS, "h1h2=600 a8a7=600 h2h3=600 a7a6=600 h3h4=-600 a6a5=600", none),
        (&resign(true), ROOKS, "h1h2=-600 a8a7=-600 h2h3=-600 a7a6=-600", none),
        (&both, ROOKS, "h1h2=-600 a8a7=-901 h2h3=-600", "0-1 Black wins by adjudication"),
        (&long, ROOKS, "h1h2 a8a7 h2h3 a7a6", "1/2-1/2 Draw by adjudication: maximal game length"),
        // The rules take precedence: the last ply of the longest game may still give mate.
        (&long, START, "f2f3 e7e5 g2g4 d8h4", "0-1 Black mates"),
    ];
    for (adjudication, fen, script, end) in table {
        let came = ends(fen, script, &GameConditions { adjudication: adjudication.clone(), ..terms("inf") });
        assert!(came.contains(end), "{fen}: {script}: {came}");
    }
}

#[test]
fn players_get_all_moves_and_their_clocks() {
    let heard = Arc::new(std::sync::Mutex::new(Vec::new()));
    let player = |name: &str, best: &str| {
        let (heard, best) = (heard.clone(), best.parse().expect("a move"));
        ScriptedPlayer::new(name, move |question| {
            heard.lock().expect("one thread").push((question.position.to_string(), question.limits));
            Ok(Answer { best: Some(best), elapsed: Duration::from_secs(2), ..Answer::silent() })
        })
    };
    let (mut white, mut black) = (player("W", "g1f3"), player("B", "e7e5"));
    let opening = GamePosition::parse(START, "e2e4").expect("sound");
    let mut terms = terms("2/10+1");
    terms.controls[0] = "60,nodes=700".parse().expect("sound");
    let record = play(&opening, [&mut white, &mut black], &terms, &DetailSelection::default(), &mut ())
        .expect("legal");
    // Black, White, and then Black again with a move that is no longer legal.
    assert_eq!(record.end, GameEnd::IllegalMove("e7e5".to_owned()));
    let heard = heard.lock().expect("one thread");
    let remaining = |time, increment| threefold_chess::clock::Remaining {
        time: Duration::from_secs(time),
        increment: Duration::from_secs(increment),
    };
    let clocks = |white, black, moves_to_go| {
        Some(Clocks { white: remaining(white, 0), black: remaining(black, 1), moves_to_go })
    };
    let expected = [
        ("e2e4", clocks(60, 11, Some(2)), None),
        ("e2e4 e7e5", clocks(60, 10, None), Some(700)),
        ("e2e4 e7e5 g1f3", clocks(58, 10, Some(1)), None),
    ];
    assert_eq!(heard.len(), expected.len());
    for ((line, limits), (moves, clocks, nodes)) in heard.iter().zip(expected) {
        assert_eq!(line, &format!("fen {START} moves {moves}"));
        assert_eq!((limits.clocks, limits.nodes), (clocks, nodes));
    }
    let left: Vec<_> = record.played.iter().map(|played| played.left.map(|left| left.as_secs())).collect();
    assert_eq!(left, [Some(10), Some(58)]);
}

#[test]
fn virtual_clock_does_not_depend_on_the_machine() {
    let script = |elapsed: u64| format!("e2e4~{elapsed}*500 e7e5~{elapsed}*1000 g1f3~{elapsed}*501");
    let clock_source = "virtual:1000".parse().expect("sound");
    let virtual_terms = GameConditions { clock_sources: [clock_source; 2], ..terms("1") };
    let quick = play_script(START, &script(1), &virtual_terms).expect("legal");
    let slow = play_script(START, &script(90_000), &virtual_terms).expect("legal");
    assert_eq!(quick, slow);
    assert_eq!(
        quick.end,
        GameEnd::TimeForfeit { over: Duration::from_millis(1), margin: Duration::ZERO, delays: None }
    );
    assert_eq!(quick.played[0].used, Some(Duration::from_millis(500)));
    // Without a clock, the machine's own time is not recorded.
    let quick = play_script(START, &script(1), &terms("nodes=900")).expect("legal");
    assert_eq!(quick, play_script(START, &script(90_000), &terms("nodes=900")).expect("legal"));
}

#[test]
fn each_side_is_timed_by_its_own_clock() {
    let terms = GameConditions {
        clock_sources: ["virtual:1000".parse().expect("sound"), ClockSource::Wall],
        ..terms("1")
    };
    let record = play_script(START, "e2e4~5000*500 e7e5~400*9000 g1f3~1*300 b8c6~601*1", &terms);
    let record = record.expect("legal");
    let used: Vec<_> = record.played.iter().map(|played| played.used.map(|used| used.as_millis())).collect();
    assert_eq!(used, [Some(500), Some(400), Some(300)]);
    assert_eq!(
        record.end,
        GameEnd::TimeForfeit { over: Duration::from_millis(1), margin: Duration::ZERO, delays: None }
    );
    assert_eq!(record.lost_on_time(), Some(Color::Black));
}

#[test]
fn stopped_games_and_invalid_openings_have_no_record() {
    let stopped = play_script(START, "e2e4 stop", &terms("inf")).expect_err("called off");
    assert_eq!(stopped.to_string(), "interrupted");
    let (mut white, mut black) = (ScriptedPlayer::playing("W", []), ScriptedPlayer::playing("B", []));
    let opening = GamePosition::parse(START, "e2e5").expect("sound");
    let refused =
        play(&opening, [&mut white, &mut black], &terms("inf"), &DetailSelection::default(), &mut ())
            .expect_err("illegal");
    assert_eq!(refused.to_string(), "opening move 1 of the history, `e2e5`, is illegal");
    assert_eq!((white.games(), black.games()), (0, 0));
}

#[test]
fn castling_is_recorded_as_uci_writes_it() {
    // An engine may write castling as the king capturing its rook; the record uses one spelling.
    let record = play_script("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1 none", &terms("inf")).expect("legal");
    assert_eq!(record.played[0].mv.to_string(), "e1g1");
}
