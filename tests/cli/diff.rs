//! `diff`: where two versions play differently.

use nix::sys::signal::Signal;

use crate::interruption::{begin, signal, wait_for};
use crate::sandbox::{CommandOutput, Sandbox};

/// A version with coarser scores, against the usual one.
const VERSIONS: &str = "diff echo,name=New,EvalGrain=16 echo,name=Old --each Hash=1 --nodes 400";

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn equal_versions_give_the_same_answers() {
    let sandbox = Sandbox::new();
    let output = sandbox.run("diff echo,name=A echo,name=B --each Hash=1 --nodes 200 --count 24 --play");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(
        output.out.contains("A – B: 24 positions of B's games against itself at 200 nodes"),
        "{}",
        output.out
    );
    let same =
        output.out.lines().find(|line| line.contains("same move, score and depth")).unwrap_or_default();
    assert!(same.contains(" 24 "), "{}", output.out);
    assert!(
        output.out.ends_with("no games: the versions choose the same move in each position\n"),
        "{}",
        output.out
    );
}

#[test]
fn differences_do_not_depend_on_the_number_of_jobs_and_are_played_out() {
    let sandbox = Sandbox::new();
    let asked = |more: &str| {
        let output = sandbox.run(&format!("{VERSIONS} --count 60 --json - {more}"));
        assert_eq!(output.code, Some(0), "{}", output.err);
        output.out
    };
    let alone = asked("-j 1");
    assert_eq!(alone, asked("-j 3"));
    let found = json(&alone);
    let count = |key: &str| found[key].as_u64().expect(key);
    assert_eq!(count("same") + count("same_move") + count("other_move"), 60, "{alone}");
    let moved = count("other_move");
    assert!(moved > 0, "{alone}");

    let written = sandbox
        .run(&format!("{VERSIONS} --count 60 --html d.html --epd d.epd --json d.json --play --out new"));
    assert_eq!(written.code, Some(0), "{}", written.err);
    assert_eq!(sandbox.read("d.json"), alone);
    assert_eq!(sandbox.read("d.epd").lines().count() as u64, moved);
    assert_eq!(sandbox.read("d.html").matches("<details class=\"case\">").count() as u64, moved.min(50));
    assert_eq!(sandbox.read("new/games.pgn").matches("[Event ").count() as u64, 2 * moved);

    // The file of openings has the positions of the differences, and no others.
    let again = sandbox.run(&format!("{VERSIONS} --positions d.epd --json -"));
    let again = json(&again.out);
    assert_eq!((&again["positions"], &again["source"]), (&moved.into(), &"d.epd".into()), "{again}");
}

#[test]
fn positions_of_a_run_are_asked() {
    let sandbox = Sandbox::new();
    let played = sandbox.run(
        "match --engine echo,name=A --engine echo,name=B --each Hash=1 --nodes 60 --games 4 --maxmoves 40 \
        --openings book.epd --run run.sqlite",
    );
    assert_eq!(played.code, Some(0), "{}", played.err);
    let output = sandbox.run(&format!("{VERSIONS} --positions run.sqlite --count 9 --json -"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    let asked = json(&output.out);
    assert_eq!(asked["positions"], 9);
    let lengths: Vec<usize> = asked["asked"]
        .as_array()
        .expect("positions")
        .iter()
        .map(|it| it["moves"].as_array().map_or(0, Vec::len))
        .collect();
    assert!(lengths.iter().any(|&length| length > 12), "with the history of the game: {lengths:?}");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("empty.epd", "");
    for (words, code, message) in [
        ("echo echo,name=Old --positions none.epd", 2, "none.epd"),
        ("echo echo,name=Old --positions empty.epd", 2, "empty.epd"),
        ("echo echo,name=Old --count 0", 2, "--count"),
        ("echo ./none,name=Old", 3, "./none"),
        ("echo echo,name=Old --out new", 2, "--play"),
        (
            "echo,name=New,nodes=3 echo",
            2,
            "engine `New` has a search limit of its own; leave it out, and give --nodes",
        ),
        ("echo echo,name=Old --each depth=3", 2, "has a search limit of its own"),
    ] {
        let output = sandbox.run(&format!("diff {words}"));
        assert_eq!(output.code, Some(code), "{words}: {}", output.err);
        assert!(output.err.contains(message), "{words}: {}", output.err);
    }
}

#[test]
fn interruption_is_no_fault_of_an_engine() {
    let sandbox = Sandbox::new();
    let engine = sandbox.engine("silent", "go*) : > silent; sleep 1000;;");
    let words = ["diff", &engine, "echo", "--positions", "book.epd", "-j", "1"].map(str::to_owned);
    let child = begin(&sandbox, &words);
    wait_for(&sandbox.path("silent"));
    signal(&child, Signal::SIGINT);
    let output = CommandOutput::from(child.wait_with_output().expect("it ends"));
    assert_eq!((output.code, output.out.as_str()), (Some(130), ""), "{}", output.err);
    assert!(output.err.ends_with("interrupted\n") && !output.err.contains("error"), "{}", output.err);
}
