//! What `match` and `sprt` print: lines of progress in a pipe, the result as JSON, tables of a tournament;
//! and the report of a run that goes on.

use std::fs;

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::interruption::{begin, gate, signal, wait_for};
use crate::sandbox::{CommandOutput, GAMES, Sandbox, THREEFOLD};

/// Three engines of different strength. With few nodes some moves have no score.
const GAUNTLET: &str = "match --tournament gauntlet --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1,nodes=50 \
                        --engine echo,name=C,Hash=1,nodes=90 --nodes 60 --games 64 --openings builtin:balanced --maxmoves 40 \
                        --ignore-warnings no-score";

const SPRT: &str = "sprt --engine echo,name=A,Hash=1,nodes=200 --engine echo,name=B,Hash=1 --nodes 20 --games 12 \
                    --elo0 0 --elo1 10 --openings book.epd --maxmoves 20 -j 1";

fn run(sandbox: &Sandbox, command: &str) -> CommandOutput {
    let output = sandbox.run(command);
    assert_eq!(output.code, Some(0), "{}", output.err);
    output
}

#[test]
fn test_in_a_pipe_prints_a_line_after_the_given_number_of_games() {
    let sandbox = Sandbox::new();
    let lines = |interval: &str| -> Vec<String> {
        let output = run(&sandbox, &format!("{SPRT} --report-every {interval}"));
        output.err.lines().filter(|line| line.starts_with("sprt ")).map(str::to_owned).collect()
    };
    let every_four = lines("4");
    assert_eq!(every_four.len(), 3, "{every_four:#?}");
    for (line, counts) in every_four.iter().zip(["4/12", "8/12", "12/12"]) {
        assert!(line.contains(&format!(" {counts} ")) && line.contains("W-D-L "), "{line}");
        assert!(line.contains("LLR ") && line.contains(" %)"), "{line}");
    }
    assert!(every_four[2].ends_with("undecided"), "{}", every_four[2]);
    // The run takes far less than ten minutes: its end is the only line.
    assert_eq!(lines("10m").len(), 1);
    let output = sandbox.run(&format!("{SPRT} --report-every never"));
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("write a time such as 60s or 5m, or a number of games"), "{}", output.err);
}

#[test]
fn quiet_run_prints_its_result_only() {
    let sandbox = Sandbox::new();
    let output = run(&sandbox, &format!("{GAMES} --quiet --pgn all.pgn --out new"));
    assert_eq!(output.err, "");
    assert!(output.out.contains("A minus B"), "{}", output.out);
    assert!(sandbox.path("new/index.html").exists() && sandbox.path("all.pgn").exists());
}

#[test]
fn json_is_one_line_with_the_figures_of_report_json() {
    let sandbox = Sandbox::new();
    for (command, kind) in [(GAMES, "fixed_n"), (SPRT, "llr"), (GAUNTLET, "ratings")] {
        let output = run(&sandbox, &format!("{command} --json --force --out new"));
        assert_eq!(output.out.lines().count(), 1, "{}", output.out);
        let printed: Value = serde_json::from_str(&output.out).expect("JSON");
        let written: Value = serde_json::from_str(&sandbox.read("new/report.json")).expect("JSON");
        assert_eq!(printed, written);
        assert!(printed["matches"][0]["result"].get(kind).is_some(), "{command}: {}", output.out);
        assert!(output.err.contains("journal: "), "progress stays on standard error:\n{}", output.err);
    }
}

