//! Echo behind pipes, as the harness starts it: the answers, the clocks and the options of a child process.

use std::num::NonZeroU32;
use std::path::Path;
use std::time::Duration;

use threefold_chess::clock::{ClockSource, Clocks, Limits, Remaining, Stop};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_player::{EngineFault, EngineSpec, LaunchOptions, Question, launch};

fn question(limits: Limits) -> Question {
    Question { position: GamePosition::start_position(), limits, searchmoves: Vec::new() }
}

fn clocks(millis: u64) -> Limits {
    let side = Remaining { time: Duration::from_millis(millis), increment: Duration::ZERO };
    Limits::clocks(Clocks { white: side, black: side, moves_to_go: None })
}

#[test]
fn waiting_time_is_measured_with_the_wall_clock_only() {
    let is_recorded = Path::new("/proc/thread-self/schedstat").exists();
    let process = env!("CARGO_BIN_EXE_echo-uci");
    let counted = ClockSource::Virtual { nodes_per_second: NonZeroU32::new(100_000).expect("not zero") };
    let movetime = Limits { movetime: Some(Duration::from_millis(20)), ..Limits::default() };
    for spec in ["echo", process] {
        let table = [
            (ClockSource::Wall, clocks(2000), is_recorded),
            (ClockSource::Wall, movetime, is_recorded),
            (ClockSource::Wall, Limits::nodes(500), false),
            (counted, clocks(200), false),
        ];
        for (pace, limits, is_reported) in table {
            let options = LaunchOptions::new(pace, Stop::default());
            let mut player = launch(&spec.parse().expect("sound"), &options).expect("it starts");
            for _ in 0..2 {
                let answer = player.answer(&question(limits)).expect("no fault");
                assert_eq!(answer.delays.is_some(), is_reported, "{spec} {limits:?}: {:?}", answer.delays);
                assert!(
                    answer.delays.is_none_or(|delays| delays.total() <= answer.elapsed),
                    "the wait is part of the elapsed time"
                );
            }
        }
    }
}

#[test]
fn echo_is_launched_as_a_process() {
    let spec: EngineSpec = format!("{},name=E,RepetitionPolicy=threefold", env!("CARGO_BIN_EXE_echo-uci"))
        .parse()
        .expect("sound");
    let nodes_per_second = NonZeroU32::new(100_000).expect("not zero");
    for pace in [ClockSource::Wall, ClockSource::Virtual { nodes_per_second }] {
        let mut player = launch(&spec, &LaunchOptions::new(pace, Stop::default())).expect("it starts");
        player.new_game().expect("it is ready");
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1",
        ] {
            let position = GamePosition::parse(fen, "").expect("sound");
            let answer = player.answer(&Question { position, ..question(clocks(2000)) }).expect("no fault");
            assert!(answer.best.is_some(), "{fen}");
        }
    }
}

#[test]
fn weak_echo_plays_the_same_games_as_a_process() {
    // The process would choose a new seed for each game; the harness sets the one of the engine in this
    // process.
    let play = |program: &str, keys: &str| -> Vec<_> {
        let spec = format!("{program},UCI_LimitStrength=true,UCI_Elo=700{keys}").parse().expect("sound");
        let mut player =
            launch(&spec, &LaunchOptions::new(ClockSource::Wall, Stop::default())).expect("it starts");
        let mut game = || {
            player.new_game().expect("it is ready");
            player.answer(&question(Limits::depth(Ply(1)))).expect("no fault").best
        };
        (0..10).map(|_| game()).collect()
    };
    let process = env!("CARGO_BIN_EXE_echo-uci");
    assert_eq!(play(process, ""), play("echo", ""));
    assert_eq!(play(process, ",StrengthSeed=5"), play("echo", ",StrengthSeed=5"));
    let random = play(process, ",StrengthSeed=-1");
    assert!(random.iter().any(|mv| *mv != random[0]), "{random:?}");
}

#[test]
fn echo_process_takes_experimental_options_if_listed() {
    let launched = |program: &str, keys: &str| {
        let spec = format!("{program}{keys}").parse().expect("sound");
        launch(&spec, &LaunchOptions::new(ClockSource::Wall, Stop::default())).map(drop)
    };
    let hidden = "`CycleDetection` is an experimental option, which Echo offers if asked to: add `args=--experimental`";
    let table = [
        (",MoveOverhead=20", Ok(())),
        (",MoveOverhead=20", Ok(())),
        (",args=--experimental,UpcomingRepetition=true,HashScores=Shadow", Ok(())),
        (",upcomingrepetition=true", Err(hidden)),
        (",Hush=1", Err("`Hush` is not offered; did you mean `Hash`?")),
        (
            ",args=--experimental,CycleDetectoin=true",
            Err("`CycleDetectoin` is not offered; did you mean `CycleDetection`?"),
        ),
    ];
    for (keys, expected) in table {
        let expected = expected.map_err(|text| EngineFault::Option(text.to_owned()));
        assert_eq!(launched(env!("CARGO_BIN_EXE_echo-uci"), keys), expected, "{keys}");
    }
}
