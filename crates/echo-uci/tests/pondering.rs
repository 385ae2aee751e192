//! Engines that think on the opponent's time: mock engines that note their commands, and Echo as a process.

#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    reason = "mock engines are written to files, and what they note is read"
)]

use std::thread::sleep;
use std::time::Duration;

use shakmaty::uci::UciMove;
use tempfile::TempDir;
use threefold_chess::clock::{ClockSource, Clocks, Limits, Remaining, Stop};
use threefold_chess::position::GamePosition;
use threefold_games::game::{self, GameConditions, GameEnd, GameRecord};
use threefold_games::move_details::DetailSelection;
use threefold_games::warning::WarningRule;
use threefold_player::{
    Answer, EngineFault, EngineSpec, LaunchOptions, Player, Question, ScriptedPlayer, launch,
};

const MILLISECONDS: fn(u64) -> Duration = Duration::from_millis;
/// Enough for a shell on a busy machine.
const LONG: Duration = Duration::from_secs(20);

/// A mock engine that notes every command; the arms of a shell's `case` answer them.
struct Mock {
    dir: TempDir,
    player: Box<dyn Player>,
}

impl Mock {
    fn start(arms: &str) -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let path = dir.path().join("engine.sh");
        let said = dir.path().join("said");
        let script = format!(
            "while read -r line; do echo \"$line\" >> '{}'; case \"$line\" in\n{arms}\n\
             uci) echo option name Ponder type check default false; echo uciok;;\nisready) echo readyok;;\n\
             quit) exit;;\nesac; done",
            said.display()
        );
        std::fs::write(&path, script).expect("it can be written");
        let spec = format!("sh {},name=Mock,ponder=on", path.display()).parse().expect("sound");
        Self { player: launch(&spec, &options()).expect("it starts"), dir }
    }

    /// The commands after the start.
    fn said(&self) -> Vec<String> {
        let said = std::fs::read_to_string(self.dir.path().join("said")).expect("it was asked");
        said.lines().skip(3).map(str::to_owned).collect()
    }
}

fn options() -> LaunchOptions {
    LaunchOptions { startup: LONG, ..LaunchOptions::new(ClockSource::Wall, Stop::default()) }
}

/// A question after these moves, with this time on both clocks.
fn question(moves: &str, millis: u64) -> Question {
    let side = Remaining { time: MILLISECONDS(millis), increment: Duration::ZERO };
    let limits = Limits::clocks(Clocks { white: side, black: side, moves_to_go: None });
    let start = GamePosition::start_position();
    let moves = moves.split_whitespace().map(|mv| mv.parse().expect("a move")).collect();
    Question { position: GamePosition { moves, ..start }, limits, searchmoves: Vec::new() }
}

fn mv(text: &str) -> UciMove {
    text.parse().expect("a move")
}

/// It moves at `ponderhit`, at `stop`, and at a `go` without `ponder`.
const POLITE: &str = "'go ponder'*) echo info depth 9 score cp 30 pv g1f3;;\nponderhit) echo bestmove g1f3;;\n\
                      stop) echo bestmove b1c3;;\ngo*) echo bestmove d2d4 ponder e7e6;;";

#[test]
fn expected_move_is_a_ponderhit_and_the_clock_starts_there() {
    let mut mock = Mock::start(POLITE);
    let asked = question("e2e4 e7e5", 60_000);
    mock.player.ponder(&asked).expect("it ponders");
    sleep(MILLISECONDS(300));
    mock.player.read_pondering();
    let answer = mock.player.answer(&asked).expect("a move");
    assert_eq!((answer.best, answer.infos.len()), (Some(mv("g1f3")), 1), "reports of the pondering count");
    assert!(
        answer.elapsed < MILLISECONDS(300),
        "it pondered for 300 ms, which do not count: {:?}",
        answer.elapsed
    );
    let go = "go ponder wtime 60000 btime 60000 winc 0 binc 0";
    assert_eq!(mock.said(), ["position startpos moves e2e4 e7e5", go, "ponderhit"]);
    let start = std::fs::read_to_string(mock.dir.path().join("said")).expect("it was asked");
    assert!(start.starts_with("uci\nsetoption name Ponder value true\nisready\n"), "{start}");
}

