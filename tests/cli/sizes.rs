//! Depths, tables and lines beyond the limits are refused with a remedy, and long work can be interrupted.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::sandbox::{DEADLINE, Sandbox, THREEFOLD};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn perft_beyond_sixty_plies_is_refused() {
    let sandbox = Sandbox::new();
    let text = sandbox.run("perft 65535");
    assert_eq!(text.code, Some(2), "{}", text.err);
    assert!(text.err.contains("65535") && text.err.contains("60"), "{}", text.err);
    sandbox.write("deep.epd", format!("{START} ;D1 20\n{START} ;D65535 1\n"));
    let text =
        sandbox.run("suite --positions deep.epd --kind perft --depth 65535 --engine echo --run run.sqlite");
    assert_eq!(text.code, Some(2), "{}", text.err);
    assert!(text.err.contains("deep.epd:2") && text.err.contains("D65535"), "{}", text.err);
}

#[test]
fn uci_refuses_too_deep_perft_and_stops_long_perft() {
    let mut echo = Command::new(THREEFOLD)
        .arg("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut input = echo.stdin.take().expect("a pipe");
    input.write_all(b"go perft 65535\nposition startpos\ngo perft 30\n").expect("it reads");
    thread::sleep(Duration::from_millis(300));
    input.write_all(b"stop\ngo perft 2\nquit\n").expect("it reads");
    let begun = Instant::now();
    while echo.try_wait().expect("it is ours").is_none() {
        if begun.elapsed() > DEADLINE / 4 {
            echo.kill().expect("it is ours");
            panic!("`stop` doesn't end a count");
        }
        thread::sleep(Duration::from_millis(10));
    }
    let output = echo.wait_with_output().expect("it ran");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{:?}: {text}", output.status);
    assert!(text.contains("info string") && text.contains("60"), "{text}");
    assert_eq!(text.matches("Nodes searched").count(), 1, "a count that was stopped has no sum: {text}");
    assert!(text.contains("Nodes searched: 400"), "{text}");
}

#[test]
fn perft_suite_is_interruptible() {
    let sandbox = Sandbox::new();
    sandbox.write("long.epd", format!("{START} ;D30 1\n"));
    let words = "suite --positions long.epd --kind perft --depth 60 --engine echo --run run.sqlite";
    let mut harness = Command::new(THREEFOLD)
        .args(words.split(' '))
        .current_dir(sandbox.path(""))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let begun = Instant::now();
    while !sandbox.path("run.sqlite").exists() && begun.elapsed() < DEADLINE {
        thread::sleep(Duration::from_millis(10));
    }
    thread::sleep(Duration::from_millis(300));
    let sent = Command::new("kill").args(["-s", "TERM", &harness.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let sent = Instant::now();
    while harness.try_wait().expect("it is ours").is_none() {
        if sent.elapsed() > DEADLINE / 4 {
            harness.kill().expect("it is ours");
            panic!("SIGTERM doesn't end a count");
        }
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(harness.wait().expect("it ended").code(), Some(130));
}

#[test]
fn too_large_hash_table_is_refused() {
    let sandbox = Sandbox::new();
    let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kibibytes = memory
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:")?.split_whitespace().next()?.parse().ok());
    // A machine with as much memory as the largest table has nothing to refuse.
    let Some(0..67_108_864_u64) = kibibytes else { return };
    let text = sandbox.run("suite mates.toml --engine echo,Hash=65536 --run run.sqlite");
    assert_eq!(text.code, Some(2), "{}", text.err);
    assert!(text.err.contains("`Hash` can't be `65536`") && text.err.contains("MiB"), "{}", text.err);
}

#[test]
fn endless_input_line_is_dropped_and_the_next_is_read() {
    let limited = format!("ulimit -v 600000; exec {THREEFOLD} uci");
    let mut echo = Command::new("sh")
        .args(["-c", &limited])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut input = echo.stdin.take().expect("a pipe");
    let chunk = vec![b'x'; 1 << 20];
    // It may be gone: that shows in what it text.
    let _ = (0..800).try_for_each(|_| input.write_all(&chunk));
    // A hundred thousand moves are a long line, and no error.
    let moves = " g1f3 g8f6 f3g1 f6g8".repeat(25_000);
    let _ =
        input.write_all(format!("\nposition startpos moves{moves}\ngo depth 1\nisready\nquit\n").as_bytes());
    drop(input);
    let output = echo.wait_with_output().expect("it ran");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("readyok"), "{:?}: {text}", output.status);
    assert!(text.contains("info string a line of more than") && text.contains("bestmove "), "{text}");
}

#[test]
fn no_more_workers_start_than_there_are_jobs() {
    if !std::path::Path::new("/proc/self/task").exists() {
        return;
    }
    let sandbox = Sandbox::new();
    let mute = sandbox.engine("mute", "'go nodes 9') : > asked;;");
    let games = "--nodes 9 --games 2 --openings book.epd --run run.sqlite -j 40 --force";
    let mut harness = Command::new(THREEFOLD)
        .args(["match", "--engine", &mute, "--engine", "echo,Hash=1"])
        .args(games.split(' '))
        .current_dir(sandbox.path(""))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let begun = Instant::now();
    while !sandbox.path("asked").exists() && begun.elapsed() < DEADLINE {
        thread::sleep(Duration::from_millis(10));
    }
    let tasks = std::fs::read_dir(format!("/proc/{}/task", harness.id())).expect("it is running");
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
    let names: Vec<String> = names.collect();
    harness.kill().expect("it is ours");
    harness.wait().expect("it ran");
    let workers = names.iter().filter(|name| name.starts_with("worker ")).count();
    assert!((1..=2).contains(&workers) && names.len() < 20, "{names:?}");
}
