//! fastchess and cutechess-cli: their command lines, and the lines that frameworks read, from whole runs.

use std::os::unix::fs::symlink;

use assert_cmd::Command;

use crate::sandbox::{CommandOutput, DEADLINE, Sandbox, THREEFOLD};

/// Two engines that answer after a few nodes.
const ENGINES: &str = "-engine cmd=ENGINE args=uci name=A option.Hash=16 -engine cmd=ENGINE args=uci name=B \
                       -each proto=uci tc=10+0.1 nodes=20";

fn run(sandbox: &Sandbox, line: &str) -> CommandOutput {
    let line = line.replace("ENGINE", THREEFOLD);
    sandbox.run(&format!("fastchess {line}"))
}

/// The lines whose order does not depend on the speed of the games.
fn stable(out: &str) -> Vec<&str> {
    out.lines().filter(|line| !line.starts_with("Total Time: ")).collect()
}

#[test]
fn openbench_command_prints_the_lines_that_it_reads() {
    let sandbox = Sandbox::new();
    let output = run(
        &sandbox,
        &format!(
            "-recover -variant standard -testEnv -concurrency 1 -rounds 1 -games 2 -resign movecount=3 score=400 \
             -draw movenumber=40 movecount=8 score=10 -maxmoves 3 {ENGINES} \
             -openings file=book.epd format=epd order=random start=3 -srand 42 \
             -pgnout file=all.pgn seldepth=true nodes=true match_line=^info"
        ),
    );
    assert_eq!((output.code, output.err.as_str()), (Some(0), ""), "{}", output.out);
    let lines = stable(&output.out);
    assert_eq!(
        lines[..5],
        [
            "Indexing opening suite...",
            "Started game 1 of 2 (A vs B)",
            "Finished game 1 (A vs B): 1/2-1/2 {Draw by adjudication}",
            "Started game 2 of 2 (B vs A)",
            "Finished game 2 (B vs A): 1/2-1/2 {Draw by adjudication}",
        ]
    );
    assert_eq!(lines[6], "Results of A vs B (10+0.1, 1t, 16MB, book.epd):");
    assert_eq!(lines[9], "Games: 2, Wins: 0, Losses: 0, Draws: 2, Points: 1.0 (50.00 %)");
    assert_eq!(lines[10], "Ptnml(0-2): [0, 0, 1, 0, 0], WL/DD Ratio: 0.00");
    assert_eq!(lines[12..], ["Finished match", ""]);
    let ended = output.out.find("Finished match").expect("it ends");
    assert!(output.out.is_ascii() && output.out[..ended].lines().all(|line| !line.is_empty()));
    assert_eq!(sandbox.read("all.pgn").matches("[Event ").count(), 2);
    assert!(!sandbox.path("runs/fastchess-1.sqlite").exists(), "-testEnv removes the journal");
}

#[test]
fn faults_have_the_reasons_that_openbench_counts() {
    let sandbox = Sandbox::new();
    let engines = [
        ("crash", "go*) exit 4;;", "White disconnects", "Crashed: 1"),
        ("cheat", "go*) echo bestmove a1h8;;", "White makes an illegal move}", ""),
        ("mute", "go*) echo bestmove;;", "White makes an illegal move}", ""),
        ("none", "go*) echo 'bestmove (none)';;", "White makes an illegal move}", ""),
        ("capitals", "go*) echo bestmove A1A1;;", "White makes an illegal move}", ""),
        ("late", "go*) sleep 0.3; echo bestmove e2e4;;", "White loses on time (", "Timeouts: 1"),
    ];
    for (name, arms, reason, counted) in engines {
        sandbox.engine(name, arms);
        let line = format!(
            "-recover -rounds 1 -games 1 -engine cmd=sh args={name}.sh name={name} \
             -engine cmd=ENGINE args=uci nodes=20 name=B -each tc=0.1"
        );
        let output = run(&sandbox, &line);
        assert_eq!(output.code, Some(0), "{}", output.out);
        let finished =
            output.out.lines().find(|line| line.starts_with("Finished game 1 ")).expect("it ended");
        assert!(
            finished.starts_with(&format!("Finished game 1 ({name} vs B): 0-1 {{{reason}")),
            "{finished}"
        );
        let rest: Vec<&str> = output.out.lines().filter(|line| *line != finished).collect();
        for word in ["disconnect", "stall", "on time", "timeout", "illegal"] {
            assert!(rest.iter().all(|line| !line.contains(word)), "{word}: {rest:#?}");
        }
        assert!(output.out.contains(counted), "{}", output.out);
        assert_eq!(output.out.contains(&format!("Player: {name}\n")), !counted.is_empty());
    }
}