#[test]
fn other_move_is_a_stop_and_a_new_search() {
    let mut mock = Mock::start(POLITE);
    mock.player.ponder(&question("e2e4 e7e5", 60_000)).expect("it ponders");
    let answer = mock.player.answer(&question("e2e4 c7c5", 60_000)).expect("a move");
    assert_eq!(
        (answer.best, answer.infos.len()),
        (Some(mv("d2d4")), 0),
        "the move at `stop` counts for nothing"
    );
    assert_eq!(answer.ponder, Some(mv("e7e6")));
    let said = mock.said();
    assert_eq!(said[2], "stop");
    assert_eq!(said[3], "position startpos moves e2e4 c7c5");
    assert!(said[4].starts_with("go wtime 60000"), "{said:?}");
    // After the end of a game there is nothing to stop.
    mock.player.stop_pondering().expect("nothing to do");
    assert_eq!(mock.said().len(), 5);
}

#[test]
fn faults_while_pondering_are_noticed() {
    let table = [
        (
            "'go ponder'*) echo bestmove g1f3;;",
            "e7e5",
            "it broke the protocol: it sent `bestmove g1f3` while it pondered",
        ),
        ("'go ponder'*) exit 3;;", "e7e5", "it ended (exit status: 3) while answering `ponderhit`"),
        ("'go ponder'*) exit 3;;", "c7c5", "it ended (exit status: 3) while pondering after `go ponder"),
        ("stop) ;;", "c7c5", "it was not done answering `stop` while it pondered within 1.0 s"),
        ("ponderhit) ;;\nstop) ;;", "e7e5", "it was not done answering `ponderhit` within"),
    ];
    for (arms, played, message) in table {
        let mut mock = Mock::start(arms);
        mock.player.ponder(&question("e2e4 e7e5", 400)).expect("it ponders");
        sleep(MILLISECONDS(150));
        mock.player.read_pondering();
        let fault =
            mock.player.answer(&question(&format!("e2e4 {played}"), 400)).expect_err(message).to_string();
        assert!(fault.starts_with(message), "{fault}");
        assert!(!fault.contains("startup="), "the wait does not depend on it: {fault}");
    }
}

/// A player that takes its time, and plays these moves.
fn slow(moves: &'static str, time: Duration) -> ScriptedPlayer {
    ScriptedPlayer::new("Slow", move |question| {
        sleep(time);
        let mut moves = moves.split_whitespace();
        Ok(Answer { best: moves.nth(question.position.moves.len() / 2).map(mv), ..Answer::silent() })
    })
}

/// A game of a few plies at a minute for each side; White may ponder.
fn play(white: &mut dyn Player, black: &mut dyn Player, plies: usize, ponders: bool) -> GameRecord {
    let control = "60".parse().expect("sound");
    let terms = GameConditions {
        controls: [control; 2],
        ponders: [ponders, false],
        ..GameConditions::of_plies(plies)
    };
    let opening = GamePosition::start_position();
    game::play(&opening, [white, black], &terms, &DetailSelection::default(), &mut ()).expect("legal")
}

/// It answers the n-th `go`, `ponderhit` or `stop` of a game in turn.
fn scripted(answers: &[&str]) -> String {
    let arms: Vec<String> =
        answers.iter().enumerate().map(|(n, text)| format!("{}) echo {text};;", n + 1)).collect();
    format!("'go ponder'*) ;;\ngo*|ponderhit|stop) n=$((n + 1)); case $n in {} esac;;", arms.join(" "))
}

