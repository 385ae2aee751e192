//! `queue`: tests that wait, run by priority, and are judged together.

use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::interruption::{begin, gate, signal, wait_for};
use crate::sandbox::{DEADLINE, Sandbox};

const FILE: &str = ".threefold/queue/queue.json";

/// The words of a test that Echo wins within a few games.
const WON: &str = "sprt --engine echo,name=strong,nodes=400,Hash=1 --engine echo,name=weak,nodes=20,Hash=1 --elo0 0 \
                   --elo1 200 --maxmoves 60 -j 2";

/// The words of a test that Echo loses within a few games.
const LOST: &str = "sprt --engine echo,name=slow,nodes=20,Hash=1 --engine echo,name=weak,nodes=400,Hash=1 --elo0 0 \
                    --elo1 200 --maxmoves 60 -j 2";

/// The words of a test of a few games.
fn few(engine: &str) -> String {
    format!(
        "sprt --engine {engine} --engine echo,name=base,Hash=1 --elo0 0 --elo1 5 --nodes 40 --games 8 --maxmoves 6 \
         --openings book.epd -j 2"
    )
}

fn add(sandbox: &Sandbox, options: &str, words: &str) {
    let output = sandbox.run(&format!("queue add {options} -- {words}"));
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
}

/// The object of `queue list --json`.
fn listed(sandbox: &Sandbox) -> serde_json::Value {
    let output = sandbox.run("queue list --json");
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    serde_json::from_str(&output.out).expect("JSON")
}

/// The names of the tests with their states, in the order in which they are run.
fn states(sandbox: &Sandbox) -> Vec<String> {
    let queue = listed(sandbox);
    let text = |test: &serde_json::Value, key: &str| test[key].as_str().expect("text").to_owned();
    let tests = queue["tests"].as_array().expect("a list");
    tests.iter().map(|test| format!("{} {}", text(test, "name"), text(test, "state"))).collect()
}

#[test]
fn queue_runs_by_priority_and_says_what_can_be_merged() {
    let sandbox = Sandbox::new();
    add(&sandbox, "--name later", LOST);
    add(&sandbox, "--name first --priority 2", WON);
    let output = sandbox.run("queue run");
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    let place = |text: &str| output.err.find(text).unwrap_or_else(|| panic!("{text}: {}", output.err));
    assert!(place("starting test 2 `first`, priority 2") < place("starting test 1 `later`"));
    assert!(
        output.out.contains("test 2 `first`: H1 accepted: ") && output.out.contains("\n\nCan be merged"),
        "{}",
        output.out
    );
    assert_eq!(states(&sandbox), ["first accepted", "later rejected"]);

    let queue = listed(&sandbox);
    let (first, later) = (&queue["tests"][0], &queue["tests"][1]);
    assert_eq!((&first["place"], &later["place"], &later["merge"]), (&0.into(), &1.into(), &false.into()));
    // The first of ten expected tests needs 1 / (0.05 / 11).
    let [log_e, needed] = [&first["log_e"], &first["log_e_needed"]].map(serde_json::Value::as_f64);
    match (log_e, needed) {
        (Some(log_e), Some(needed)) => {
            assert!((needed - 220_f64.ln()).abs() < 1e-9 && log_e < needed, "{first}");
            assert_eq!(first["merge"], false);
        }
        (Some(log_e), None) => assert!(log_e >= 220_f64.ln() && first["merge"] == true, "{first}"),
        (None, _) => assert!(first["merge"].is_null(), "{first}"),
    }
    assert_eq!(queue["false_merges_per_100_at_most"], 5.0);
    assert_eq!(queue["by_themselves"]["accepted_by_chance"], 0.1);

    let page = sandbox.read(".threefold/queue/index.html");
    assert!(page.contains("<a href=\"tests/2/index.html\">first</a>"), "{page}");
    assert!(sandbox.path(".threefold/queue/tests/2/index.html").exists());

    let again = sandbox.run("queue run first");
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(again.err.contains("there was nothing to run of first"), "{}", again.err);
}

