//! fastchess and cutechess-cli: journals that go on, logs, latencies, and the engines and tables of Cute
//! Chess.

use std::fs;

use nix::sys::signal::Signal;

use crate::interruption::{begin, signal, wait_for};
use crate::sandbox::{CommandOutput, Sandbox, THREEFOLD};

fn run(sandbox: &Sandbox, program: &str, line: &str) -> CommandOutput {
    sandbox.run(&format!("{program} {}", line.replace("ENGINE", THREEFOLD)))
}

/// Two engines that answer after a few nodes.
const ENGINES: &str =
    "-engine cmd=ENGINE args=uci nodes=20 name=A -engine cmd=ENGINE args=uci nodes=20 name=B";

/// A moves a rook's pawn, and crashes at its fifth search. While there is a file `quiet` it does not answer.
fn with_a_crash() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.engine(
        "crash",
        "position*moves*) best=a7a6;; position*) best=a2a3;; \
         go*) [ -e quiet ] && { : > silent; exec sleep 1000; }; echo go >> count; [ $(wc -l < count) = 5 ] && exit 4; echo bestmove $best;;",
    );
    let line = "-rounds 4 -engine cmd=sh args=crash.sh name=A -engine cmd=ENGINE args=uci nodes=20 name=B \
                -each tc=10 -maxmoves 1 -config outname=run.sqlite -pgnout file=all.pgn";
    let output = run(&sandbox, "fastchess", line);
    assert_eq!((output.code, output.out.matches("Finished game").count()), (Some(1), 5), "{}", output.out);
    sandbox
}

/// The line of the last results block with the number of games.
fn games(output: &CommandOutput) -> &str {
    output.out.lines().rfind(|line| line.starts_with("Games: ")).expect("a results block")
}

#[test]
fn config_file_continues_the_run() {
    let sandbox = with_a_crash();
    let output = run(&sandbox, "fastchess", "-config file=run.sqlite -recover");
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    assert!(output.out.starts_with("Started game 6 of 8 (B vs A)\n"), "{}", output.out);
    assert!(games(&output).starts_with("Games: 8, Wins: 0, Losses: 1, Draws: 7, "), "{}", output.out);
    assert_eq!(sandbox.read("all.pgn").matches("[Event ").count(), 8);
    // The finished run has its results, and more rounds.
    let output = run(&sandbox, "fastchess", "-config file=run.sqlite");
    assert!(output.code == Some(0) && !output.out.contains("Started game"), "{}", output.out);
    assert!(games(&output).starts_with("Games: 8, "), "{}", output.out);
    let output = run(&sandbox, "fastchess", "-config file=run.sqlite -recover -rounds 6");
    assert!(output.out.starts_with("Started game 9 of 12 (A vs B)\n"), "{}", output.out);
    assert!(games(&output).starts_with("Games: 12, Wins: 0, Losses: 1, Draws: 11, "), "{}", output.out);
    let output = run(&sandbox, "fastchess", "-config file=run.sqlite outname=other.sqlite");
    assert!(output.code == Some(1) && output.out.contains("leave outname= out"), "{}", output.out);
    let output = run(&sandbox, "fastchess", "-config file=missing.json");
    assert!(
        output.code == Some(1) && output.out.contains("a journal of threefold is needed"),
        "{}",
        output.out
    );
}

#[test]
fn config_file_without_its_results_is_a_new_run() {
    let sandbox = with_a_crash();
    let line = "-config file=run.sqlite stats=false outname=again.sqlite -recover";
    let output = run(&sandbox, "fastchess", line);
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    assert!(output.out.starts_with("Started game 1 of 8 (A vs B)\n"), "{}", output.out);
    assert!(games(&output).starts_with("Games: 8, Wins: 0, Losses: 0, Draws: 8, "), "{}", output.out);
    assert!(sandbox.path("again.sqlite").exists());
    assert_eq!(sandbox.read("all.pgn").matches("[Event ").count(), 5 + 8, "games are added to the file");
}