#[test]
fn illegal_moves_stop_no_run_and_cutechess_names_them() {
    for (given, named) in [("A1A1", ": A1A1"), ("", ""), ("'(none)'", ": (none)"), ("a1h8", ": a1h8")] {
        let sandbox = Sandbox::new();
        sandbox.engine("cheat", &format!("go*) echo bestmove {given};;"));
        let line = "-rounds 3 -games 1 -engine cmd=sh arg=cheat.sh name=A -engine cmd=ENGINE arg=uci nodes=20 name=B \
                    -each proto=uci tc=1 -concurrency 1 -pgnout all.pgn";
        let cutechess = sandbox.run(&format!("cutechess-cli {line}").replace("ENGINE", THREEFOLD));
        let line = line.replace("arg=", "args=").replace("-pgnout ", "-pgnout append=false file=");
        let fastchess = run(&sandbox, &line);
        for (output, end) in [(fastchess, "}"), (cutechess, &format!("{named}}}"))] {
            assert_eq!(output.code, Some(0), "{} {}", output.out, output.err);
            let reason = format!("makes an illegal move{end}");
            assert_eq!(output.out.matches(&reason).count(), 3, "{given}: {}", output.out);
        }
        let games = sandbox.read("all.pgn");
        assert_eq!(games.matches("[Termination \"illegal move\"]").count(), 3, "{games}");
        assert_eq!(games.matches(&format!("makes an illegal move{named}}}")).count(), 3, "{games}");
    }
}

#[test]
fn option_that_an_engine_lacks_is_left_out_with_a_warning() {
    let sandbox = Sandbox::new();
    sandbox.engine("bare", "go*) echo bestmove a1h8;;\nsetoption*) exit 4;;");
    let line = "-recover -rounds 2 -games 1 -engine cmd=sh args=bare.sh name=bare -engine cmd=ENGINE args=uci nodes=20 \
                name=B -each tc=1 option.Hash=16";
    let output = run(&sandbox, line);
    assert_eq!(output.code, Some(0), "{}", output.out);
    assert_eq!(output.out.matches("Warning; bare doesn't have option Hash\n").count(), 1, "{}", output.out);
    assert_eq!(output.out.matches("makes an illegal move").count(), 2, "{}", output.out);
    let wrong = run(&sandbox, &line.replace("Hash=16", "Hash=huge"));
    assert_eq!(wrong.code, Some(1), "{}", wrong.out);
}

#[test]
fn wrong_output_is_a_warning_that_fails_a_strict_run() {
    let sandbox = Sandbox::new();
    sandbox.engine(
        "liar",
        "go*) echo info depth 1 time 7 score cp 9 wdl 1 2 997 pv e2e4 a1h8; echo bestmove e2e4;;",
    );
    let line = "-recover -testEnv -rounds 1 -games 1 -engine cmd=sh args=liar.sh name=liar \
                -engine cmd=ENGINE args=uci nodes=20 name=B -each tc=1 -maxmoves 1";
    let output = run(&sandbox, line);
    assert_eq!(output.code, Some(0), "{}", output.out);
    let warning = "\nWarning; Illegal PV move - move a1h8 from liar :: Info; info depth 1 time 7 score cp 9 wdl 1 2 997 \
                   pv e2e4 a1h8 :: Position; startpos :: Moves; \n";
    assert!(output.out.contains(warning), "{}", output.out);
    assert!(output.out.lines().take_while(|line| *line != "Finished match").all(|line| !line.is_empty()));
    assert_eq!(run(&sandbox, &format!("{line} -strict")).code, Some(1));
    let sound = line.replace("cmd=sh args=liar.sh", "cmd=ENGINE args=uci nodes=20");
    assert_eq!(run(&sandbox, &format!("{sound} -strict")).code, Some(0));
}

#[test]
fn variations_of_mate_scores_are_warned_of_on_request() {
    let sandbox = Sandbox::new();
    sandbox.engine("mates", "go*) echo info depth 1 score mate 2 pv e2e4 e7e5; echo bestmove e2e4;;");
    let line = "-recover -testEnv -rounds 1 -games 1 -engine cmd=sh args=mates.sh name=mates \
                -engine cmd=ENGINE args=uci nodes=20 name=B -each tc=1 -maxmoves 1";
    let warnings = |more: &str| run(&sandbox, &format!("{line} {more}")).out.matches("Warning; ").count();
    assert_eq!((warnings(""), warnings("-check-mate-pvs")), (0, 1));
}

