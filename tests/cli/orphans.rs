//! Engine processes end with the harness, however it ends, and the harness keeps nothing of engines that
//! ended.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::sandbox::{DEADLINE, Sandbox, THREEFOLD};

fn is_alive(process: &str) -> bool {
    // An orphan may stay a zombie until the system's first process looks after it: dead all the same.
    let state = Command::new("ps").args(["-o", "stat=", "-p", process]).output().expect("ps runs");
    let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

#[test]
fn engines_end_with_a_killed_harness() {
    let sandbox = Sandbox::new();
    // It never reads again, so it doesn't see that its input is closed.
    let spins = "go*) echo $$ >> pids; while :; do :; done;;";
    let direct = sandbox.engine("direct", spins);
    sandbox.engine("inner", spins);
    let below = sandbox.script("below", "sh inner.sh; echo it ended >&2");
    let words = [
        "match",
        "--engine",
        &direct,
        "--engine",
        &below,
        "--nodes",
        "9",
        "--max-faults=100%",
        "--games",
        "2",
        "--openings",
        "book.epd",
        "--run",
        "run.sqlite",
        "-j",
        "2",
    ];
    let mut harness = Command::new(THREEFOLD)
        .args(words)
        .current_dir(sandbox.path(""))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let begun = Instant::now();
    let pids = sandbox.path("pids");
    let mut spinning = Vec::new();
    while spinning.len() < 2 {
        assert!(begun.elapsed() < DEADLINE, "no engine was asked");
        thread::sleep(Duration::from_millis(20));
        let text = std::fs::read_to_string(&pids).unwrap_or_default();
        spinning = text.lines().map(str::to_owned).collect();
    }
    harness.kill().and_then(|()| harness.wait()).expect("it can be killed");
    let killed = Instant::now();
    let left = loop {
        let left: Vec<&String> = spinning.iter().filter(|process| is_alive(process)).collect();
        if left.is_empty() || killed.elapsed() > Duration::from_secs(10) {
            break left;
        }
        thread::sleep(Duration::from_millis(50));
    };
    for process in &left {
        let _ = Command::new("kill").args(["-s", "KILL", process]).status();
    }
    assert!(left.is_empty(), "{left:?} of {spinning:?} go on");
}

#[test]
fn engine_child_in_its_own_session_leaves_no_resources() {
    if !Path::new("/proc/self/task").exists() {
        return;
    }
    let sandbox = Sandbox::new();
    let escapes = sandbox.script(
        "escapes",
        "setsid sleep 30 &\necho $(ls /proc/$PPID/task | wc -l) $(ls /proc/$PPID/fd | wc -l) >> counts\n\
         while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; quit) exit;; \
         go*) echo bestmove '(none)';; esac; done",
    );
    let escapes = format!("{escapes},restart=on");
    let words = [
        "match",
        "--engine",
        "echo,name=E,Hash=1",
        "--engine",
        &escapes,
        "--nodes",
        "9",
        "--max-faults=100%",
        "--games",
        "12",
        "--openings",
        "book.epd",
        "--run",
        "run.sqlite",
        "-j",
        "1",
    ];
    let output = sandbox.run_words(&words);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let text = sandbox.read("counts");
    let counts: Vec<Vec<usize>> = text
        .lines()
        .map(|line| line.split(' ').map(|count| count.parse().expect("a count")).collect())
        .collect();
    assert_eq!(counts.len(), 1 + 12, "{text}");
    // The first games start what lasts for the run: the journal and the worker. Threads may take a moment to
    // end.
    let (early, late) = (&counts[3], counts.last().expect("the last start"));
    assert!(late[0] <= early[0] + 3 && late[1] <= early[1] + 5, "threads and descriptors:\n{text}");
}