#[test]
fn latency_is_shown_for_each_engine() {
    let sandbox = Sandbox::new();
    let line = format!(
        "{ENGINES} -each tc=10 option.Hash=1 -rounds 1 -maxmoves 2 -show-latency -pgnout file=all.pgn \
         -log file=e.log level=info"
    );
    let output = run(&sandbox, "fastchess", &line);
    for engine in ["A", "B"] {
        let lines =
            output.out.lines().filter(|line| line.starts_with(&format!("Latency of {engine}: mean ")));
        assert_eq!(lines.filter(|line| line.ends_with(" of 4 moves")).count(), 1, "{}", output.out);
    }
    let log = sandbox.read("e.log");
    assert_eq!(log.matches(" latency: ").count(), 8, "{log}");
    assert!(log.contains("INFO  [game 1] A#0 latency: "), "{log}");
    assert_eq!(sandbox.read("all.pgn").matches("latency=").count(), 8);
}

#[test]
fn engines_of_cute_chess_are_played_by_name() {
    let sandbox = Sandbox::new();
    let entries = r#"[{"name": "First", "command": "ENGINE", "protocol": "uci", "stderrFile": "first.log",
        "options": [{"name": "Hash", "type": "spin", "default": 16, "value": 1}]},
        {"name": "Second", "command": "ENGINE", "protocol": "uci"}]"#;
    sandbox.write("engines.json", entries.replace("ENGINE", THREEFOLD));
    let output = run(&sandbox, "cutechess-cli", "-engines");
    assert_eq!((output.code, output.out.as_str()), (Some(0), "First\nSecond\n"));
    let line = "-engine conf=First arg=uci -engine conf=Second arg=uci name=Other -each nodes=10 tc=inf -games 1 -maxmoves 1";
    let output = run(&sandbox, "cutechess-cli", line);
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    assert!(output.out.contains("Started game 1 of 1 (First vs Other)\n"), "{}", output.out);
    assert!(sandbox.path("first.log").exists(), "standard error has its file");
    let output = run(&sandbox, "cutechess-cli", "-engine conf=Third -engine conf=First -each depth=1");
    assert!(
        output.code == Some(1) && output.out.contains("has no engine Third; it has First, Second"),
        "{}",
        output.out
    );
}

#[test]
fn debug_prints_the_traffic() {
    let sandbox = Sandbox::new();
    let line = format!("{ENGINES} -each tc=10 -games 1 -maxmoves 1 -debug");
    let line = line.replace("args=", "arg=");
    let output = run(&sandbox, "cutechess-cli", &line);
    let said = |text: &str| {
        output.out.lines().any(|line| {
            let (time, rest) = line.split_once(' ').unwrap_or_default();
            time.parse::<u64>().is_ok() && rest.starts_with(text)
        })
    };
    for text in [">A(", "<A(", ">B(", "<B("] {
        assert!(said(text), "{text}: {}", output.out);
    }
    assert!(!output.out.contains("debug on"), "{}", output.out);
    let output = run(&sandbox, "cutechess-cli", &format!("{line} all"));
    let times = |text: &str| output.out.matches(text).count();
    assert!(times(": debug on\n") >= 2 && times(": debug on\n") == times(": uci\n"), "{}", output.out);
}

#[test]
fn tables_are_those_of_cutechess() {
    let sandbox = Sandbox::new();
    let line = format!("{ENGINES} -each tc=10 -maxmoves 1 -games 2").replace("args=", "arg=");
    let output = run(&sandbox, "cutechess-cli", &line);
    let end: Vec<&str> = output.out.lines().skip_while(|line| !line.starts_with("... ")).take(8).collect();
    assert_eq!(
        end,
        [
            "...      A playing White: 0 - 0 - 1  [0.500] 1",
            "...      A playing Black: 0 - 0 - 1  [0.500] 1",
            "...      White vs Black: 0 - 0 - 2  [0.500] 2",
            "Elo difference: 0.0 +/- 0.0, LOS: nan %, DrawRatio: 100.0 %",
            "Player: A",
            "   \"Draw by adjudication\": 2",
            "Player: B",
            "   \"Draw by adjudication\": 2",
        ],
        "{}",
        output.out
    );
    let three = format!(
        "{line} -repeat -engine cmd=ENGINE arg=uci nodes=20 name=C -resultformat Rank,Name,D,DAdj,wPoints"
    );
    let output = run(&sandbox, "cutechess-cli", &format!("{three} -outcomeinterval 2"));
    assert!(
        output.out.contains("Rank Name                        Draws    DAdj  WPoints\n"),
        "{}",
        output.out
    );
    assert!(
        output.out.contains("   1 A                               4       4      1.0\n"),
        "{}",
        output.out
    );
    assert_eq!(output.out.matches("Player: A\n").count(), 3, "{}", output.out);
    let output = run(&sandbox, "cutechess-cli", "-resultformat help");
    assert!(output.code == Some(0) && output.out.contains("wide3\n"), "{}", output.out);
}

