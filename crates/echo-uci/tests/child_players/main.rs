//! Child processes, correct and faulty: each ends with a reply or a typed fault, in bounded time.

#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    reason = "mock engines are written to files, and what they note is read"
)]

mod limits;

use std::num::NonZeroU32;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;
use threefold_chess::clock::{ClockSource, Clocks, Limits, Remaining, Stop};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Ply, Score};
use threefold_player::{
    Answer, Bound, EngineFault, EngineSpec, LaunchOptions, LimitEnforcedBy, LinesBetweenSearches,
    NoticeSender, Player, Question, SearchTimeout, SilenceNotice, WaitLimit, launch,
};

/// Enough for a shell to start on a busy machine, in tests that must not reach the limit.
const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(200);

/// A mock engine: each input line is answered by the arms of a shell's `case`.
struct Mock {
    dir: TempDir,
    options: LaunchOptions,
}

impl Mock {
    fn new(arms: &str) -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let script = format!(
            "while read -r line; do case \"$line\" in\n{arms}\nuci) echo uciok;;\nisready) echo readyok;;\nquit) exit;;\nesac; done"
        );
        Self::script(dir, &script)
    }

    fn script(dir: TempDir, script: &str) -> Self {
        std::fs::write(dir.path().join("engine.sh"), script).expect("it can be written");
        let options =
            LaunchOptions { startup: LONG, ..LaunchOptions::new(ClockSource::Wall, Stop::default()) };
        Self { dir, options }
    }

    fn start(&self, keys: &str) -> Result<Box<dyn Player>, EngineFault> {
        let path = self.dir.path().join("engine.sh");
        let spec: EngineSpec = format!("sh {}{keys}", path.display()).parse().expect("sound");
        launch(&spec, &self.options)
    }

    fn ask(&self, limits: Limits) -> Result<Answer, EngineFault> {
        let mut player = self.start("")?;
        player.new_game()?;
        player.answer(&question(limits))
    }
}

fn question(limits: Limits) -> Question {
    Question { position: GamePosition::start_position(), limits, searchmoves: Vec::new() }
}

fn clocks(millis: u64) -> Limits {
    let side = Remaining { time: Duration::from_millis(millis), increment: Duration::ZERO };
    Limits::clocks(Clocks { white: side, black: side, moves_to_go: None })
}

#[test]
fn answers_are_parsed_leniently() {
    let mock = Mock::new(
        "go*) printf 'info depth 2 multipv 1 score cp 900 nodes 70 pv e2e4\\r\\n\\r\\n'; \
         echo info depth 9 multipv 10 score cp -900 nodes 80; echo info nodes 90; \
         printf 'bestmove e2e4 ponder e7e5\\r\\n';;",
    );
    let answer = mock.ask(Limits::nodes(100)).expect("no fault");
    assert_eq!(answer.best, "e2e4".parse().ok());
    assert_eq!(answer.ponder, "e7e5".parse().ok());
    assert_eq!(answer.nodes, 90);
    let claim = answer.final_info().expect("one claim");
    assert_eq!((claim.score, claim.depth, claim.bound), (Score::Cp(Centipawns(900)), Ply(2), Bound::Exact));
    assert_eq!(answer.infos.len(), 1);
    assert_eq!(answer.infos[0].own_line(), "info depth 2 multipv 1 score cp 900 nodes 70 pv e2e4");
}