#[test]
fn wrong_words_are_refused_when_a_test_is_added() {
    let sandbox = Sandbox::new();
    let table = [
        ("", "match --engine echo", "unrecognized subcommand 'match'", 2),
        ("", "sprt --engine echo --engine echo,name=b --elo0 0", "--elo1 <ELO>", 2),
        ("", "sprt --engine echo --engine echo,name=b --elo0 5 --elo1 0 --nodes 9", "elo0", 2),
        ("", &few("echo").replace("--games 8", "--gamse 8"), "a similar argument exists: '--games'", 2),
        ("", &few("echo,Hsah=1"), "Hsah", 2),
        ("", &few("./absent,name=a"), "./absent", 3),
        ("", &few("echo").replace("book.epd", "absent.epd"), "absent.epd", 2),
        ("", &format!("{} --run a.sqlite", few("echo")), "--run: the queue has a folder for each test", 2),
        ("", &format!("{} --tui", few("echo")), "--tui: ", 2),
        ("", &format!("{} --take echo,Hash=2", few("echo")), "--take: each test of a queue has one H0", 2),
        ("--fdr 1.5", &few("echo"), "--fdr: give a number between 0 and 1", 2),
        ("--name 7", &few("echo"), "begins with a dash, or is a number", 2),
    ];
    for (options, words, expected, code) in table {
        let output = sandbox.run(&format!("queue add {options} -- {words}"));
        assert_eq!(output.code, Some(code), "{words}: {}{}", output.out, output.err);
        assert!(output.err.contains(expected), "{words}: {}", output.err);
        assert!(!output.err.contains("error: error:"), "{}", output.err);
        assert!(!sandbox.path(FILE).exists(), "{words}");
    }
    let none = sandbox.run("queue run");
    assert_eq!(none.code, Some(2));
    assert!(
        none.err.contains("there is no queue; `threefold queue add -- sprt …` begins one"),
        "{}",
        none.err
    );
    assert!(!sandbox.path(".threefold").exists(), "a look creates nothing");
}

#[test]
fn names_and_the_level_of_a_queue_are_fixed() {
    let sandbox = Sandbox::new();
    add(&sandbox, "--name lmr --fdr 0.1", &few("echo,name=a"));
    add(&sandbox, "--fdr 0.1", &few("echo,name=a"));
    add(&sandbox, "", &few("echo,name=a"));
    assert_eq!(states(&sandbox), ["lmr waiting", "a waiting", "a-2 waiting"]);
    for (options, expected) in [
        ("--name lmr", "--name lmr: test 1 has this name"),
        ("--fdr 0.05", "--fdr: the first test of this queue fixed it at 0.1"),
        ("--expected-tests 3", "--expected-tests: the first test of this queue fixed it at 10"),
    ] {
        let output = sandbox.run(&format!("queue add {options} -- {}", few("echo")));
        assert_eq!(output.code, Some(2), "{}", output.out);
        assert!(output.err.contains(expected), "{}", output.err);
    }
    let completed = sandbox.shell(
        "THREEFOLD_COMPLETE=bash _CLAP_IFS=$'\n' _CLAP_COMPLETE_INDEX=3 $T -- threefold queue remove l",
    );
    assert_eq!(completed.out.trim(), "lmr", "{}", completed.err);
    let removed = sandbox.run("queue remove lmr 2");
    assert_eq!(
        (removed.code, states(&sandbox)),
        (Some(0), vec!["a-2 waiting".to_owned()]),
        "{}",
        removed.err
    );
    let unknown = sandbox.run("queue remove lmr");
    assert!(unknown.code == Some(2) && unknown.err.contains("has no test `lmr`"), "{}", unknown.err);
}

#[test]
fn damaged_file_is_refused_and_left_as_it_is() {
    let sandbox = Sandbox::new();
    add(&sandbox, "--name lmr", &few("echo,name=a"));
    let text = sandbox.read(FILE);
    for (from, to, expected) in [
        ("\"number\": 1", "\"number\": 5", "test 5: `next` is 2"),
        ("\"level\": 0.05", "\"level\": 5", "`level` is 5, not between 0 and 1"),
        ("}", "", "queue.json: is damaged"),
    ] {
        let damaged = text.replace(from, to);
        sandbox.write(FILE, &damaged);
        for command in ["list", "run", "remove lmr", &format!("add -- {}", few("echo"))] {
            let output = sandbox.run(&format!("queue {command}"));
            assert_eq!(output.code, Some(2), "{command}: {}", output.out);
            assert!(output.err.contains(expected), "{command}: {}", output.err);
        }
        assert_eq!(sandbox.read(FILE), damaged);
    }
    // Words that became wrong are a fault of the test.
    sandbox.write(FILE, text.replace("\"--elo0\"", "\"--elo9\""));
    let output = sandbox.run("queue run");
    assert_eq!(output.code, Some(2), "{}", output.err);
    assert_eq!(states(&sandbox), ["lmr fault"]);
    assert!(listed(&sandbox)["tests"][0]["problem"].as_str().expect("text").contains("--elo9"));
}

