//! `match --tournament knockout`: the bracket in all outputs, the same with any number of jobs and after a
//! kill.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use crate::interruption::begin;
use crate::sandbox::{CommandOutput, DEADLINE, Sandbox};

/// Five engines, the strongest last. Four games in an encounter.
const KNOCKOUT: &str = "match --tournament knockout --engine echo,name=A,nodes=60 --engine echo,name=B,nodes=40 \
                        --engine echo,name=C,nodes=80 --engine echo,name=D,nodes=20 --engine echo,name=E,nodes=2000 \
                        --each Hash=1 --maxmoves 60 --games 4 --openings book.epd --pgn all.pgn --out new \
                        --run run.sqlite --events events.jsonl";

const FILES: [&str; 4] = ["all.pgn", "new/report.json", "new/games.pgn", "new/summary.md"];

fn done(sandbox: &Sandbox, command: &str) -> CommandOutput {
    let output = sandbox.run(command);
    assert_eq!(output.code, Some(0), "{command}\n{}", output.err);
    output
}

#[test]
fn knockout_shows_its_bracket_and_does_not_depend_on_the_number_of_jobs() {
    let sandbox = Sandbox::new();
    let output = done(&sandbox, &format!("{KNOCKOUT} -j 1"));
    assert!(output.out.contains("E wins the knockout tournament of 5 engines."), "{}", output.out);
    for row in [" quarter-final   A (1)         bye ", " quarter-final   D (4)         E (5)", " final "] {
        assert!(output.out.contains(row), "{row}: {}", output.out);
    }
    assert!(output.err.contains("4 encounters of 4 games or more"), "{}", output.err);
    let lines: Vec<&str> = output.err.lines().filter(|line| line.starts_with("round ")).collect();
    assert_eq!(lines.len(), 4, "a line for each encounter: {}", output.err);
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("new/report.json")).expect("JSON");
    assert_eq!(report["knockout"]["winner"], "E");
    assert_eq!(report["knockout"]["rounds"].as_array().map(Vec::len), Some(3));
    assert_eq!(report["matches"].as_array().map(Vec::len), Some(4));
    let page = sandbox.read("new/index.html");
    assert!(page.contains("id=\"bracket\"") && page.contains("semi-final"));
    let events = sandbox.read("events.jsonl");
    assert_eq!(events.matches("\"run_started\"").count(), 3, "one for each round");
    assert_eq!(events.matches("\"run_finished\"").count(), 1);
    assert_eq!(done(&sandbox, "resume run.sqlite").out, output.out);
    done(&sandbox, "report run.sqlite --format terminal --out again");
    assert_eq!(sandbox.read("again/summary.txt"), output.out);

    let other = Sandbox::new();
    assert_eq!(done(&other, &format!("{KNOCKOUT} -j 3")).out, output.out);
    for file in FILES {
        let text = |sandbox: &Sandbox| sandbox.read(file).replace("-j 3", "-j 1");
        assert_eq!(text(&other), text(&sandbox), "{file}");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test that waits for a process gives up some time")]
fn killed_knockout_goes_on_to_the_same_result() {
    let whole = Sandbox::new();
    let expected = done(&whole, &format!("{KNOCKOUT} -j 2"));
    for games in [1, 5, 9, 13] {
        let sandbox = Sandbox::new();
        let words: Vec<String> = format!("{KNOCKOUT} -j 2").split_whitespace().map(str::to_owned).collect();
        let mut run = begin(&sandbox, &words);
        let (began, events) = (Instant::now(), sandbox.path("events.jsonl"));
        while fs::read_to_string(&events).unwrap_or_default().matches("game_finished").count() < games
            && run.try_wait().expect("a child").is_none()
        {
            assert!(began.elapsed() < DEADLINE, "it does not play");
            thread::sleep(Duration::from_millis(1));
        }
        run.kill().expect("a child");
        run.wait().expect("a child");
        let output = done(&sandbox, "resume run.sqlite");
        assert_eq!(output.out, expected.out, "killed after {games} games");
        for file in FILES {
            // A run that was finished when it was killed may lack the reports, which `resume` does not write
            // then.
            if file == "all.pgn" || sandbox.path(file).exists() {
                assert_eq!(sandbox.read(file), whole.read(file), "{file}, killed after {games} games");
            }
        }
    }
}

#[test]
fn level_encounters_are_lengthened_and_then_the_seed_decides() {
    let sandbox = Sandbox::new();
    let command = "match --tournament knockout --engine echo,name=A --engine echo,name=B --engine echo,name=C --each Hash=1 \
                   --nodes 20 --maxmoves 1 --games 2 --openings book.epd --out new --run run.sqlite";
    let output = done(&sandbox, command);
    assert!(output.out.contains("A wins the knockout tournament of 3 engines."), "{}", output.out);
    assert!(output.out.contains("51 : 51   102     A by seed"), "{}", output.out);
}

#[test]
fn single_games_decide_an_encounter() {
    let sandbox = Sandbox::new();
    let command = "match --tournament knockout --engine echo,name=A,nodes=20 --engine echo,name=B,nodes=2000 --each Hash=1 \
                   --engine echo,name=C,nodes=20 --games 1 --games-per-round 1 --openings book.epd --run run.sqlite";
    let output = done(&sandbox, command);
    assert!(output.out.contains("B wins the knockout tournament of 3 engines."), "{}", output.out);
}

#[test]
fn what_makes_no_sense_with_a_knockout_is_refused() {
    let sandbox = Sandbox::new();
    let engines = "--engine echo,name=A --engine echo,name=B --nodes 20 --openings book.epd";
    for (command, message) in [
        (
            format!("match --tournament knockout {engines} --seeds 2"),
            "the engines of a knockout tournament are seeded in the order of --engine",
        ),
        (
            format!("sprt --tournament knockout {engines} --elo0 0 --elo1 5"),
            "unexpected argument '--tournament'",
        ),
    ] {
        let output = sandbox.run(&command);
        assert_eq!(output.code, Some(2), "{command}: {}", output.err);
        assert!(output.err.contains(message), "{command}: {}", output.err);
    }
    done(&sandbox, &format!("match --tournament knockout {engines} --games 2 --maxmoves 1 --run run.sqlite"));
    let output = sandbox.run("resume run.sqlite --games 8");
    assert_eq!(output.code, Some(2));
    assert!(
        output.err.contains("is a knockout tournament, whose encounters depend on the results"),
        "{}",
        output.err
    );
}