#[test]
fn engine_receives_each_command_once() {
    let mock = Mock::new(
        "uci) echo option name Hash type spin default 1 min 1 max 9; echo uciok;;\n\
         isready) echo \"$line\" >> said; echo readyok;;\n\
         go*) echo \"$line\" >> said; echo bestmove e2e4;;\n\
         position*|setoption*|ucinewgame|quit) echo \"$line\" >> said; [ quit != \"$line\" ] || exit;;",
    );
    let dir = mock.dir.path().display().to_string();
    let mut player = mock.start(&format!(",hash=4,dir={dir}")).expect("it starts");
    player.new_game().expect("it is ready");
    player.answer(&question(clocks(5000))).expect("it answers");
    drop(player);
    let said = std::fs::read_to_string(mock.dir.path().join("said")).expect("it wrote");
    let expected = [
        "setoption name Hash value 4",
        "isready",
        "ucinewgame",
        "isready",
        "position startpos",
        "go wtime 5000 btime 5000 winc 0 binc 0",
        "quit",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn ended_engine_is_quoted() {
    let dir = || tempfile::tempdir().expect("a temporary folder");
    let table = [
        ("echo no network file >&2; exit 3", "exit status: 3", "answering `uci`", "no network file"),
        ("echo Usage: fish; exit 0", "exit status: 0", "answering `uci`", "Usage: fish"),
        ("exec >&-; while read -r line; do :; done", "its output closed", "answering `uci`", "none"),
        ("sleep 1000 & exit 4", "exit status: 4", "answering `uci`", "none"),
    ];
    for (script, how, doing, words) in table {
        match Mock::script(dir(), script).ask(Limits::nodes(1)) {
            Err(EngineFault::Ended { status, task, last_output }) => {
                assert!(status.starts_with(how), "{script}: {status}");
                assert_eq!((task.as_str(), last_output.as_str()), (doing, words), "{script}");
            }
            other => panic!("{script}: {other:?}"),
        }
    }
    match Mock::new("go*) echo assertion failed >&2; kill -SEGV $$;;").ask(Limits::nodes(1)) {
        Err(EngineFault::Ended { status, task, last_output }) => {
            assert!(status.starts_with("signal: 11"), "{status}");
            assert_eq!((task.as_str(), last_output.as_str()), ("answering `go nodes 1`", "assertion failed"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn engine_that_cannot_be_started_is_named() {
    let spec: EngineSpec = "./no/such/engine,name=X".parse().expect("sound");
    match launch(&spec, &LaunchOptions::new(ClockSource::Wall, Stop::default())) {
        Err(EngineFault::CannotStart { command, .. }) => assert_eq!(command, "./no/such/engine"),
        other => panic!("{:?}", other.map(|player| player.name().to_owned())),
    }
}

#[test]
fn silent_engine_is_a_fault_under_every_limit() {
    let chatter = "while :; do echo info depth 1 score cp 1 nodes 1 pv e2e4; done";
    let table = [
        // what it does at `go`, limits
        ("sleep 1000", Limits::nodes(1)),
        ("sleep 1000", Limits::depth(Ply(1))),
        ("sleep 1000", clocks(100)),
        ("sleep 1000", Limits { nodes: Some(1), ..clocks(100) }),
        (chatter, Limits::nodes(1)),
        (chatter, clocks(100)),
        ("while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxx; done", clocks(100)),
    ];
    for (arm, limits) in table {
        let mut mock = Mock::new(&format!("go*) {arm};;"));
        mock.options.grace = SHORT;
        mock.options.search_timeout = SearchTimeout::fixed(SHORT);
        match mock.ask(limits) {
            Err(EngineFault::TimedOut { task, .. }) => {
                assert!(task.starts_with("answering `go"), "{arm}: {task}");
            }
            other => panic!("{arm}: {other:?}"),
        }
    }
    let mut mock = Mock::new("uci) sleep 1000;;");
    mock.options.startup = SHORT;
    let silent = EngineFault::TimedOut {
        task: "answering `uci`".to_owned(),
        waited: SHORT,
        limit: WaitLimit::Startup,
    };
    assert_eq!(mock.ask(Limits::nodes(1)), Err(silent));
}

#[test]
fn long_silence_is_reported_once_without_a_clock() {
    let table = [
        // behaviour, limits, the task of the notice
        ("go*) sleep 1000;;", Limits::nodes(1), Some("answering `go nodes 1`")),
        ("go*) echo info depth 1; sleep 1000;;", Limits::depth(Ply(9)), Some("answering `go depth 9`")),
        ("ucinewgame*) sleep 1000;;", Limits::nodes(1), Some("answering `ucinewgame` and `isready`")),
        ("go*) sleep 1000;;", clocks(400), None),
        ("go*) echo bestmove e2e4;;", Limits::nodes(1), None),
    ];
    for (arms, limits, task_name) in table {
        let mut mock = Mock::new(arms);
        let (said, heard) = std::sync::mpsc::channel();
        mock.options.search_timeout = SearchTimeout::fixed(2 * SHORT);
        mock.options.startup =
            if task_name.is_some_and(|task| task.contains("ucinewgame")) { 2 * SHORT } else { LONG };
        mock.options.grace = SHORT;
        mock.options.notice_after = SHORT;
        mock.options.notices = NoticeSender::to(move |notice| said.send(notice).expect("somebody listens"));
        let answer = mock.ask(limits);
        let notices: Vec<SilenceNotice> =
            heard.try_iter().filter(|notice| !notice.task.contains("uci`")).collect();
        let tasks: Vec<&str> = notices.iter().map(|notice| notice.task.as_str()).collect();
        assert_eq!(tasks, Vec::from_iter(task_name), "{arms} {limits:?}: {answer:?}");
        for notice in notices {
            assert!(notice.engine == "sh" && notice.silent == SHORT && notice.left <= SHORT, "{notice:?}");
        }
    }
}

#[test]
fn engine_that_reads_nothing_does_not_block_the_caller() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut mock = Mock::script(dir, "echo uciok; while :; do echo readyok; sleep 0.01; done");
    mock.options.startup = SHORT;
    mock.options.search_timeout = SearchTimeout::fixed(SHORT);
    mock.options.grace = SHORT;
    let mut player = mock.start("").expect("it looks sound");
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(8000);
    let position = GamePosition {
        moves: GamePosition::parse("8/8/8/8/8/8/8/8 w - -", &moves).expect("moves").moves,
        ..GamePosition::start_position()
    };
    let question = Question { position, ..question(Limits::nodes(1)) };
    match player.answer(&question) {
        Err(EngineFault::TimedOut { task, .. }) => assert!(task.starts_with("reading"), "{task}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn late_engine_that_stops_is_charged_on_the_clock() {
    let mut mock = Mock::new("go*) echo info depth 1;;\nstop) echo bestmove e2e4;;");
    mock.options.grace = Duration::from_secs(2);
    mock.options.search_timeout = SearchTimeout::fixed(SHORT);
    let answer = mock.ask(clocks(100)).expect("it obeyed");
    assert!(answer.elapsed > Duration::from_millis(2100), "{:?}", answer.elapsed);
    // Without a clock an overrun cannot be charged.
    match mock.ask(Limits::nodes(1)) {
        Err(EngineFault::TimedOut { task, .. }) => assert_eq!(task, "answering `go nodes 1`"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn search_without_a_move_keeps_what_the_engine_wrote_and_the_engine() {
    let table = [
        (
            "bestmove",
            "",
            Some("it sent `bestmove` without a move; `bestmove (none)` means that there is none"),
        ),
        (
            "bestmove Nf3",
            "Nf3",
            Some("it sent `bestmove Nf3`, which is not a UCI move (such as e2e4 or e7e8q)"),
        ),
        ("'bestmove (none)'", "(none)", None),
        ("bestmove 0000", "0000", None),
    ];
    for (line, text, breach) in table {
        let mock = Mock::new(&format!("go*) [ $second ] && echo bestmove e2e4 || echo {line}; second=1;;"));
        let mut player = mock.start("").expect("it starts");
        player.new_game().expect("it is ready");
        let answer = player.answer(&question(Limits::nodes(1))).expect("no fault");
        assert_eq!((answer.best, answer.in_place_of_move.as_deref()), (None, Some(text)), "{line}");
        let breach = breach.map(|text| EngineFault::ProtocolBreach(text.to_owned()));
        assert_eq!(answer.unreadable_move(), breach, "{line}");
        // The same process is asked again.
        let second = player.answer(&question(Limits::nodes(1))).expect("no fault");
        assert_eq!((second.best, second.in_place_of_move), ("e2e4".parse().ok(), None), "{line}");
    }
}

#[test]
fn second_best_move_belongs_to_no_search() {
    let mock = Mock::new("go*) echo bestmove e2e4; echo bestmove d2d4;;");
    let mut player = mock.start("").expect("it starts");
    player.new_game().expect("it is ready");
    assert!(player.answer(&question(Limits::nodes(1))).is_ok());
    std::thread::sleep(SHORT);
    let second = player.answer(&question(Limits::nodes(1))).expect("a second `bestmove` is no fault");
    let between = LinesBetweenSearches { count: 1, first: Some("bestmove d2d4".to_owned()) };
    assert_eq!((second.best, second.between), ("e2e4".parse().ok(), between));
}

#[test]
fn reports_after_the_move_count_for_no_search() {
    let mock = Mock::new(
        "go*) echo info depth 1 score cp 30 pv e2e4; echo bestmove e2e4; echo info depth 9 score cp -900 pv e2e4;;",
    );
    let mut player = mock.start("").expect("it starts");
    player.new_game().expect("it is ready");
    for count in [0, 1] {
        let answer = player.answer(&question(Limits::nodes(1))).expect("no fault");
        assert_eq!((answer.infos.len(), answer.between.count), (1, count), "{answer:?}");
        std::thread::sleep(SHORT);
    }
    player.new_game().expect("it is ready");
    let answer = player.answer(&question(Limits::nodes(1))).expect("no fault");
    assert_eq!(answer.between, LinesBetweenSearches::NONE, "they were of the game before");
}

/// Python's `print` writes the line end by itself. So the line that it ends has arrived before the next `go`,
/// and its end after.
#[test]
fn line_that_was_begun_before_the_next_go_counts_for_no_search() {
    let mock = Mock::new(
        "go*) [ $late ] && echo 00; late=1; echo info depth 1 score cp 30 pv e2e4; \
         printf 'bestmove e2e4\\ninfo depth 9 score cp -9';;",
    );
    let mut player = mock.start("").expect("it starts");
    player.new_game().expect("it is ready");
    for count in [0, 1] {
        let answer = player.answer(&question(Limits::nodes(1))).expect("no fault");
        assert_eq!((answer.infos.len(), answer.between.count), (1, count), "{answer:?}");
        std::thread::sleep(SHORT);
    }
}

/// The copy of a move that comes after the next `go` is no answer to it. An illegal answer that repeats a
/// move is one.
#[test]
fn late_copy_of_a_move_differs_from_an_illegal_answer() {
    let moves = ["e2e4", "e7e5"].map(|mv| mv.parse().expect("a move")).to_vec();
    let line = GamePosition { moves, ..GamePosition::start_position() };
    let late = "*e7e5*) second=1;; go*) echo bestmove e2e4; [ $second ] && {
        i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; echo bestmove g1f3; };;";
    let copy = LinesBetweenSearches { count: 1, first: Some("bestmove e2e4".to_owned()) };
    let table = [(late, "g1f3", copy), ("go*) echo bestmove e2e4;;", "e2e4", LinesBetweenSearches::NONE)];
    for (arms, best, between) in table {
        let mock = Mock::new(arms);
        let mut player = mock.start("").expect("it starts");
        player.new_game().expect("it is ready");
        player.answer(&question(Limits::nodes(1))).expect("no fault");
        let second = Question { position: line.clone(), ..question(Limits::nodes(1)) };
        let answer = player.answer(&second).expect("no fault");
        assert_eq!((answer.best, answer.between), (best.parse().ok(), between), "{arms}");
    }
}

/// Whether it is one line or many, on either stream: the engine is asked no further, long before the time is
/// over.
#[test]
fn output_without_end_is_a_fault() {
    for flood in ["yes e2e4", "cat /dev/zero", "cat /dev/zero >&2"] {
        let answer = Mock::new(&format!("go*) {flood};;")).ask(Limits::nodes(1));
        let fault = "it wrote more than 1000000 lines or 256 MiB while answering `go nodes 1`";
        assert_eq!(answer, Err(EngineFault::ProtocolBreach(fault.to_owned())), "{flood}");
    }
    // Between two searches no more is read than a pipe can hold.
    let mock = Mock::new("go*) echo bestmove e2e4; yes info depth 1;;");
    let mut player = mock.start("").expect("it starts");
    player.new_game().expect("it is ready");
    player.answer(&question(Limits::nodes(1))).expect("it has moved");
    let second = player.answer(&question(Limits::nodes(1)));
    assert!(
        matches!(second, Err(EngineFault::ProtocolBreach(_) | EngineFault::TimedOut { .. })),
        "{second:?}"
    );
}

#[test]
fn options_are_checked_against_those_of_the_engine() {
    let mut mock = Mock::new("uci) echo option name Hash type spin default 1 min 1 max 9; echo uciok;;");
    let table = [
        (",Hsh=1", "`Hsh` is not offered; did you mean `Hash`?"),
        (",Hash=10", "`Hash` can't be `10`; give a whole number from 1 to 9"),
    ];
    for (keys, text) in table {
        assert_eq!(mock.start(keys).err(), Some(EngineFault::Option(text.to_owned())), "{keys}");
    }
    mock.options.clock_source =
        ClockSource::Virtual { nodes_per_second: NonZeroU32::new(1000).expect("not zero") };
    let lack = "option `nodestime`";
    assert_eq!(mock.start("").err(), Some(EngineFault::NotSupported(lack.to_owned())));
}
