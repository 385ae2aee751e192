//! `bench --engine`: the speed of engines, measured in rounds. No test depends on a time.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::sandbox::{CommandOutput, DEADLINE, Sandbox, THREEFOLD};

/// The number of positions of a round.
const POSITIONS: u64 = 11;

/// The arm of an engine that searches a number of nodes.
fn searches(nodes: &str) -> String {
    format!("go*) echo info depth 9 score cp 1 nodes {nodes} pv e2e4; echo bestmove 0000;;")
}

/// Runs `bench` with these engines and other words.
fn bench(sandbox: &Sandbox, engines: &[&str], words: &str) -> CommandOutput {
    let engines = engines.iter().flat_map(|engine| ["--engine", engine]);
    let words: Vec<&str> = std::iter::once("bench").chain(engines).chain(words.split_whitespace()).collect();
    sandbox.run_words(&words)
}

/// The text with ordinary spaces between the digits of numbers.
fn plain(text: &str) -> String {
    text.replace('\u{202f}', " ")
}

#[test]
fn engines_are_started_in_turn_and_the_order_is_reversed() {
    let sandbox = Sandbox::empty();
    let engine = |name: &str| {
        let greeting = format!("uci) echo {name} >> order; echo uciok;;\n{}", searches("500"));
        sandbox.engine(name, &greeting)
    };
    let output = bench(&sandbox, &[&engine("new"), &engine("old")], "--rounds 2");
    assert_eq!(output.code, Some(0), "{}", output.err);
    // One round that does not count, and two that do.
    assert_eq!(sandbox.read("order"), "new\nold\nold\nnew\nnew\nold\n");
    let text = plain(&output.out);
    assert!(text.contains(" 5 500 "), "the sum over the positions: {text}");
    assert!(text.lines().count() >= 5, "a row for each, and a comparison: {text}");
    assert!(!text.contains("another number of nodes") && !text.contains("different searches"), "{text}");
}

#[test]
fn differing_node_counts_are_named() {
    let sandbox = Sandbox::empty();
    // One node more in each process. The first round does not count.
    let arms = format!("uci) echo x >> starts; echo uciok;;\n{}", searches("$((1000 + $(wc -l < starts)))"));
    let engines = [sandbox.engine("drift", &arms), sandbox.engine("same", &searches("1000"))];
    let output = bench(&sandbox, &engines.each_ref().map(String::as_str), "--rounds 2");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let text = plain(&output.out);
    for line in [
        "drift searches another number of nodes in other rounds: 11 022 in round 1; 11 033 in round 2",
        "drift and same search different numbers of nodes",
    ] {
        assert!(text.contains(line), "lacks `{line}`: {text}");
    }
    assert!(!text.contains("same searches another"), "{text}");
}

#[test]
fn json_has_an_object_with_every_round() {
    let sandbox = Sandbox::empty();
    // It reports the value of the option as a count of nodes.
    let arms = format!(
        "uci) echo option name Hash type spin default 1 min 1 max 1024; echo uciok;;\n\
         setoption*) hash=${{line##* }};;\n{}",
        searches("$((hash * 100))")
    );
    let output =
        bench(&sandbox, &[&sandbox.engine("fish", &arms)], "--rounds 3 --nodes 777 --scan Hash=2,8 --json");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let objects: Vec<Value> =
        output.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!(objects.len(), 2, "{}", output.out);
    for (object, hash) in objects.iter().zip([2, 8]) {
        assert_eq!(object["engine"], "fish");
        assert_eq!(object["option"]["Hash"], hash.to_string());
        let rounds = object["rounds"].as_array().expect("rounds");
        assert_eq!(rounds.len(), 3, "{object}");
        for round in rounds {
            assert_eq!(round["nodes"], POSITIONS * hash * 100, "{object}");
            for figure in ["seconds", "nps", "startup_seconds"] {
                assert!(round[figure].as_f64().is_some_and(|figure| figure > 0.0), "{figure}: {object}");
            }
            let is_known = std::path::Path::new("/proc/self/status").exists();
            assert_eq!(round["peak_memory_bytes"].as_u64().is_some(), is_known, "{object}");
        }
    }
    assert_eq!(objects[0]["first"], Value::Null);
    assert_eq!(objects[1]["first"]["option"]["Hash"], "2");
    assert!(objects[1]["first"]["speed_of_first_to_this"]["low"].is_number(), "{}", output.out);
}

#[test]
fn echo_is_measured_like_any_engine() {
    let sandbox = Sandbox::empty();
    let output = bench(&sandbox, &["echo,Hash=1"], "--rounds 2 --nodes 300 --json");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let object: Value = serde_json::from_str(output.out.trim()).expect("one object");
    let nodes: Vec<u64> = (0..2).filter_map(|round| object["rounds"][round]["nodes"].as_u64()).collect();
    assert!(nodes[0] > 0 && nodes[0] <= POSITIONS * 300 && nodes[0] == nodes[1], "{object}");
    // Without an engine, Echo's node count is printed.
    let output = sandbox.run("bench");
    let words: Vec<&str> = output.out.split_whitespace().collect();
    let [count, "nodes", _, "nps"] = words[..] else { panic!("{}", output.out) };
    assert!(count.parse::<u64>().is_ok(), "{}", output.out);
}