#[test]
fn log_of_engines_is_written_on_request() {
    let sandbox = Sandbox::new();
    let line = format!("-recover -testEnv -rounds 1 -games 1 {ENGINES} -maxmoves 1 -log file=e.log");
    assert_eq!(run(&sandbox, &line).code, Some(0));
    assert_eq!(sandbox.read("e.log"), "", "there are no faults");
    assert_eq!(run(&sandbox, &format!("{line} engine=true")).code, Some(0));
    let log = sandbox.read("e.log");
    assert!(log.contains("> uci\n") && log.contains("< bestmove "), "{log}");
}

#[test]
fn compliance_is_the_suite() {
    let sandbox = Sandbox::new();
    let output = run(&sandbox, "--compliance ENGINE uci");
    assert!(output.out.contains("Protocol compliance"), "{} {}", output.out, output.err);
}

#[test]
fn run_stops_at_a_crash_without_recover() {
    let sandbox = Sandbox::new();
    sandbox.engine("crash", "go*) exit 4;;");
    let line = "-rounds 20 -engine cmd=sh args=crash.sh name=A -engine cmd=ENGINE args=uci nodes=20 name=B \
                -each tc=1 -config outname=stopped.sqlite";
    let output = run(&sandbox, line);
    assert_eq!(output.code, Some(1), "{}", output.out);
    assert_eq!(output.out.matches("Finished game").count(), 1, "{}", output.out);
    assert!(
        output.out.contains("Game 1 ended by an engine fault, and -recover is not given.\n"),
        "{}",
        output.out
    );
    assert!(output.out.contains("Finished match\n"), "{}", output.out);
    assert!(sandbox.path("stopped.sqlite").exists(), "the run can be resumed");
}

#[test]
fn results_blocks_count_whole_pairs_one_at_a_time() {
    let sandbox = Sandbox::new();
    let line = format!(
        "-testEnv -recover -repeat -games 2 -rounds 6 -ratinginterval 1 -scoreinterval 1 -autosaveinterval 0 \
         -report penta=true -crc32 pgn=true -site here -event one two -srand 18446744073709551615 -variant standard \
         -concurrency 2 -force-concurrency -maxmoves 2 -check-mate-pvs {ENGINES} timemargin=10000 \
         -openings file=book.epd format=epd order=random plies=16 start=4"
    );
    let output = run(&sandbox, &line);
    assert_eq!(output.code, Some(0), "{}", output.out);
    let games: Vec<&str> = output.out.lines().filter(|line| line.starts_with("Games: ")).collect();
    let counts: Vec<String> = (1..=6).map(|pairs| format!("Games: {}, ", 2 * pairs)).collect();
    assert_eq!(games.len(), 6, "{}", output.out);
    assert!(games.iter().zip(&counts).all(|(line, count)| line.starts_with(count)), "{games:#?}");
}

#[test]
fn test_stops_at_its_decision() {
    let sandbox = Sandbox::new();
    sandbox.engine("loser", "go*) echo bestmove a1h8;;");
    let line = "-recover -rounds 100 -engine cmd=ENGINE args=uci nodes=20 name=A \
                -engine cmd=sh args=loser.sh name=B -each tc=10 -sprt elo0=0 elo1=200 alpha=0.05 beta=0.05";
    let output = run(&sandbox, line);
    assert_eq!(output.code, Some(0), "{}", output.out);
    let lines = stable(&output.out);
    let decided = lines.iter().position(|line| line.starts_with("SPRT (")).expect("it is decided");
    assert_eq!(lines[decided], "SPRT ([0.00, 200.00]) completed - H1 was accepted");
    assert_eq!(lines[decided + 1], "Finished match");
    assert!(lines[decided - 2].starts_with("LLR: "), "{}", output.out);
    // The journal is an ordinary run: the report has the same decision.
    let report = sandbox.run("report runs/fastchess-1.sqlite --format summary.md --out new");
    assert!(matches!(report.code, Some(0 | 2)), "{}", report.err);
}

