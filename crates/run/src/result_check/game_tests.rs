//! Games that contradict their moves or their jobs are refused, and games as they were played are not.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::job::{Part, RunSpec};
use threefold_chess::clock::{ClockSource, Control};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Ply, Score};
use threefold_games::game::{Adjudication, GameEnd, GameOutcome, GameRecord, MoveRecord};
use threefold_games::opening::Opening;
use threefold_games::playout::RuleKind;
use threefold_games::playout::adjudication::{DrawRule, Like, MaxMoves, ResignRule, Rule};
use threefold_player::{FaultCause, RecordedFault};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const FOOLS_MATE: &str = "f2f3 e7e5 g2g4 d8h4";

fn rules() -> Adjudication {
    let resign: Arc<dyn Rule> =
        Arc::new(ResignRule { moves: 2, score: 300, two_sided: false, like: Like::Threefold });
    let draw: Arc<dyn Rule> = Arc::new(DrawRule { from_move: 1, moves: 2, score: 10 });
    let length: Arc<dyn Rule> = Arc::new(MaxMoves(NonZeroU32::new(6).expect("not zero")));
    Adjudication::new([resign, draw, length])
}

fn run(control: &str, clock_source: ClockSource) -> PreparedRun {
    let position = GamePosition::parse(START, "").expect("a FEN");
    let games = MatchTask {
        control: control.parse().expect("sound"),
        clock_source,
        adjudication: rules(),
        ..MatchTask::new(
            ["echo,name=A", "echo,name=B"].map(|text| text.parse().expect("sound")).to_vec(),
            vec![Opening { history: position, eco: None, name: None }],
            2,
        )
    };
    let parts = vec![Part::without_labels("m".to_owned(), Task::Match(games))];
    PreparedRun::prepare(Arc::new(RunSpec { parts, ..RunSpec::default() })).expect("sound")
}

/// Moves, each with a score in centipawns after a colon: `e2e4:30`.
fn moves(text: &str) -> Vec<MoveRecord> {
    let read = |word: &str| {
        let (mv, score) = word.split_once(':').unwrap_or((word, ""));
        MoveRecord {
            score: score.parse().ok().map(|cp| Score::Cp(Centipawns(cp))),
            depth: Ply(1),
            nodes: 1_000,
            ..MoveRecord::new(mv.parse().expect("a move"))
        }
    };
    text.split_whitespace().map(read).collect()
}

/// The first game of the run.
fn game(text: &str, outcome: GameOutcome, end: GameEnd) -> GameRecord {
    GameRecord {
        played: moves(text),
        ..GameRecord::new(["A", "B"], GamePosition::parse(START, "").expect("a FEN"), outcome, end)
    }
}

fn adjudicated(rule: &str) -> GameEnd {
    GameEnd::Adjudicated(RuleKind::named(rule).expect("a rule"))
}

fn fault() -> GameEnd {
    GameEnd::EngineFault(RecordedFault { cause: FaultCause::Crash, detail: "it ended".to_owned() })
}

fn late(over: u64) -> GameEnd {
    GameEnd::TimeForfeit { over: Duration::from_millis(over), margin: Duration::ZERO, delays: None }
}

fn check(run: &PreparedRun, record: GameRecord) -> Result<(), String> {
    let result = JobResult::Game(record);
    let checked = run.check_result(JobKey { part: 0, job: 0 }, &result);
    checked.map(|_| ()).map_err(|mismatch| mismatch.to_string())
}

#[test]
fn end_and_result_must_follow_from_the_moves() {
    use GameOutcome::{Black, Draw, White};
    let repeated = "g1f3:20 g8f6:20 f3g1:20 f6g8:20 g1f3:20 g8f6:20 f3g1:20 f6g8:20";
    let resigned = "e2e4:400 e7e5:-400 g1f3:400 b8c6:-400";
    let quiet = "e2e4:0 e7e5:0 g1f3:0 b8c6:0 f1c4:0";
    let long =
        "e2e4:90 e7e5:90 g1f3:90 b8c6:90 f1c4:90 f8c5:90 a2a3:90 a7a6:90 h2h3:90 h7h6:90 d2d3:90 d7d6:90";
    let table = [
        (FOOLS_MATE, Black, GameEnd::Checkmate, ""),
        (FOOLS_MATE, White, GameEnd::Checkmate, "`1-0, checkmate`, but its moves end in `0-1, checkmate`"),
        (FOOLS_MATE, Draw, GameEnd::Stalemate, "`1/2-1/2, stalemate`, but its moves end in `0-1, checkmate`"),
        ("", White, GameEnd::Checkmate, "in `a position in which the game goes on`"),
        ("f2f3 e7e5", Black, GameEnd::Checkmate, "in `a position in which the game goes on`"),
        (
            "f2f3 e7e5 g2g4 d8h4 e1f2",
            Black,
            GameEnd::Checkmate,
            "it goes on after move 4, which ends it by checkmate",
        ),
        ("f2f3 e7e5 e1e3", Black, GameEnd::Checkmate, "move 3 after the opening, `e1e3`, is illegal"),
        (repeated, Draw, GameEnd::Threefold, ""),
        (repeated, Draw, GameEnd::FiftyMoves, "its moves end in `1/2-1/2, threefold repetition`"),
        (resigned, White, adjudicated("resign"), ""),
        (resigned, Black, adjudicated("resign"), "`0-1, adjudication (resign)`"),
        (resigned, White, adjudicated("syzygy"), "`1-0, adjudication (syzygy)`"),
        ("e2e4:400 e7e5:-400", White, adjudicated("resign"), "goes on"),
        (quiet, Draw, adjudicated("draw"), ""),
        (
            "e2e4:0 e7e5:0 g1f3:0 b8c6:90 f1c4:0 f8c5:0",
            Draw,
            adjudicated("draw"),
            "a position in which the game goes on",
        ),
        (
            "e2e4:0 e7e5:0 g1f3:0 b8c6:0 f1c4:0 f8c5:0",
            Draw,
            adjudicated("draw"),
            "goes on after move 5, which ends it by adjudication (draw)",
        ),
        (long, Draw, adjudicated("max-moves"), ""),
        ("e2e4:90 e7e5:90", Draw, adjudicated("max-moves"), "goes on"),
    ];
    let run = run("nodes=1000", ClockSource::Wall);
    for (text, outcome, end, message) in table {
        match check(&run, game(text, outcome, end)) {
            Ok(()) => assert_eq!(message, "", "{text}"),
            Err(error) => assert!(!message.is_empty() && error.contains(message), "{text}: {error}"),
        }
    }
}