#[test]
fn gauntlet_ends_with_ratings_and_a_row_for_each_opponent() {
    let sandbox = Sandbox::new();
    let output = run(&sandbox, &format!("{GAUNTLET} --out new"));
    let figures: Value = serde_json::from_str(&sandbox.read("new/report.json")).expect("JSON");
    let result = &figures["matches"][0]["result"];
    let names = |list: &str, key: &str| -> Vec<String> {
        let rows = result[list].as_array().expect("a list");
        rows.iter().map(|row| row[key].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names("pairings", "b"), ["B", "C"]);
    assert_eq!(names("ratings", "name").len(), 3);
    // The headline is a sentence; the terminal wraps it.
    assert!(output.out.lines().skip(2).all(|line| line.chars().count() <= 80), "{}", output.out);
    let header = |words: &[&str]| output.out.lines().any(|line| words.iter().all(|word| line.contains(word)));
    assert!(header(&["engine", "opponent", "W-D-L", "Elo (logistic, 95 %)"]), "{}", output.out);
    assert!(
        header(&["engine", "Elo (logistic, 95 %)", "points", "games", "score", "W-D-L"]),
        "{}",
        output.out
    );
    assert!(output.out.contains("Elo relative to the average of the engines"), "{}", output.out);
    let ratings = result["ratings"].as_array().expect("a list");
    let sum: f64 = ratings.iter().map(|it| it["logistic_elo"].as_f64().expect("a number")).sum();
    assert!(sum.abs() < 1e-6, "the average is 0: {result}");
}

#[test]
fn report_reads_a_run_that_goes_on() {
    let sandbox = Sandbox::new();
    sandbox.write("at", "ucinewgame*");
    sandbox.write("patience", "4");
    let gate = sandbox.script("gate", &gate());
    let words = "match --engine GATE --engine echo,name=B,Hash=1 --each Hash=1 --nodes 40 --games 10 --maxmoves 6 \
         --openings book.epd --run run.sqlite -j 1";
    let words: Vec<String> =
        words.split(' ').map(|word| if word == "GATE" { gate.clone() } else { word.to_owned() }).collect();
    let child = begin(&sandbox, &words);
    wait_for(&sandbox.path("silent"));
    let report = || run(&sandbox, "report run.sqlite --out new");
    let output = report();
    assert_eq!(output.err, "run.sqlite: the run goes on: 4 of 10 games\n");
    assert!(sandbox.read("new/report.json").contains("\"games\": 4"));
    let page = sandbox.read("new/index.html");
    assert!(
        page.contains("<div class=\"verdict running\"><strong>The run goes on: 4 of 10 games.</strong>"),
        "{page}"
    );
    assert!(!page.contains("interrupted"), "{page}");
    signal(&child, Signal::SIGTERM);
    child.wait_with_output().expect("it ends");
    let output = report();
    assert_eq!(
        output.err,
        "run.sqlite: the run was interrupted after 4 of 10 games; continue it with `threefold resume run.sqlite`\n"
    );
    let page = sandbox.read("new/index.html");
    assert!(
        page.contains("the run was interrupted after 4 of 10 games") && !page.contains("goes on"),
        "{page}"
    );
    fs::remove_file(sandbox.path("patience")).expect("it was written");
    assert_eq!(sandbox.run("resume run.sqlite").code, Some(0));
    assert_eq!(report().err, "");
}

#[test]
fn wait_separates_games() {
    let sandbox = Sandbox::new();
    let engine = |name| format!("--engine {THREEFOLD},args=uci,nodes=1,name={name}");
    let (a, b) = (engine("A"), engine("B"));
    let line = format!(
        "match {a} {b} --tc 10+0.1 --games 2 -j 1 --maxmoves 1 --wait 1500 --openings book.epd --pgn g.pgn --machine-check 0"
    );
    let output = sandbox.run(&line);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let games = sandbox.read("g.pgn");
    let times = |tag: &str| -> Vec<String> {
        games.lines().filter(|line| line.starts_with(tag)).map(str::to_owned).collect()
    };
    // Whole seconds, and the games themselves take no time.
    let (starts, ends) = (times("[GameStartTime"), times("[GameEndTime"));
    let second = |line: &str| -> u32 { line[line.len() - 10..line.len() - 8].parse().expect("seconds") };
    let waited = (60 + second(&starts[1]) - second(&ends[0])) % 60;
    assert!((1..30).contains(&waited), "{starts:?} {ends:?}");
}

#[test]
fn markdown_result_has_the_lines_of_openbench() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(
        "match --markdown --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1,nodes=30 --nodes 60 --games 4 \
         --maxmoves 10 --openings book.epd",
    );
    assert_eq!(output.code, Some(0), "{}", output.err);
    let lines: Vec<&str> = output.out.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[5]), (6, "```", "```"), "{}", output.out);
    assert!(lines[1].starts_with("Elo   | "), "{}", output.out);
    assert_eq!(lines[2], "Conf  | N=60 Threads=1 Hash=1MB");
    assert!(lines[3].starts_with("Games | N: 4 W: ") && lines[4].starts_with("Penta | ["), "{}", output.out);
}
