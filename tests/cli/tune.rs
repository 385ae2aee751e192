//! `tune`: the same values with any number of games at a time and after a kill, a test of the result, one process for
//! all values, and engines that don't fit.

use std::io::Write as _;

use serde_json::Value;

use crate::sandbox::{CommandOutput, Sandbox};
use crate::tournament::killed_and_resumed;

/// Echo below full strength: a larger value is stronger, and the other parameter has no effect.
const PARAMETERS: &str = "# name, type, value, min, max, c_end, r_end\nUCI_Elo, int, 1200, 800, 2400, 150, 0.05\n\nContempt, int, 0, -100, 100, 20, 0.02\n";

const TUNE: &str = "tune --engine echo,name=Echo,Hash=1,UCI_LimitStrength=true,StrengthSeed=5 --parameters params.csv --games 96 \
                    --pairs-per 2 --ahead 6 --nodes 60 --maxmoves 40 --test-games 80 --pgn all.pgn --out new --run run.sqlite \
                    --events events.jsonl";

const FILES: [&str; 4] = ["all.pgn", "new/report.json", "new/games.pgn", "new/summary.md"];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("params.csv", PARAMETERS);
    sandbox
}

fn done(sandbox: &Sandbox, command: &str, code: i32) -> CommandOutput {
    let output = sandbox.run(command);
    assert_eq!(output.code, Some(code), "{command}\n{}\n{}", output.out, output.err);
    output
}

#[test]
fn tune_tests_its_result_and_does_not_depend_on_the_number_of_jobs() {
    let sandbox = sandbox();
    let output = done(&sandbox, &format!("{TUNE} -j 1 --report-every 20"), 0);
    for text in [
        "Tune of Echo: Tuned values are stronger: Elo +",
        "Tuned: 2 parameters in 24 iterations and 96 games.",
        "setoption name UCI_Elo value 1",
        "no measurable effect",
    ] {
        assert!(output.out.contains(text), "{text}: {}", output.out);
    }
    for text in [
        "begins with 1200, and the default of the engine is 1500",
        "iteration 6 of 24, UCI_Elo",
        "tune                 96/96   iteration 24 of 24, UCI_Elo ↑ 1",
    ] {
        assert!(output.err.contains(text), "{text}: {}", output.err);
    }
    let report: Value = serde_json::from_str(&sandbox.read("new/report.json")).expect("JSON");
    let tune = &report["matches"][0]["result"];
    assert_eq!((&tune["iterations"], &tune["void_pairs"]), (&24.into(), &0.into()));
    let tuned = tune["parameters"][0]["tuned"].as_f64().expect("a number");
    assert!(tuned > 1250.0, "{tune}");
    // The test goes on in the book, with the tuned values and those of the start.
    let engines = report["engines"].to_string();
    for spec in [&format!("name=Echo tuned,UCI_Elo={tuned}"), "name=Echo start,UCI_Elo=1200,Contempt=0"] {
        assert!(engines.contains(spec), "{spec}: {engines}");
    }
    let events = sandbox.read("events.jsonl");
    assert_eq!(events.matches("\"tune_updated\"").count(), 24, "{events}");
    let page = sandbox.read("new/index.html");
    for text in
        ["The values to paste", "The value of UCI_Elo over the iterations", "constexpr int UCI_Elo = 1"]
    {
        assert!(page.contains(text), "{text}");
    }
    assert_eq!(done(&sandbox, "resume run.sqlite", 0).out, output.out);
    done(&sandbox, "report run.sqlite --format terminal --out again", 0);
    assert_eq!(sandbox.read("again/summary.txt"), output.out);
    // A game is played again with the values that it had.
    let bundle = ["bundle", "run.sqlite", "tune/game 96", "--out", "game"];
    let bundled = sandbox.run_words(&bundle);
    assert_eq!(bundled.code, Some(0), "{}", bundled.err);
    assert!(sandbox.read("game/reproduce.sh").contains("name=Echo plus,UCI_Elo=1"));
    let longer = done(&sandbox, "resume run.sqlite --games 500", 2);
    assert!(longer.err.contains("is a tune, whose gains depend on its length"), "{}", longer.err);

    let other = self::sandbox();
    assert_eq!(done(&other, &format!("{TUNE} -j 3 --report-every 20"), 0).out, output.out);
    for file in FILES {
        let text = |sandbox: &Sandbox| sandbox.read(file).replace("-j 3", "-j 1");
        assert_eq!(text(&other), text(&sandbox), "{file}");
    }
    let seeded = self::sandbox();
    let untested = TUNE.replace("--test-games 80", "--no-test");
    done(&seeded, &format!("{untested} -j 2 --seed 2"), 0);
    assert!(seeded.read("new/badge.svg").contains("not tested"), "no value is green without a test");
    assert_ne!(seeded.read("all.pgn"), sandbox.read("all.pgn"), "another seed has other flips");
    let json = done(&self::sandbox(), &format!("{untested} -j 2 --json -q"), 0);
    let report: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(report["matches"][0]["result"]["parameters"][0]["tuned"].as_f64(), Some(tuned));
    let headline = report["headline"].as_str().unwrap_or_default();
    assert!(headline.contains("is not tested (--no-test)"), "{report}");
}