#[test]
fn program_called_fastchess_or_cutechess_needs_no_first_word() {
    let sandbox = Sandbox::new();
    for (name, version) in [
        ("fastchess", "fastchess-compatible 1.8.2 (threefold "),
        ("cutechess-cli", "cutechess-cli-compatible "),
    ] {
        symlink(THREEFOLD, sandbox.path(name)).expect("a link");
        let own = |line: &[&str]| {
            let output = Command::new(sandbox.path(name))
                .args(line)
                .current_dir(sandbox.path(""))
                .timeout(DEADLINE)
                .output();
            CommandOutput::from(output.expect("it runs"))
        };
        let output = own(&["--version"]);
        assert!(output.code == Some(0) && output.out.starts_with(version), "{}", output.out);
        let output = own(&["-rond", "2"]);
        assert_eq!(output.code, Some(1));
        assert_eq!(output.out, "Unrecognized option: -rond parsing failed.: Did you mean \"-rounds\"?\n");
        assert!(own(&["-help"]).out.contains("  -engine\n"));
    }
}

#[test]
fn cutechess_command_prints_scores() {
    let sandbox = Sandbox::new();
    let line = format!("cutechess-cli -games 2 -repeat -maxmoves 2 -pgnout c.pgn min {ENGINES}")
        .replace("args=", "arg=")
        .replace("ENGINE", THREEFOLD);
    let output = sandbox.run(&line);
    assert_eq!(output.code, Some(0), "{}", output.out);
    assert!(
        output.out.contains("Score of A vs B: 0 - 0 - 2  [0.500] 2\n...      A playing White: "),
        "{}",
        output.out
    );
    assert!(output.out.ends_with("(hours:minutes:seconds)\n\n"), "{}", output.out);
}

#[test]
fn cutechess_knockout_prints_its_bracket() {
    let sandbox = Sandbox::new();
    let engines = ["A", "B", "C"].map(|name| format!("-engine cmd=ENGINE arg=uci name={name}"));
    let line = format!(
        "cutechess-cli -tournament knockout -games 2 -repeat -maxmoves 1 {} -each proto=uci tc=inf nodes=20 option.Hash=1 \
         -pgnout k.pgn -openings file=book.epd format=epd",
        engines.join(" ")
    )
    .replace("ENGINE", THREEFOLD);
    let output = sandbox.run(&line);
    assert_eq!(output.code, Some(0), "{} {}", output.out, output.err);
    // All games are drawn after a move, so each encounter has 2 games and 100 more.
    for text in [
        "Warning: all engines of the knockout are seeded in the order of -engine",
        "Started game 1 of 4 (B vs C)",
        "Finished game 1 (B vs C): 1/2-1/2",
        "Score of B vs C: 0 - 0 - 102  [0.500] 102",
        "Started game 204 of 4 (B vs A)",
        "Round 1: A has a bye\nRound 1: B vs C: 51 - 51, B goes on as the better seed\n\
         Round 2: A vs B: 51 - 51, A goes on as the better seed\nWinner: A\nFinished match\n",
    ] {
        assert!(output.out.contains(text), "{text}: {}", output.out);
    }
    assert!(!sandbox.run(&format!("{line} -seeds 3")).out.contains("are seeded in the order"));
    assert_eq!(sandbox.read("k.pgn").matches("[Event ").count(), 2 * 204, "of both runs");
    let refused = sandbox.run(&format!("{line} -rounds 2"));
    assert_eq!(refused.code, Some(1));
    assert!(refused.out.contains("-rounds: the number of engines decides the rounds"), "{}", refused.out);
}

#[test]
fn unplayable_command_lines_exit_with_one_and_a_reason() {
    let sandbox = Sandbox::new();
    let table = [
        (
            "-engine cmd=a tc=1 -engine cmd=b tc=1 -config file=config.json",
            "the run of -config file=config.json has its own games",
        ),
        ("-engine cmd=a tc=1 -engine cmd=b", "Error: engine b has no search limit"),
        ("-engine cmd=./none tc=1 -engine cmd=./none tc=1", "can't be started"),
        ("-engine cmd=a tc=1 -engine cmd=b tc=1 -openings file=none.epd", "none.epd"),
        ("-engine cmd=a tc=1 -engine cmd=b tc=1 -variant fischerandom", "needs a book"),
    ];
    for (line, message) in table {
        let output = run(&sandbox, line);
        assert_eq!(output.code, Some(1), "{line}: {}", output.out);
        assert!(output.out.contains(message), "{line}: {} {}", output.out, output.err);
    }
}
