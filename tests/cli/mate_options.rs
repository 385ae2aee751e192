//! Options of `suite` for mate suites: clocks, values of positions after one move, settings, and files of
//! positions.

use crate::sandbox::{CommandOutput, Sandbox};

/// Two mates in two and a mated side; the comment and the spaces belong to the user's file.
const MATES: &str = "# two\nk7/8/1K6/8/8/8/8/1R6 w - - bm #2;  id \"b\";\n\
    k7/8/1K6/8/8/8/8/7R b - - bm #-1; id \"m\";\n\
    k7/8/1K6/8/8/8/8/2R5 w - - bm #2; id \"c\"; c0 \"not mine\";\n";

/// Shows the mate from b1 and the second one, and writes what it is asked. Its second line is wrong.
const ARMS: &str = "position*) p=$line;;\n\
    go*) echo \"$line\" >> asked.txt\n\
    case \"$p\" in\n\
    *1R6*) echo info depth 3 multipv 1 score mate 2 pv b1h1 a8b8 h1h8\n\
    echo info depth 3 multipv 2 score mate -7 pv b1c1; echo bestmove b1h1;;\n\
    *7R*) echo info depth 2 score mate -1 pv a8b8 h1h8; echo bestmove a8b8;;\n\
    *) echo info depth 1 score cp 500 pv c1h1; echo bestmove c1h1;;\n\
    esac;;";

fn sandbox() -> (Sandbox, String) {
    let sandbox = Sandbox::empty();
    sandbox.write("m.epd", MATES);
    let engine = sandbox.engine("solver", ARMS);
    (sandbox, engine)
}

fn suite(sandbox: &Sandbox, engine: &str, more: &str) -> CommandOutput {
    let words = "suite --positions m.epd --kind mate -j 1 --engine".split(' ').chain([engine]);
    sandbox.run_words(&words.chain(more.split(' ')).collect::<Vec<_>>())
}

#[test]
fn clock_of_a_suite_reaches_the_engine() {
    let (sandbox, engine) = sandbox();
    let output = suite(&sandbox, &engine, "--tc 3+0.01 --run run.sqlite");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let asked = sandbox.read("asked.txt");
    assert_eq!(asked, "go wtime 3000 btime 3000 winc 10 binc 10\n".repeat(3));
    assert!(output.out.contains("clock 3+0.01"), "{}", output.out);
    let explained = sandbox.run("explain run.sqlite b");
    assert!(explained.out.contains("--tc 3+0.01"), "{}", explained.out);
    let explained = sandbox.run("explain run.sqlite b --json");
    assert!(explained.out.contains("\"tc\": \"3+0.01\""), "{}", explained.out);
    let suite =
        "version = 1\nkind = \"mate\"\ntitle = \"t\"\npositions = [\"m.epd\"]\n[limits]\ntc = \"20/60\"\n";
    sandbox.write("m.toml", suite);
    let output = sandbox.run_words(&["suite", "m.toml", "--engine", &engine]);
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(sandbox.read("asked.txt").contains("go wtime 60000 btime 60000 winc 0 binc 0 movestogo 20\n"));
}

#[test]
fn clock_is_refused_where_it_means_nothing() {
    let (sandbox, engine) = sandbox();
    for (words, message) in [
        ("suite determinism --tc 3", "kind `determinism` takes no clock (`tc`); these do: repetition, "),
        ("suite conversion --tc 3", "kind `conversion` takes no clock (`tc`)"),
        ("suite mate --tc 3 --movetime 9", "'--tc <TC>' cannot be used with '--movetime <MS>'"),
        ("suite mate --tc 0+1", "give one, such as `3+0.01`"),
    ] {
        let words: Vec<&str> = words.split(' ').chain(["--engine", &engine]).collect();
        let output = sandbox.run_words(&words);
        assert_eq!(output.code, Some(2), "{words:?} {}", output.err);
        assert!(output.err.contains(message), "{}", output.err);
    }
}

#[test]
fn late_answer_on_the_clock_fails_the_case() {
    let (sandbox, _) = sandbox();
    let slow = sandbox.engine(
        "slow",
        "go*) sleep 0.7; echo info depth 3 score mate 2 pv b1h1 a8b8 h1h8; echo bestmove b1h1;;",
    );
    sandbox.write("m.epd", MATES.lines().nth(1).expect("a line"));
    for (clock, passed) in [("0.1", false), ("100", true)] {
        let output = suite(&sandbox, &slow, &format!("--tc {clock} --json"));
        assert_eq!(output.out.contains("\"verdict\":\"passed\""), passed, "{clock}: {}", output.out);
    }
}