#[test]
fn killed_tunes_go_on_to_the_same_values() {
    let mut parameters = tempfile::NamedTempFile::new().expect("a temporary file");
    parameters.write_all(PARAMETERS.as_bytes()).expect("room on the disk");
    let command = TUNE.replace("params.csv", &parameters.path().display().to_string());
    // In the tune, at the end of the tune, and in its test.
    killed_and_resumed(&command, &[5, 95, 110]);
}

/// A mock engine with two options. White mates in one move in some openings: in more of them the nearer the first option
/// is to 60. The number of the opening's move decides, so both sides of a pair have the same luck.
#[cfg(unix)]
const MOCK: &str = "echo started >>started; margin=40; number=1\nwhile read -r line; do case \"$line\" in\n\
     uci) echo 'option name Margin type spin default 40 min 0 max 100'; echo 'option name Unused type string default 1.5'; echo uciok;;\n\
     'setoption name Margin value '*) margin=${line##* }; echo \"$line\" >>said;;\n\
     position*) number=${line##* };;\n\
     go*) luck=$((number * 7919 % 1000)); need=$(((margin - 60) * (margin - 60)))\n\
     if [ $luck -ge $need ]; then echo 'info depth 1 score mate 1 pv g2h2'; echo bestmove g2h2; \
     else echo 'info depth 1 score cp 0 pv g2g7'; echo bestmove g2g7; fi;;\n\
     isready) echo readyok;;\nquit) exit;;\nesac; done\n";

#[cfg(unix)]
#[test]
fn one_process_of_each_side_plays_all_values() {
    let sandbox = Sandbox::new();
    let engine = sandbox.script("mock", MOCK);
    let openings: Vec<String> =
        (1..=400).map(|number| format!("7k/5K2/8/8/8/8/6R1/8 w - - 0 {number}\n")).collect();
    sandbox.write("mate.fens", openings.concat());
    sandbox
        .write("params.csv", "Margin, int, 40, 0, 100, 5, 0.08\nUnused, float, 1.5, 1.0, 2.0, 0.1, 0.01\n");
    let tune = |more: &str| {
        let command = format!(
            "tune --engine SPEC --parameters params.csv --games 400 --pairs-per 4 --depth 1 --openings mate.fens --order sequential \
             --no-test -q --run {more}"
        );
        let words: Vec<&str> = command
            .split_whitespace()
            .map(|word| if word == "SPEC" { engine.as_str() } else { word })
            .collect();
        let output = sandbox.run_words(&words);
        assert_eq!(output.code, Some(0), "{}\n{}", output.out, output.err);
        output.out
    };
    let alone = tune("one.sqlite -j 1");
    // One process lists the options for the check, and one plays each side.
    assert_eq!(sandbox.read("started").lines().count(), 3);
    let said = sandbox.read("said");
    let values: std::collections::BTreeSet<&str> = said.lines().collect();
    assert!(values.len() > 10, "the values of {} lines: {values:?}", said.lines().count());
    let tuned = alone.lines().find_map(|line| line.strip_prefix("setoption name Margin value "));
    let tuned: f64 = tuned.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{alone}"));
    assert!((tuned - 60.0).abs() < (40.0_f64 - 60.0).abs() / 2.0, "{alone}");
    assert_eq!(tune("two.sqlite -j 2"), alone);
}

