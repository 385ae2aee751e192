//! Faulty engines. An engine that can't be started ends the command with exit code 3, its command line and
//! its last output. A later fault is a verdict, and the run continues.

use crate::sandbox::{Sandbox, THREEFOLD};

#[test]
fn start_failure_names_command_and_last_output() {
    let sandbox = Sandbox::new();
    let quits = sandbox.script("quits", "echo loading >&2; echo no network file >&2; exit 7");
    let mute = sandbox.script("mute", "while read -r line; do :; done");
    let stuck = sandbox.script("stuck", "while read -r line; do case $line in uci) echo uciok;; esac; done");
    let table: &[(&str, &str, &[&str])] = &[
        // spec, seconds it has to start, parts of what is said
        (
            "./missing,name=N",
            "60",
            &["engine `N` (`./missing,name=N`)", "`./missing` can't be started", "check the path"],
        ),
        ("book.epd", "60", &["engine `book` (`book.epd`)", "can't be started"]),
        (&quits, "60", &["engine `quits` (`sh quits.sh,name=quits`)", "exit status: 7", "no network file"]),
        (
            &mute,
            "0.2",
            &["engine `mute` (`sh mute.sh,name=mute`)", "answering `uci` within 200 ms", "--startup"],
        ),
        (&stuck, "0.2", &["engine `stuck`", "within 200 ms", "--startup"]),
    ];
    for (spec, startup, parts) in table {
        let commands = [
            vec!["match", "--engine", "echo", "--engine", spec, "--nodes", "9", "--openings", "book.epd"],
            vec!["suite", "mates.toml", "--engine", spec, "--out", "new", "--run", "new/run.sqlite"],
            vec!["regress", "--plan", "plan.toml", "--engine", spec, "--out", "new"],
        ];
        for command in commands {
            let before = sandbox.files();
            let output = sandbox.run_words(&[&command[..], &["--startup", startup]].concat());
            assert_eq!((output.code, output.out.as_str()), (Some(3), ""), "{command:?}\n{}", output.err);
            for part in *parts {
                assert!(output.err.contains(part), "{command:?}\nlacks `{part}`:\n{}", output.err);
            }
            let summary = command.contains(&"--out").then(|| sandbox.read("new/summary.md"));
            assert!(summary.is_none_or(|text| text.contains("**Not started: engine ")), "{command:?}");
            // The reports of the failure are all that is written.
            _ = std::fs::remove_dir_all(sandbox.path("new"));
            assert!(before == sandbox.files(), "{command:?} changed {:?}", sandbox.files().keys());
        }
    }
}

/// Echo answers the same over pipes as built in: every column of every case is equal.
#[test]
fn an_engine_in_a_process_gets_the_verdicts_of_the_built_in_one() {
    let sandbox = Sandbox::new();
    let process = format!("{THREEFOLD} uci,Hash=16,Threads=1,name=process");
    let engines = ["--engine", "echo,Hash=16,Threads=1,name=built-in", "--engine", &process];
    let suites =
        ["suite", "rule", "policy", "best-move", "determinism", "explosion", "perft", "--per-class", "1"];
    let output = sandbox.run_words(&[&suites[..], &engines[..], &["--out", "new"]].concat());
    assert_eq!(output.code, Some(0), "{}", output.err);
    let cases = sandbox.read("new/cases.csv");
    let of = |name: &str| -> Vec<String> {
        let name = format!(",{name},");
        let lines = cases.lines().filter(|line| line.contains(&name));
        lines.map(|line| line.replacen(&name, ",,", 1)).collect()
    };
    let built_in = of("built-in");
    assert!(built_in.len() > 20 && built_in.iter().any(|line| line.starts_with("perft,")), "{cases}");
    assert_eq!(built_in, of("process"));
}

/// `threefold uci` lists the options that players set; the experimental ones are listed on request.
#[test]
fn threefold_echo_accepts_experimental_options_once_listed() {
    let sandbox = Sandbox::new();
    let games = ["--nodes", "20", "--games", "2", "--maxmoves", "4", "--openings", "book.epd"];
    let play = |engine: &str| {
        sandbox.run_words(&[&["match", "--engine", "echo", "--engine", engine], &games[..]].concat())
    };
    let hidden = play(&format!("{THREEFOLD} uci,name=T,CycleDetection=true"));
    assert!(hidden.err.contains("add `args=--experimental`"), "{}", hidden.err);
    assert_ne!(hidden.code, Some(0));
    let listed = play(&format!("{THREEFOLD} uci,args=--experimental,name=T,CycleDetection=true"));
    assert_eq!(listed.code, Some(0), "{}", listed.err);
}