#[test]
fn faults_need_a_side_that_can_have_committed_them() {
    use GameOutcome::{Black, Draw, White};
    let illegal = |mv: &str| GameEnd::IllegalMove(mv.to_owned());
    let table = [
        ("e2e4", White, fault(), ""),
        ("e2e4", Black, fault(), "it is the other side's turn"),
        ("", White, fault(), ""),
        ("", Black, fault(), ""),
        ("e2e4", Draw, fault(), "a fault loses"),
        ("e2e4", White, illegal("e7e4"), ""),
        ("e2e4", White, illegal("(none)"), ""),
        ("e2e4", White, illegal("E7E5"), ""),
        ("e2e4", White, illegal(""), ""),
        ("e2e4", White, illegal("e7e5"), "the move is legal"),
        ("e2e4", Black, illegal("e7e4"), "it is the other side's turn"),
        (FOOLS_MATE, Black, illegal("e1e3"), "but its moves end in `0-1, checkmate`"),
        ("e2e4", White, late(9), "its loser plays without a clock"),
    ];
    let without_clock = run("nodes=1000", ClockSource::Wall);
    for (text, outcome, end, message) in table {
        match check(&without_clock, game(text, outcome, end)) {
            Ok(()) => assert_eq!(message, "", "{text}"),
            Err(error) => assert!(!message.is_empty() && error.contains(message), "{text}: {error}"),
        }
    }
    let on_clocks = run("10+0.1", ClockSource::Wall);
    assert_eq!(check(&on_clocks, game("e2e4", White, late(9))), Ok(()));
    assert!(check(&on_clocks, game("e2e4", Black, late(9))).is_err_and(|error| error.contains("turn")));
    assert!(check(&on_clocks, game("e2e4", White, late(0))).is_err_and(|error| error.contains("no time")));
}

#[test]
fn players_colours_and_opening_are_those_of_the_job() {
    let run = run("nodes=1000", ClockSource::Wall);
    let right = game(FOOLS_MATE, GameOutcome::Black, GameEnd::Checkmate);
    assert_eq!(check(&run, right.clone()), Ok(()));
    let mut swapped = right.clone();
    swapped.players.swap(0, 1);
    let error = check(&run, swapped).expect_err("the colours are exchanged");
    assert_eq!(error, "the players are `B` and `A`, in this order, instead of `A` and `B`");
    let opening = GamePosition::parse(START, "e2e4").expect("a FEN");
    let error = check(&run, GameRecord { opening, ..right.clone() }).expect_err("another opening");
    assert!(error.starts_with("the opening is"), "{error}");
    let shadow = vec![threefold_games::playout::ShadowEnd {
        rule: RuleKind::named("resign").expect("a rule"),
        outcome: GameOutcome::White,
        ply: 2,
    }];
    let error = check(&run, GameRecord { shadow, ..right.clone() }).expect_err("no shadow mode");
    assert!(error.contains("adjudication would have done"), "{error}");
    let result = JobResult::Game(right);
    for key in [JobKey { part: 0, job: 4 }, JobKey { part: 1, job: 0 }] {
        assert_eq!(run.check_result(key, &result), Err(ResultMismatch::NoJob), "{key:?}");
    }
    // The second game of the pair has the other colours.
    let error = run.check_result(JobKey { part: 0, job: 1 }, &result).expect_err("copied to the next job");
    assert!(matches!(error, ResultMismatch::OtherPlayers { .. }), "{error}");
}

#[test]
fn virtual_clocks_follow_from_the_nodes() {
    let clock_source = ClockSource::Virtual { nodes_per_second: NonZeroU32::new(100_000).expect("not zero") };
    let run = run("1+0", clock_source);
    let mut record = game(FOOLS_MATE, GameOutcome::Black, GameEnd::Checkmate);
    let control: Control = "1+0".parse().expect("sound");
    let base = control.time.expect("a clock").base;
    for (index, played) in record.played.iter_mut().enumerate() {
        let used = Duration::from_millis(10);
        (played.used, played.left) = (Some(used), Some(base.saturating_sub(used * (index as u32 / 2 + 1))));
    }
    assert_eq!(check(&run, record.clone()), Ok(()));
    record.played[2].nodes = 90_000;
    let error = check(&run, record.clone()).expect_err("another time");
    assert_eq!(error, "move 3 after the opening has another time than its nodes give");
    record.played[2].nodes = 900_000;
    assert!(check(&run, record).is_err_and(|error| error.contains("move 3")), "its flag falls");
}
