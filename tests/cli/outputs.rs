//! Output: standard output has the result, standard error has notices, and the help has examples for every
//! command.

use rusqlite::Connection;

use crate::sandbox::{GAMES, Sandbox};

#[test]
fn standard_output_is_for_the_result_and_standard_error_for_quiet_lines() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&format!("{GAMES} --pgn all.pgn --out new --run run.sqlite -j 1"));
    assert_eq!(output.code, Some(0));
    // What depends on the machine: its load, and the first moves.
    let of_machine = ["each game has a CPU of its own: ", "games run on any CPU: ", "preflight: "];
    let (measured, quiet): (Vec<&str>, Vec<&str>) = output
        .err
        .lines()
        .map(str::trim_end)
        .partition(|line| of_machine.iter().any(|start| line.starts_with(start)));
    assert_eq!(measured.len(), 2, "{}", output.err);
    let expected = [
        "journal: run.sqlite",
        // A short run has one line, its last.
        "match                 4/4    W-D-L 1-2-1, done",
        "reports: new/index.html",
        "games: all.pgn",
    ];
    assert_eq!(quiet, expected);
    assert!(output.out.contains('A') && output.out.contains('B'), "{}", output.out);
    assert!(!output.out.contains("journal") && !output.out.contains('\u{1b}'), "{}", output.out);
}

#[test]
fn json_output_is_one_object_per_case() {
    let sandbox = Sandbox::new();
    let output = sandbox
        .run("suite traps.toml mates.toml --engine echo,name=X,Hash=1 --engine echo,name=Y,Hash=1 --json");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let traps =
        sandbox.read("traps.csv").lines().filter(|line| line.contains(',') && !line.starts_with('#')).count();
    let mates = sandbox.read("mates.epd").lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(output.out.lines().count(), 2 * (traps - 1 + mates));
    for line in output.out.lines() {
        let case: serde_json::Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let case = case.as_object().expect("an object");
        for key in ["id", "class", "engine", "played", "verdict", "nodes", "depth", "score", "pv"] {
            assert!(case.contains_key(key), "no {key} in {line}");
        }
    }
}

#[test]
fn missed_threshold_or_rejected_test_is_exit_1() {
    let sandbox = Sandbox::new();
    sandbox.write("strict.toml", format!("{}[thresholds]\npass = 1.0\n", sandbox.read("mates.toml")));
    let output = sandbox.run("suite strict.toml --engine echo,fault=MateSignFlipped");
    assert_eq!(output.code, Some(1), "{}\n{}", output.out, output.err);
    let sprt = "--elo0 -60 --elo1 60 --alpha 0.3 --beta 0.3 --openings builtin:balanced --games 200 --maxmoves 60 \
        --resign movecount=1,score=300";
    for (new, base, code, accepted) in
        [("nodes=1", "nodes=400", 1, "H0 accepted: "), ("nodes=400", "nodes=1", 0, "H1 accepted: ")]
    {
        let output =
            sandbox.run(&format!("sprt --engine echo,{new},Hash=1 --engine echo,{base},Hash=1 {sprt}"));
        assert_eq!(output.code, Some(code), "{}\n{}", output.out, output.err);
        assert!(output.out.contains(accepted), "{}", output.out);
    }
}

#[test]
fn regression_is_exit_1_and_named() {
    let sandbox = Sandbox::new();
    let good = "regress --plan plan.toml --quick --out new --baseline base";
    let output = sandbox.run(&good.replace(" --quick", " --accept"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert_eq!(sandbox.run(good).code, Some(0));
    // The same plan with an engine whose mate scores have the wrong sign.
    let output = sandbox.run(&format!("{good} --engine echo,name=Echo,fault=MateSignFlipped,Hash=1"));
    assert_eq!(output.code, Some(1), "{}", output.out);
    assert!(output.out.contains("mates"), "{}", output.out);
}

/// Changes the order in a journal.
fn alter(sandbox: &Sandbox, file: &str, sql: &str) {
    let db = Connection::open(sandbox.path(file)).expect("a journal");
    let changed = db.execute(&format!("UPDATE run SET ordered = {sql}"), []).expect("sound SQL");
    assert_eq!(changed, 1);
}

#[test]
fn report_is_written_in_the_given_formats() {
    let sandbox = Sandbox::new();
    let made = sandbox.run(&format!("{GAMES} --run made.sqlite --out all"));
    assert_eq!(made.code, Some(0), "{}", made.err);
    let names = |folder: &str| {
        let entries = std::fs::read_dir(sandbox.path(folder)).expect("made");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let output = sandbox.run("report made.sqlite --out some --format junit --format json --format terminal");
    assert_eq!((output.code, output.err.as_str()), (Some(0), ""));
    assert_eq!(names("some"), [".threefold-reports", "junit.xml", "report.json", "summary.txt"]);
    assert_eq!(output.out.lines().count(), 3, "{}", output.out);
    for file in ["junit.xml", "report.json"] {
        assert!(sandbox.read(&format!("some/{file}")) == sandbox.read(&format!("all/{file}")), "{file}");
    }
    assert_eq!(sandbox.read("some/summary.txt"), made.out);
    let output = sandbox.run("report made.sqlite --out none --format junti");
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("a similar value exists: 'junit'"), "{}", output.err);
    assert!(!sandbox.path("none").exists());
}

#[test]
fn unknown_reports_are_refused_with_a_suggestion() {
    let sandbox = Sandbox::new();
    let made = sandbox.run(&format!("{GAMES} --run made.sqlite --out all"));
    assert_eq!(made.code, Some(0), "{}", made.err);
    alter(
        &sandbox,
        "made.sqlite",
        "json_set(ordered, '$.printed', 'cases-by-noon', '$.command', 'lab study tables')",
    );
    for command in ["report made.sqlite --out new", "resume made.sqlite", "resume made.sqlite --out new"] {
        let output = sandbox.run(command);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{command}: {}", output.err);
        let expected = [
            "error: made.sqlite: this program makes no reports called `cases-by-noon`",
            "the nearest that it makes are called `cases`",
            "use the program that started the run (`lab study tables`)",
            "or give a format: `threefold report made.sqlite --format html`",
        ];
        for part in expected {
            assert!(output.err.contains(part), "{command}\nlacks `{part}`:\n{}", output.err);
        }
        assert!(!sandbox.path("new").exists());
    }
    let output = sandbox.run("report made.sqlite --out new --format csv --format pgn");
    assert_eq!(
        (output.code, output.out.as_str()),
        (Some(0), "new/cases.csv\nnew/games.pgn\n"),
        "{}",
        output.err
    );
    assert!(sandbox.read("new/games.pgn") == sandbox.read("all/games.pgn"));
}

#[test]
fn help_shows_each_command_by_example() {
    let sandbox = Sandbox::new();
    let help = sandbox.run("--help");
    assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
    assert!(help.out.contains("Exit codes:\n  0    success"), "{}", help.out);
    let commands = [
        "regress",
        "suite",
        "match",
        "sprt",
        "calibrate",
        "resume",
        "report",
        "positions",
        "positions openings",
        "positions check",
        "uci",
        "bench",
        "perft",
        "completions",
        "man",
    ];
    for command in commands {
        let output = sandbox.run(&format!("{command} --help"));
        assert_eq!((output.code, output.err.as_str()), (Some(0), ""), "{command}");
        let (_, examples) =
            output.out.split_once("Example").unwrap_or_else(|| panic!("{command}:\n{}", output.out));
        assert!(examples.contains(&format!("threefold {command}")), "{command}:\n{}", output.out);
    }
    assert_eq!(sandbox.run("--version").code, Some(0));
}