#[test]
fn faulty_games_are_lost_and_others_are_played() {
    let sandbox = Sandbox::new();
    let crash = sandbox.engine("crash", "go*) echo out of luck >&2; exit 4;;");
    let cheat = sandbox.engine("cheat", "go*) echo bestmove a1h8;;");
    let talk = sandbox.engine("talk", "go*) echo bestmove Nf3;;");
    let games = "--nodes 40 --games 12 --max-faults 100% --maxmoves 8 --openings book.epd --pgn all.pgn --run run.sqlite";
    let engines = ["echo,name=E", &crash, &cheat, &talk].map(|spec| ["--engine", spec]).concat();
    let output =
        sandbox.run_words(&[&["match"], &engines[..], &games.split(' ').collect::<Vec<_>>()].concat());
    assert_eq!(output.code, Some(0), "{}", output.err);
    let pgn = sandbox.read("all.pgn");
    assert_eq!(pgn.matches("[Event ").count(), 12, "every game is played");
    for (name, what) in [("crash", "out of luck"), ("cheat", "a1h8"), ("talk", "Nf3")] {
        assert!(pgn.contains(what), "{name}: `{what}` is nowhere in\n{pgn}");
        assert!(output.out.contains(name) && output.out.contains(what), "{name}\n{}", output.out);
    }
    // Echo wins both games against each of them.
    let lost = |color: &str, result: &str| {
        let echo = format!("[{color} \"E\"]");
        pgn.split("[Event ").filter(|game| game.contains(&echo)).all(|game| game.contains(result))
    };
    assert!(lost("White", "[Result \"1-0\"]") && lost("Black", "[Result \"0-1\"]"), "{pgn}");
}

#[test]
fn unresponsive_engine_loses_on_time() {
    let sandbox = Sandbox::new();
    let hang = sandbox.engine("hang", "go*) ;;");
    let games = "--games 2 --openings book.epd --pgn all.pgn --run run.sqlite -j 2";
    let specs = ["match", "--engine", "echo,name=E,nodes=40", "--engine", &format!("{hang},st=0.05")];
    let output = sandbox.run_words(&[&specs[..], &games.split(' ').collect::<Vec<_>>()].concat());
    assert_eq!(output.code, Some(3), "{}", output.err);
    let pgn = sandbox.read("all.pgn");
    assert_eq!(pgn.matches("[Event ").count(), 2);
    assert!(pgn.contains("[Result \"1-0\"]") && pgn.contains("[Result \"0-1\"]"), "{pgn}");
}

#[test]
fn faults_in_a_suite_are_verdicts() {
    let sandbox = Sandbox::new();
    let crash = sandbox.engine("crash", "go*) echo out of luck >&2; exit 4;;");
    let cheat = sandbox.engine("cheat", "go*) echo bestmove a1h8;;");
    let hang = sandbox.engine("hang", "go*) ;;");
    for (spec, limit, verdict) in
        [(crash, "--nodes=9", "fault"), (cheat, "--nodes=9", "fault"), (hang, "--movetime=20", "fault")]
    {
        let words = [
            "suite",
            "mates.toml",
            "--engine",
            &spec,
            limit,
            "--json",
            "--run",
            "run.sqlite",
            "-j",
            "5",
            "--max-faults=5",
        ];
        let output = sandbox.run_words(&words);
        std::fs::remove_file(sandbox.path("run.sqlite")).expect("it was written");
        assert_eq!(output.code, Some(0), "nothing is demanded of the suite: {}", output.err);
        assert_eq!(output.out.lines().count(), 5, "{}", output.out);
        for line in output.out.lines() {
            assert!(line.contains(&format!("\"verdict\":\"{verdict}\"")), "{spec}: {line}");
        }
    }
    // A threshold turns them into exit 1.
    sandbox.write("strict.toml", format!("{}[thresholds]\npass = 0.5\n", sandbox.read("mates.toml")));
    let spec = sandbox.engine("crash", "go*) exit 4;;");
    let output = sandbox.run_words(&["suite", "strict.toml", "--engine", &spec, "--max-faults", "100%"]);
    assert_eq!(output.code, Some(1), "{}", output.err);
}