#[test]
fn node_limit_that_an_engine_ignores_is_kept_by_the_harness() {
    let sandbox = Sandbox::empty();
    let endless = sandbox.engine(
        "endless",
        "go*) echo info depth 9 score cp 1 nodes 900000 pv e2e4;;\nstop) echo bestmove 0000;;",
    );
    let output = bench(&sandbox, &[&endless], "--rounds 1 --nodes 1000 --json");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let object: Value = serde_json::from_str(output.out.trim()).expect("one object");
    assert_eq!(object["rounds"][0]["nodes"], POSITIONS * 900_000, "all nodes of its time count: {object}");
}

#[test]
fn faults_of_engines_end_the_measurement() {
    let sandbox = Sandbox::empty();
    let sound = sandbox.engine("sound", &searches("500"));
    let silent = "uci) [ -e started ] && exit 7; : > started; echo uciok;;\n".to_owned();
    let table = [
        // engine, options, exit code, words of the message
        (
            sandbox.engine("crash", "go*) exit 5;;"),
            "",
            3,
            "engine `crash` (`sh crash.sh,name=crash`): it ended",
        ),
        (sandbox.engine("late", &(silent + &searches("500"))), "", 3, "engine `late` "),
        ("./nothing".to_owned(), "", 3, "`./nothing` can't be started"),
        (sandbox.engine("mute", "go*) ;;"), "--search-timeout 0.5", 3, "give --movetime 300: engine `mute`"),
        (sandbox.engine("blind", "go*) echo bestmove 0000;;"), "", 2, "lacks a count of nodes"),
        (sound.clone() + ",Contempt=4", "", 2, "Contempt"),
    ];
    for (engine, words, code, message) in table {
        let output = bench(&sandbox, &[&sound, &engine], &format!("--rounds 2 {words}"));
        assert_eq!((output.code, output.out.as_str()), (Some(code), ""), "{engine}\n{}", output.err);
        assert!(output.err.contains(message), "{engine}\nlacks `{message}`:\n{}", output.err);
    }
}

#[test]
fn wrong_usage_is_refused_with_a_remedy() {
    let sandbox = Sandbox::empty();
    let table: &[(&str, &[&str])] = &[
        ("bench --engine echo --scan Hash", &["--scan", "give NAME=VALUE,VALUE, such as Hash=1,16,256"]),
        ("bench --engine echo --scan Hash=", &["--scan", "give NAME=VALUE,VALUE"]),
        ("bench --engine echo --scan Hash=1,1", &["the value `1` is given twice"]),
        ("bench --engine echo --scan tc=1,2", &["`tc` is a key of a SPEC"]),
        ("bench --engine echo,Hash=1 --scan Hash=1,2", &["sets Hash already", "or leave out --scan"]),
        ("bench --engine echo --scan Hsh=1,2", &["Hsh"]),
        ("bench --engine echo --rounds 0", &["--rounds", "give a whole number from 1"]),
        ("bench --engine echo --nodes 0", &["--nodes", "give a whole number from 1"]),
        ("bench --engine echo --nodes 5 --movetime 5", &["--movetime", "cannot be used with"]),
        ("bench --engine echo,nodes=5", &["has a search limit of its own", "give --nodes or --movetime"]),
        ("bench --engine echo --each Hash", &["--each", "is not KEY=VALUE"]),
        ("bench --rounds 5", &["--engine <SPEC>"]),
        ("bench --json", &["--engine <SPEC>"]),
    ];
    for (command, parts) in table {
        let output = sandbox.run(command);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{command}\n{}", output.err);
        for part in *parts {
            assert!(output.err.contains(part), "{command}\nlacks `{part}`:\n{}", output.err);
        }
    }
}

#[test]
fn interruption_ends_the_measurement() {
    let sandbox = Sandbox::empty();
    let engine = sandbox.engine("silent", "go*) : > asked; sleep 1000;;");
    let child = Command::new(THREEFOLD)
        .args(["bench", "--engine", &engine])
        .current_dir(sandbox.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let begun = Instant::now();
    while !sandbox.path("asked").exists() {
        assert!(begun.elapsed() < DEADLINE, "it is asked");
        thread::yield_now();
    }
    kill(Pid::from_raw(i32::try_from(child.id()).expect("a process")), Signal::SIGINT).expect("it is there");
    let output = CommandOutput::from(child.wait_with_output().expect("it ends"));
    assert_eq!((output.code, output.out.as_str()), (Some(130), ""), "{}", output.err);
    assert!(output.err.contains("interrupted"), "{}", output.err);
}

#[test]
fn perf_is_missed_before_the_measurement_and_its_failure_loses_no_result() {
    let sandbox = Sandbox::empty();
    let words = "--rounds 1 --nodes 100 --profile p.svg";
    // The engine would fail at its start.
    let output = sandbox.shell(&format!("PATH=/nowhere $T bench --engine ./none --engine echo {words}"));
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}", output.err);
    assert!(output.err.contains("--profile needs `perf`"), "{}", output.err);
    // It records, and can't read what it has recorded.
    sandbox.write(
        "perf",
        "#!/bin/sh\n[ $1 = record ] || exit 1\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n",
    );
    let engines = "--engine echo --engine echo,name=B";
    let output = sandbox.shell(&format!("chmod +x perf; PATH=$PWD:$PATH $T bench {engines} {words}"));
    assert_eq!(output.code, Some(2), "{}", output.err);
    assert!(output.err.contains("`perf script` does not read its samples"), "{}", output.err);
    assert!(output.out.contains('B'), "the result is printed: {}", output.out);
}