#[cfg(unix)]
#[test]
fn parameters_that_do_not_fit_the_engine_are_refused() {
    let sandbox = Sandbox::new();
    let engine = sandbox.script("mock", MOCK);
    let refused = |parameters: &str, more: &str, message: &str| {
        sandbox.write("p.csv", parameters);
        let files = sandbox.files().len();
        let command = format!("tune --engine SPEC --parameters p.csv --games 400 --depth 1 {more}");
        let words: Vec<&str> = command
            .split_whitespace()
            .map(|word| if word == "SPEC" { engine.as_str() } else { word })
            .collect();
        let output = sandbox.run_words(&words);
        assert_eq!(output.code, Some(2), "{parameters}\n{}\n{}", output.out, output.err);
        assert!(output.err.contains(message), "{parameters}\nlacks `{message}`:\n{}", output.err);
        assert!(sandbox.files().len() <= files + 1, "only the mock engine writes a file");
    };
    let margin = "Margin, int, 40, 0, 100, 5, 0.002\n";
    let table = [
        (
            "Margn, int, 40, 0, 100, 5, 0.002",
            "",
            "p.csv:1: the engine has no option `Margn`; did you mean `Margin`?",
        ),
        ("\nUnused, int, 1, 0, 2, 1, 0.002", "", "p.csv:2: option `Unused` of the engine is a string"),
        (
            "Margin, float, 40, 0, 100, 5, 0.002",
            "",
            "is a spin of whole numbers; a parameter of type float needs a string",
        ),
        (
            "Margin, int, 40, 0, 101, 5, 0.002",
            "",
            "0 to 101 of `Margin` are wider than those of the engine, 0 to 100",
        ),
        (
            margin,
            "--each Margin=50",
            "p.csv:1: `Margin` is set for the engine, too; leave it out of --engine and --each",
        ),
        (margin, "--games-per-round 1", "--games-per-round: a tune plays pairs of games"),
        (margin, "--no-test --test-games 10", "cannot be used with"),
        (margin, "--test-elo1 0", "--test-elo1"),
        (
            margin,
            "--test-games 100 --test-elo1 1",
            "give more --test-games, or --no-test: 100 games are too few",
        ),
        (margin, "--test-games 4", "give more --test-games, or --no-test: 4 games are too few"),
        (margin, "--test-rule t", "use one of deadline, sprt"),
        (margin, "--ahead 0", "give a whole number from 1"),
    ];
    for (parameters, more, message) in table {
        refused(parameters, more, message);
    }
    let no_limit = sandbox.run("tune --engine echo --parameters p.csv --games 400");
    assert!(no_limit.code == Some(2), "{}", no_limit.err);
    let no_engine = sandbox.run("tune --parameters p.csv --games 400 --nodes 9");
    assert!(no_engine.err.contains("--engine: name the engine that is tuned"), "{}", no_engine.err);
}

#[test]
fn engine_faults_stop_a_tune() {
    let sandbox = sandbox();
    let faulty = TUNE.replace("StrengthSeed=5", "StrengthSeed=5,fault=IllegalMovePlayed");
    let output = done(&sandbox, &format!("{faulty} -j 2 --max-faults 3 --force"), 3);
    for text in ["Stopped by engine faults", "of tune (--max-faults)"] {
        assert!(output.out.contains(text), "{text}: {}", output.out);
    }
}
