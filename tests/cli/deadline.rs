//! `sprt --deadline`: a test that ends by a number of games or a time.

use crate::sandbox::Sandbox;

const TEST: &str =
    "sprt --maxmoves 60 --openings builtin:balanced --pgn all.pgn --out new --run run.sqlite --json -j 2";

fn result(sandbox: &Sandbox, command: &str) -> serde_json::Value {
    let output = sandbox.run(command);
    assert!(output.code.is_some_and(|code| code <= 1), "{command}\n{}", output.err);
    let report: serde_json::Value = serde_json::from_str(&output.out).expect("one object");
    report["matches"][0].clone()
}

#[test]
fn deadline_test_ends_early_if_the_rest_would_not_change_it() {
    let sandbox = Sandbox::new();
    let played = result(
        &sandbox,
        &format!(
            "{TEST} --deadline --engine echo,name=A,Hash=1,nodes=400 --engine echo,name=B,Hash=1,nodes=20 --elo0 0 --elo1 100 --games 400"
        ),
    );
    assert_eq!(played["ending"], "H1 accepted", "{played}");
    let conclusion = played["result"]["conclusion"].as_str().expect("a sentence");
    assert!(conclusion.contains("Decided early, after "), "{conclusion}");
    assert!(played["result"]["z"].as_f64() > played["result"]["upper"].as_f64(), "{played}");
    assert!(sandbox.read("all.pgn").matches("[Result ").count() < 200);
    // The report of the journal is the same.
    let before = sandbox.read("new/report.json");
    assert_eq!(sandbox.run("report run.sqlite --out new").code, Some(0));
    assert_eq!(sandbox.read("new/report.json"), before);
}

#[test]
fn deadline_test_without_enough_unequal_pairs_is_undecided() {
    let sandbox = Sandbox::new();
    let played = result(
        &sandbox,
        &format!(
            "{TEST} --deadline --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1 --nodes 60 --elo0 0 --elo1 200 --games 24"
        ),
    );
    assert_eq!(played["ending"], "undecided", "{played}");
    let refused = sandbox.run("resume run.sqlite --games 60");
    assert_eq!(refused.code, Some(2), "{}", refused.out);
    assert!(refused.err.contains("is a test with a deadline"), "{}", refused.err);
}

/// The share of the thinking time is that of the journaled games, so it is the same with any number of workers
/// on a virtual clock.
#[test]
fn deadline_of_time_does_not_depend_on_the_workers() {
    let command = "sprt --deadline --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1,nodes=5 --tc 1+0.01 \
                   --clock virtual:2000 --maxmoves 20 --elo0 0 --elo1 200 --games 400 --openings builtin:balanced \
                   --out new --run run.sqlite";
    let [alone, two] = [("-j 1", "240s"), ("-j 2", "120s")].map(|(jobs, budget)| {
        let sandbox = Sandbox::new();
        let output = sandbox.run(&format!("{command} --budget {budget} {jobs}"));
        assert!(output.code.is_some_and(|code| code <= 1), "{}", output.err);
        sandbox.read("new/report.json")
    });
    assert_eq!(alone, two);
}
