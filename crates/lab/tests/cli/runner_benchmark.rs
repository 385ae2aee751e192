//! `bench-runner` and the engine that it plays with.

use super::sandbox::Sandbox;

/// A match runner of a few lines: `sh runner.sh PLIES ENGINE` plays the moves of two processes of one engine.
const RUNNER: &str = r#"plies=$1 engine=$2
mkfifo in1 out1 in2 out2
$engine < in1 > out1 & $engine < in2 > out2 &
exec 3> in1 4< out1 5> in2 6< out2
moves=
while [ "$plies" -gt 0 ]; do
    printf 'position startpos%s\ngo\n' "${moves:+ moves$moves}" >&3
    while read -r word move <&4 && [ "$word" != bestmove ]; do :; done
    moves="$moves $move"; plies=$((plies - 1))
    exec 7>&3 8<&4 3>&5 4<&6 5>&7 6<&8
done
echo quit >&3; echo quit >&5; wait
"#;

#[test]
fn a_runner_is_measured_by_the_engines() {
    let sandbox = Sandbox::new();
    sandbox.write("runner.sh", RUNNER);
    let runner = "own=sh runner.sh 12 {engine}";
    let output = sandbox.run_words(&["bench-runner", "--runner", runner, "--runs", "1", "--json"]);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let measured: serde_json::Value = serde_json::from_str(output.out.trim()).expect("one object");
    assert_eq!((&measured["runner"], &measured["plies"]), (&"own".into(), &12.into()));
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
