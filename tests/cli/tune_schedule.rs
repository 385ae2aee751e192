//! `tune --schedule` and `tune --from-engine`: the schedule of OpenBench, one JSON object a line, and a first
//! file from an engine's options. Nothing is played or written.

use serde_json::Value;

use crate::sandbox::Sandbox;

const PARAMETERS: &str =
    "P0, int, 64, -30, 223, 12.65, 0.0015\n# a comment\n\nP3, float, 1.834, 0.1, 4.0, 0.195, 0.002\n";

const SCHEDULE: &str =
    "tune --schedule --parameters p.csv --iterations 200 --pairs-per 4 --alpha 1 --gamma 0.16666";

#[test]
fn schedule_is_one_object_a_line_in_full_precision() {
    let sandbox = Sandbox::empty();
    sandbox.write("p.csv", PARAMETERS);
    let output = sandbox.run(&format!("{SCHEDULE} --at 0,8,136"));
    assert_eq!((output.code, output.err.as_str()), (Some(0), ""));
    let lines: Vec<Value> =
        output.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let places: Vec<String> =
        lines.iter().map(|line| format!("{} {}", line["games"], line["name"])).collect();
    assert_eq!(places, ["0 \"P0\"", "0 \"P3\"", "8 \"P0\"", "8 \"P3\"", "136 \"P0\"", "136 \"P3\""]);
    // Values of OpenBench (tests/golden/spsa.json).
    for (line, key, expected) in [
        (0, "a", 52.807_425),
        (0, "c0", 30.590_049_840_927_563),
        (3, "c", 0.420_101_866_754_284_07),
        (3, "r", 0.004_309_133_962_544_059),
        (4, "c", 18.896_286_670_677_874),
        (4, "r", 0.003_891_871_177_455_644_7),
    ] {
        let found = lines[line][key].as_f64().expect("a number");
        assert!((found - expected).abs() <= 1e-12 * expected, "{line} {key}: {found} {expected}");
    }
    assert!(lines.iter().all(|line| line.as_object().is_some_and(|line| line.len() == 6)), "{}", output.out);
    // By games: 1,607 games suffice for 200 iterations of 8. The first and the last are the default.
    let by_games = sandbox.run(&SCHEDULE.replace("--iterations 200", "--games 1607"));
    assert!(by_games.out.starts_with(&format!("{}\n", output.out.lines().next().expect("a line"))));
    assert!(by_games.out.lines().nth(2).is_some_and(|line| line.starts_with("{\"games\":1592,")));
    assert_eq!(sandbox.files().len(), 1);
}

#[test]
fn first_file_from_an_engine_is_read_again() {
    let sandbox = Sandbox::empty();
    let output = sandbox.run("tune --engine echo --from-engine");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(output.out.starts_with("# name, type, value, min, max, c_end, r_end\n"), "{}", output.out);
    assert!(output.err.contains("left out, since they are no constants of the search"), "{}", output.err);
    assert!(output.err.contains(": Hash, MultiPV, Threads, "), "{}", output.err);
    sandbox.write("p.csv", &output.out);
    let again = sandbox.run("tune --schedule --parameters p.csv --iterations 9");
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert_eq!(again.out.lines().count(), 2 * (output.out.lines().count() - 1));
}

#[test]
fn engine_that_does_not_start_in_time_has_no_first_file() {
    let sandbox = Sandbox::empty();
    let late = sandbox
        .script("late", "sleep 2\necho option name P type spin default 5 min 1 max 9\necho uciok\ncat\n");
    for (engine, message) in [("./gone", "gone"), (late.as_str(), "within 200 ms")] {
        let output = sandbox.run_words(&["tune", "--engine", engine, "--from-engine", "--startup", "0.2"]);
        assert_eq!((output.code, output.out.as_str()), (Some(3), ""), "{}", output.err);
        assert!(output.err.contains(message), "{}", output.err);
    }
}

#[test]
fn invalid_schedules_are_refused() {
    let sandbox = Sandbox::empty();
    sandbox.write("p.csv", PARAMETERS);
    for (file, text) in [
        ("none.csv", "# nothing\n"),
        ("zero.csv", "P, int, 5, 0, 10, 0, 0.002"),
        ("twice.csv", "P, int, 5, 0, 10, 1, 0.002\n\np, int, 5, 0, 10, 1, 0.002"),
        ("bounds.csv", "P, int, 5, 10, 0, 1, 0.002"),
        ("missing.csv", "P, int, 5, 0, 10, 1"),
        (
            "type.toml",
            "[[parameter]]\nname = \"P\"\ntype = \"real\"\nvalue = 1\nmin = 0\nmax = 2\nc_end = 1\nr_end = 1\n",
        ),
    ] {
        sandbox.write(file, text);
    }
    let at = |file: &str| format!("tune --schedule --parameters {file} --iterations 9");
    for (command, message) in [
        (at("none.csv"), "none.csv: there is no parameter; give at least one"),
        (at("zero.csv"), "zero.csv:1: c_end of `P` is 0; give a number above 0"),
        (at("twice.csv"), "twice.csv:3: `p` is there twice; remove one of them"),
        (at("bounds.csv"), "bounds.csv:1: min 10 of `P` is not below max 0"),
        (at("missing.csv"), "missing.csv:1: 6 columns, `r_end` is missing; write `NAME, int|float"),
        (at("type.toml"), "type.toml:3: type `real` is not known; use int or float"),
        (at("gone.csv"), "gone.csv: can't be read; check the path"),
        (at("p.csv").replace('9', "0"), "give a whole number from 1"),
        (
            at("p.csv").replace("--iterations 9", "--games 15"),
            "a tune has at least one iteration; give more games",
        ),
        (at("p.csv").replace("--iterations 9", ""), "give --games N or --iterations N"),
        (at("p.csv") + " --pairs-per 0", "give a whole number from 1"),
        (at("p.csv") + " --alpha nan", "alpha is NaN; give a number from 0, such as 0.602"),
        (at("p.csv") + " --gamma -1", "gamma is -1"),
        (at("p.csv") + " --at 1,x", "invalid value 'x'"),
        ("tune --schedule --iterations 9".to_owned(), "--parameters <FILE>"),
        ("tune --from-engine".to_owned(), "--engine <SPEC>"),
    ] {
        let output = sandbox.run(&command);
        let found = (output.code, output.out.as_str());
        assert_eq!(found, (Some(2), ""), "{command}: {}", output.err);
        assert!(output.err.contains(message), "{command}\nlacks `{message}`:\n{}", output.err);
    }
}