#[test]
fn game_ponders_on_the_expected_reply_until_it_is_over() {
    let mut mock = Mock::start(&scripted(&[
        "bestmove e2e4 ponder e7e5",
        "bestmove g1f3 ponder d7d6",
        "bestmove a2a3",
        "bestmove d2d4 ponder h7h6",
        "bestmove a2a3",
    ]));
    let mut black = slow("e7e5 b8c6 g8f6", MILLISECONDS(100));
    let game = play(&mut *mock.player, &mut black, 6, true);
    assert_eq!(game.played.len(), 6, "{:?}", game.end);
    let said: Vec<String> = mock.said().into_iter().filter(|line| !line.starts_with("position")).collect();
    let kinds: Vec<&str> = said
        .iter()
        .map(|line| {
            if line.starts_with("go ponder") { "go ponder" } else { line.split(' ').next().expect("a word") }
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "ucinewgame",
            "isready",
            "go",
            "go ponder",
            "ponderhit",
            "go ponder",
            "stop",
            "go",
            "go ponder",
            "stop"
        ],
        "the last search ends with the game"
    );
    // White's clock stood while Black thought for 100 ms.
    for played in game.played.iter().step_by(2).skip(1) {
        assert!(played.used.is_some_and(|used| used < MILLISECONDS(90)), "{played:?}");
    }
}

#[test]
fn illegal_expected_reply_is_a_warning_and_no_pondering_follows() {
    for (expected, warnings) in [("e7e4", 1), ("e2e4", 1), ("e7e5", 0)] {
        let answers = [format!("bestmove e2e4 ponder {expected}"), "bestmove g1f3".to_owned()];
        let mut mock = Mock::start(&scripted(&[&answers[0], &answers[1], "bestmove g1f3"]));
        let mut black = slow("e7e5", Duration::ZERO);
        let game = play(&mut *mock.player, &mut black, 3, true);
        let found: Vec<(WarningRule, usize)> = game
            .warnings
            .iter()
            .filter(|warning| warning.rule == WarningRule::IllegalPonderMove)
            .map(|warning| (warning.rule, warning.ply))
            .collect();
        assert_eq!(found, vec![(WarningRule::IllegalPonderMove, 0); warnings], "{expected}");
        let ponders = mock.said().iter().any(|line| line.starts_with("go ponder"));
        assert_eq!(ponders, warnings == 0, "{expected}");
    }
}

#[test]
fn engine_without_ponder_does_not_ponder() {
    let mut mock = Mock::start(&scripted(&["bestmove e2e4 ponder e7e5", "bestmove g1f3"]));
    let game = play(&mut *mock.player, &mut slow("e7e5", Duration::ZERO), 3, false);
    assert_eq!(game.played.len(), 3);
    assert!(!mock.said().iter().any(|line| line.contains("ponder")), "{:?}", mock.said());
}

#[test]
fn a_flood_while_pondering_blocks_neither_side() {
    let flood = "'go ponder'*) i=0; while [ $i -lt 20000 ]; do echo info depth 9 nodes $i score cp 30 pv g1f3 b8c6 f1b5; \
                 i=$((i + 1)); done;;\nponderhit) echo bestmove g1f3;;\ngo*) echo bestmove e2e4 ponder e7e5;;";
    let mut mock = Mock::start(flood);
    let mut black = slow("e7e5", MILLISECONDS(1500));
    let game = play(&mut *mock.player, &mut black, 3, true);
    assert_eq!(game.played.len(), 3, "{:?}", game.end);
    assert_eq!(game.played[2].nodes, 19_999, "every line was read");
}

#[test]
fn echo_ponders_without_a_fault() {
    let player = |name: &str| -> Box<dyn Player> {
        let spec: EngineSpec = format!("{},name={name},Hash=1,ponder=on", env!("CARGO_BIN_EXE_echo-uci"))
            .parse()
            .expect("sound");
        launch(&spec, &options()).expect("it starts")
    };
    let (mut white, mut black) = (player("A"), player("B"));
    let control = "1+0.02,timemargin=2000".parse().expect("sound");
    let terms = GameConditions { controls: [control; 2], ponders: [true; 2], ..GameConditions::of_plies(40) };
    let game = game::play(
        &GamePosition::start_position(),
        [&mut *white, &mut *black],
        &terms,
        &DetailSelection::default(),
        &mut (),
    )
    .expect("legal");
    assert!(!matches!(game.end, GameEnd::EngineFault(_) | GameEnd::IllegalMove(_)), "{:?}", game.end);
    let warned = game.warnings.iter().any(|warning| warning.rule == WarningRule::IllegalPonderMove);
    assert!(!warned, "{:?}", game.warnings);
    let stopped: Result<(), EngineFault> = white.stop_pondering();
    assert_eq!(stopped, Ok(()));
}
