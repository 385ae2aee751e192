//! `match --tournament knockout`: the bracket in all outputs, the same with any number of jobs and after a
//! kill.

use crate::sandbox::Sandbox;
use crate::tournament::{done, killed_and_resumed, with_any_jobs};

/// Five engines, the strongest last. Four games in an encounter.
const KNOCKOUT: &str = "match --tournament knockout --engine echo,name=A,nodes=60 --engine echo,name=B,nodes=40 \
                        --engine echo,name=C,nodes=80 --engine echo,name=D,nodes=20 --engine echo,name=E,nodes=2000 \
                        --each Hash=1 --maxmoves 60 --games 4 --openings book.epd --pgn all.pgn --out new \
                        --run run.sqlite --events events.jsonl";

#[test]
fn knockout_shows_its_bracket_and_does_not_depend_on_the_number_of_jobs() {
    let (sandbox, output) = with_any_jobs(KNOCKOUT);
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
}

#[test]
fn killed_knockout_goes_on_to_the_same_result() {
    killed_and_resumed(KNOCKOUT, &[1, 5, 9, 13]);
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