#[test]
fn appended_and_compressed_logs_keep_earlier_ones() {
    let sandbox = Sandbox::new();
    let line = format!("{ENGINES} -each tc=10 -rounds 1 -games 1 -maxmoves 1 -log file=e.log engine=true");
    let mut sizes = Vec::new();
    for _ in 0..2 {
        assert_eq!(run(&sandbox, "fastchess", &line).code, Some(0));
        sizes.push(sandbox.read("e.log").matches("> uci\n").count());
    }
    let [started, appended] = sizes[..] else { panic!("{sizes:?}") };
    assert!(started > 0 && appended == 2 * started, "{sizes:?}");
    assert_eq!(run(&sandbox, "fastchess", &format!("{line} append=false realtime=false")).code, Some(0));
    let log = sandbox.read("e.log");
    assert_eq!([log.matches("> uci\n").count(), log.matches("> quit\n").count()], [started; 2], "{log}");
    assert_eq!(run(&sandbox, "fastchess", &format!("{line} compress=true")).code, Some(0));
    let names = fs::read_dir(sandbox.path(".")).expect("a folder");
    let names: Vec<String> =
        names.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    let name = names.iter().find(|name| name.starts_with("e.log.1")).expect("a log");
    let file = fs::File::open(sandbox.path(name)).expect("there");
    let text = std::io::read_to_string(flate2::read::GzDecoder::new(file)).expect("a whole file");
    assert_eq!(text.matches("> uci\n").count(), started, "{text}");
}

#[test]
fn odd_number_of_single_games_under_a_test_ends_with_a_block() {
    for rounds in [1, 5, 15] {
        let sandbox = Sandbox::new();
        let line = format!(
            "{ENGINES} -each tc=10 -games 1 -rounds {rounds} -maxmoves 2 -sprt elo0=-3 elo1=3 alpha=0.05 beta=0.05 \
             -openings file=book.epd"
        );
        let output = run(&sandbox, "fastchess", &line);
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert!(games(&output).starts_with(&format!("Games: {rounds}, ")), "{}", output.out);
        let block = output.out.split("Games: ").last().expect("a block");
        assert!(block.contains("\nLLR: "), "{}", output.out);
    }
}

#[test]
fn each_file_of_games_is_replaced_or_kept_by_its_own_key() {
    let sandbox = Sandbox::new();
    for file in ["g.pgn", "e.epd"] {
        sandbox.write(file, "earlier\n");
    }
    let line = format!(
        "{ENGINES} -each tc=10 -rounds 1 -maxmoves 1 -pgnout file=g.pgn append=false -epdout file=e.epd"
    );
    let output = run(&sandbox, "fastchess", &line);
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    assert!(sandbox.read("g.pgn").starts_with("[Event "));
    let positions = sandbox.read("e.epd");
    assert!(positions.starts_with("earlier\n") && positions.lines().count() == 3, "{positions}");
}

#[test]
fn first_interruption_of_a_continued_run_stops_at_once() {
    let sandbox = with_a_crash();
    sandbox.write("quiet", "");
    let words = ["fastchess", "-config", "file=run.sqlite", "-recover"].map(str::to_owned);
    let child = begin(&sandbox, &words);
    wait_for(&sandbox.path("silent"));
    signal(&child, Signal::SIGINT);
    let output = CommandOutput::from(child.wait_with_output().expect("it ends"));
    assert_eq!(output.code, Some(1), "{}{}", output.out, output.err);
    assert!(!output.err.contains("press Ctrl-C again"), "{}", output.err);
}
