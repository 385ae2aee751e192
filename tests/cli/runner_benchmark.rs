//! `bench-runner` and the engine that it plays with.

use super::sandbox::Sandbox;

#[test]
fn a_runner_is_measured_by_the_engines() {
    let sandbox = Sandbox::new();
    let output = sandbox.run("bench-runner --games 4 --runs 1 -j 1 --json");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let measured: serde_json::Value = serde_json::from_str(output.out.trim()).expect("one object");
    assert_eq!(measured["runner"], "threefold");
    let plies = measured["plies"].as_u64().expect("a count");
    assert!((200..4000).contains(&plies), "{measured}");
    let delay = |name: &str| measured["delay_us"][name].as_f64().expect("a time");
    assert!(0.0 < delay("p50") && delay("p50") <= delay("p99") && delay("p99") <= delay("max"), "{measured}");
}

#[test]
fn a_runner_that_plays_no_game_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.write("other.sh", "echo nothing to do\n");
    let words = ["bench-runner", "--games", "2", "--runs", "1", "--runner", "other=sh other.sh {engine}"];
    let output = sandbox.run_words(&words);
    assert_eq!(output.code, Some(2), "{}", output.out);
    assert!(
        output.err.contains("after 0 moves of its engines; its last output: nothing to do"),
        "{}",
        output.err
    );
}
