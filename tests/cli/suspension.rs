//! A harness that is suspended for a while (Ctrl-Z or SIGSTOP): no engine loses on time because of it, and
//! real time losses still count.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::sandbox::{DEADLINE, Sandbox, THREEFOLD};

/// An engine that takes some time for each move of a game that is drawn by repetition.
fn shuffling(sandbox: &Sandbox, name: &str, think: &str) -> String {
    sandbox.engine(
        name,
        &format!(
            "position*) set -- $line; n=$#;;\n\
             go*) echo x >> moves; {think}; case $n:$((n % 4)) in 2:*|*:3) m=g1f3;; *:0) m=g8f6;; *:1) m=f3g1;; \
             *) m=f6g8;; esac; echo bestmove $m;;"
        ),
    )
}

fn signal(name: &str, child: &Child) {
    let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
}

fn state(child: &Child) -> char {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).expect("it is there");
    stat.rsplit_once(") ").and_then(|(_, fields)| fields.chars().next()).expect("a state")
}

/// Waits for something.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < DEADLINE, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// What is text of games during which the harness was stopped for three seconds.
fn stopped_by(signal_name: &str, sandbox: &Sandbox, think: &str, control: &str) -> (String, String) {
    let (one, two) = (shuffling(sandbox, "one", think), shuffling(sandbox, "two", think));
    sandbox.write("start.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\";\n");
    let words = [
        "match",
        "--engine",
        &one,
        "--engine",
        &two,
        "--tc",
        control,
        "--max-faults=100%",
        "--games",
        "6",
        "--openings",
        "start.epd",
        "--pgn",
        "all.pgn",
        "--run",
        "run.sqlite",
        "-j",
        "1",
    ];
    let mut child = Command::new(THREEFOLD)
        .args(words)
        .current_dir(sandbox.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let moves = sandbox.path("moves");
    until("no game began", || std::fs::read_to_string(&moves).is_ok_and(|text| text.lines().count() > 9));
    signal(signal_name, &child);
    until("it doesn't stop", || state(&child) == 'T');
    thread::sleep(Duration::from_secs(3));
    signal("CONT", &child);
    until("it doesn't go on", || child.try_wait().is_ok_and(|ended| ended.is_some()));
    let output = child.wait_with_output().expect("it ran");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let pgn = sandbox.read("all.pgn").split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(pgn.matches("[Event ").count(), 6, "{pgn}");
    (String::from_utf8_lossy(&output.stdout).into_owned(), pgn)
}

#[test]
fn suspended_harness_costs_no_engine_time() {
    if !Path::new("/proc/self/stat").exists() {
        return;
    }
    let sandbox = Sandbox::new();
    let (text, pgn) = stopped_by("TSTP", &sandbox, "sleep 0.05", "2+0.2");
    assert!(!text.contains("lost on time") && !pgn.contains("time forfeit"), "{text}\n{pgn}");
}

#[test]
fn stopped_harness_causes_the_time_loss() {
    if !Path::new("/proc/thread-self/schedstat").exists() {
        return;
    }
    let sandbox = Sandbox::new();
    let (text, pgn) = stopped_by("STOP", &sandbox, "sleep 0.05", "2+0.2");
    assert!(!text.contains("caused by the engine"), "{text}\n{pgn}");
    assert!(pgn.matches("time forfeit").count() <= 1, "{pgn}");
    // Times are written for people.
    let nanos = |word: &str| word.contains("µs") || word.ends_with("999ms");
    assert!(!pgn.split(' ').any(nanos), "{pgn}");
}

#[test]
fn suspension_does_not_excuse_a_late_engine() {
    if !Path::new("/proc/thread-self/schedstat").exists() {
        return;
    }
    let sandbox = Sandbox::new();
    // Ten moves are made within the first games; each game is lost at the first move that the clock can't
    // pay.
    let (text, pgn) = stopped_by("TSTP", &sandbox, "[ $(wc -l < moves) -lt 20 ] || sleep 1.4", "1");
    assert!(text.contains("caused by the engine"), "{text}\n{pgn}");
}