#[test]
fn found_and_missed_mates_are_written() {
    let (sandbox, engine) = sandbox();
    let files = "--depth 3 --found-mates found.epd --missed-mates missed.epd --run run.sqlite";
    let output = suite(&sandbox, &engine, files);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let lines: Vec<&str> = MATES.lines().collect();
    assert_eq!(sandbox.read("found.epd"), format!("{}\n{}\n", lines[1], lines[2]));
    assert_eq!(sandbox.read("missed.epd"), format!("{}\n", lines[3]));
    // The missed ones are a suite of their own.
    let output = sandbox.run_words(&[
        "suite",
        "--positions",
        "missed.epd",
        "--kind",
        "mate",
        "--depth",
        "3",
        "--engine",
        &engine,
    ]);
    assert!(output.out.contains("found mates: 0"), "{}", output.out);
}

#[test]
fn files_of_mates_are_of_one_run() {
    let (sandbox, engine) = sandbox();
    sandbox.write("there", "my own\n");
    sandbox.write("t.epd", "k7/8/1K6/8/8/8/8/1R6 w - - bm Rh1; id \"t\";\n");
    let one = "are for one suite of kind `mate` with one engine and one node limit";
    for (more, message) in [
        ("--depth 3 --found-mates there", "there: exists already; give --force to replace it"),
        ("--nodes 5,9 --found-mates f", one),
        ("--depth 3 --engine echo --missed-mates f", one),
        ("--depth 3 --found-mates f --missed-mates f", "name the same file"),
    ] {
        let output = suite(&sandbox, &engine, more);
        assert_eq!(output.code, Some(2), "{more}: {}", output.err);
        assert!(output.err.contains(message), "{more}: {}", output.err);
    }
    let words = "suite --positions t.epd --kind best-move --depth 3 --found-mates f --engine";
    let output = sandbox.run_words(&words.split(' ').chain([engine.as_str()]).collect::<Vec<_>>());
    assert!(output.err.contains(one), "{}", output.err);
    assert_eq!(sandbox.read("there"), "my own\n");
    assert!(!sandbox.path("f").exists() && !sandbox.path("asked.txt").exists());
}

#[test]
fn child_values_check_the_other_lines() {
    let (sandbox, engine) = sandbox();
    let later = "MultiPV wrong mates: 1";
    assert!(!suite(&sandbox, &engine, "--depth 3").out.contains(later));
    // After b1c1 Black is mated, so the second line has the wrong sign.
    sandbox.write("children.epd", "k7/8/1K6/8/8/8/8/2R5 b - - bm #-2;\n");
    let output = suite(&sandbox, &engine, "--depth 3 --child-values children.epd --run run.sqlite");
    assert!(output.out.contains(later), "{}{}", output.out, output.err);
    let explained = sandbox.run("explain run.sqlite b");
    assert!(explained.out.contains("--child-values children.epd"), "{}", explained.out);
    let other =
        "suite --positions m.epd --kind best-move --depth 3 --child-values children.epd --engine echo";
    let output = sandbox.run(other);
    assert!(output.err.contains("--child-values is for suites of kind `mate`"), "{}", output.err);
}

#[test]
fn settings_can_be_given_on_the_command_line() {
    let (sandbox, engine) = sandbox();
    for (settings, cases) in [
        ("--setting longest_distance=1", 1),
        ("--setting shortest_distance=2", 2),
        ("--setting longest_distance=2 --setting valid_mates=[-9,9]", 3),
    ] {
        let output = suite(&sandbox, &engine, &format!("--depth 3 --json {settings}"));
        assert_eq!(output.out.lines().count(), cases, "{settings}: {}{}", output.out, output.err);
    }
    let suite_file = "version = 1\nkind = \"mate\"\ntitle = \"t\"\npositions = [\"m.epd\"]\n[limits]\ndepth = 3\n\
                      [settings]\nlongest = 2\n";
    sandbox.write("m.toml", suite_file);
    for (setting, message) in [
        ("longest=1", "--setting longest: m.toml sets it already; change it there"),
        ("longset=1", "unknown field `longset`, expected one of `mate`, `longest`, "),
        ("longest", "--setting `longest` can't be read; give KEY=VALUE"),
        ("child_values=['x']", "use --child-values FILE"),
    ] {
        let output = sandbox.run_words(&["suite", "m.toml", "--engine", &engine, "--setting", setting]);
        assert_eq!(output.code, Some(2), "{setting}: {}", output.err);
        assert!(output.err.contains(message), "{setting}: {}", output.err);
    }
    sandbox.write("m.toml", suite_file.replace("longest = 2", "child_values = [\"m.epd\"]"));
    let output = sandbox.run_words(&["suite", "m.toml", "--engine", &engine, "--child-values", "m.epd"]);
    assert!(output.err.contains("--child-values: m.toml sets it already; "), "{}", output.err);
}