#[test]
fn test_whose_engine_vanished_or_changed_does_not_stop_the_others() {
    let sandbox = Sandbox::new();
    let engine = |name: &str| {
        sandbox.script(name, &format!("exec {} uci", crate::PROGRAM));
        sandbox.shell(&format!("(echo '#!/bin/sh'; cat {name}.sh) > {name}; chmod +x {name}"));
        format!("./{name},name={name},Hash=1")
    };
    for name in ["gone", "other", "kept"] {
        add(&sandbox, "", &few(&engine(name)));
    }
    sandbox.shell("mv gone aside; echo '# changed' >> other");
    let output = sandbox.run("queue run");
    assert_eq!(output.code, Some(3), "{}", output.err);
    assert_eq!(states(&sandbox), ["gone fault", "other fault", "kept undecided"]);
    let queue = listed(&sandbox);
    let problem = |test: usize| queue["tests"][test]["problem"].as_str().expect("text").to_owned();
    assert!(problem(0).contains("gone") && problem(1).contains("other: has changed since"), "{queue}");
    // A test without games takes no place.
    assert_eq!(
        (&queue["tests"][0]["place"], &queue["tests"][2]["place"]),
        (&serde_json::Value::Null, &0.into())
    );

    sandbox.shell("mv aside gone");
    assert_eq!(sandbox.run("queue run").code, Some(0), "a fault is left out until it is named");
    assert_eq!(states(&sandbox)[0], "gone fault");
    let again = sandbox.run("queue run gone");
    assert_eq!(again.code, Some(0), "{}{}", again.out, again.err);
    assert_eq!(states(&sandbox), ["gone undecided", "other fault", "kept undecided"]);
}

/// Sends Ctrl-C until the process has ended; its exit code.
#[expect(clippy::disallowed_methods, reason = "a test that waits for a process gives up some time")]
fn interrupted(child: &mut Child) -> Option<i32> {
    let began = Instant::now();
    loop {
        signal(child, Signal::SIGINT);
        thread::sleep(Duration::from_millis(500));
        if let Some(status) = child.try_wait().expect("a process") {
            return status.code();
        }
        assert!(began.elapsed() < DEADLINE, "it goes on");
    }
}

#[test]
fn interrupted_queue_goes_on_and_takes_up_what_was_added_meanwhile() {
    let sandbox = Sandbox::new();
    let gate = sandbox.script("gate", &gate());
    sandbox.write("at", "go nodes 40*");
    // Enough for some games.
    sandbox.write("patience", "30");
    let first = few("GATE").replace("-j 2", "-j 1");
    let words: Vec<&str> =
        first.split(' ').map(|word| if word == "GATE" { gate.as_str() } else { word }).collect();
    let added = sandbox.run_words(&[&["queue", "add", "--name", "gated", "--"], &words[..]].concat());
    assert_eq!(added.code, Some(0), "{}", added.err);
    let mut child = begin(&sandbox, &["queue", "run"].map(str::to_owned));
    wait_for(&sandbox.path("silent"));

    let second = sandbox.run("queue run");
    assert!(
        second.code == Some(2) && second.err.contains("another `queue run` runs these tests"),
        "{}",
        second.err
    );
    let refused = sandbox.run("queue remove gated");
    assert!(refused.code == Some(2) && refused.err.contains("is running"), "{}", refused.err);
    add(&sandbox, "--name urgent --priority 1", &few("echo,name=a"));
    assert_eq!(states(&sandbox), ["urgent waiting", "gated running"]);
    assert_eq!(interrupted(&mut child), Some(130));
    assert_eq!(states(&sandbox), ["urgent waiting", "gated interrupted"]);
    let games = |test: usize| listed(&sandbox)["tests"][test]["games"].as_u64().expect("a number");
    let before = games(1);
    assert!((1..8).contains(&before), "{before}");

    std::fs::remove_file(sandbox.path("patience")).expect("it is there");
    let output = sandbox.run("queue run");
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    let place = |text: &str| output.err.find(text).unwrap_or_else(|| panic!("{text}: {}", output.err));
    assert!(place("starting test 2 `urgent`") < place("continuing test 1 `gated`"));
    assert_eq!(
        (states(&sandbox), games(1)),
        (vec!["urgent undecided".to_owned(), "gated undecided".to_owned()], 8)
    );
    let kept = sandbox.run("queue remove gated");
    assert!(kept.code == Some(2) && kept.err.contains("a test with a result stays"), "{}", kept.err);
}

#[test]
fn interrupted_check_adds_no_test() {
    let sandbox = Sandbox::new();
    let engine = sandbox.script("late", ": > silent\nexec sleep 1000\n");
    let words: Vec<String> =
        ["queue", "add", "--", "sprt", "--engine", &engine, "--engine", "echo,name=base"]
            .into_iter()
            .chain("--elo0 0 --elo1 5 --nodes 40 --openings book.epd".split(' '))
            .map(str::to_owned)
            .collect();
    let child = begin(&sandbox, &words);
    wait_for(&sandbox.path("silent"));
    signal(&child, Signal::SIGINT);
    let output = child.wait_with_output().expect("it ends");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout), (Some(130), Vec::new()), "{printed}");
    assert!(printed.ends_with("interrupted; no test is added\n"), "{printed}");
    assert!(!sandbox.path(FILE).exists());
}
