//! The runner or an engine is killed at random moments of a match, and the match is resumed: no game is lost,
//! and none counts twice.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::sandbox::{Sandbox, THREEFOLD};

const GAMES: usize = 100;

fn begin(sandbox: &Sandbox, words: &str) -> Child {
    Command::new(THREEFOLD)
        .args(words.split_whitespace())
        .current_dir(sandbox.path("."))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

/// The processes that a process has started.
fn children(process: u32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().flat_map(str::parse).collect::<Vec<i32>>()).collect()
}

/// One match to its end, with kills on the way. Returns how many there were.
fn killed_match(random: &mut ChaCha8Rng, most: usize) -> usize {
    let sandbox = Sandbox::new();
    let engine = |name| format!("--engine {THREEFOLD},args=uci,nodes=1,name={name}");
    let (first, second) = (engine("A"), engine("B"));
    let begun = format!(
        "match {first} {second} --tc 10+0.1 --games {GAMES} -j 2 --openings book.epd --pgn games.pgn --run run.sqlite \
         --machine-check 0 --max-faults 100%"
    );
    let (mut kills, mut words) = (0, begun.as_str());
    loop {
        let mut runner = begin(&sandbox, words);
        if kills < most {
            thread::sleep(Duration::from_millis(random.next_u64() % 150));
            let engines = children(runner.id());
            let victim = match engines.get((random.next_u32() % 5) as usize) {
                Some(engine) => *engine,
                None => i32::try_from(runner.id()).expect("a process"),
            };
            kills += usize::from(kill(Pid::from_raw(victim), Signal::SIGKILL).is_ok());
        }
        let error = io::read_to_string(runner.stderr.take().expect("a pipe")).expect("text");
        let status = runner.wait().expect("it ends");
        match status.code() {
            Some(0) => break,
            // Killed, perhaps before there was a journal.
            None => {
                words = if sandbox.path("run.sqlite").exists() { "resume run.sqlite -j 2" } else { &begun }
            }
            // An engine was killed before the first game.
            Some(3) if !sandbox.path("run.sqlite").exists() => words = &begun,
            Some(3) => words = "resume run.sqlite -j 2",
            code => panic!("{code:?} after {kills} kills: {error}"),
        }
    }
    let games = sandbox.read("games.pgn");
    let of = |tag: &str| -> Vec<&str> { games.lines().filter(|line| line.starts_with(tag)).collect() };
    let rounds = of("[Round ");
    let distinct: BTreeSet<_> = rounds.iter().collect();
    assert_eq!((rounds.len(), distinct.len(), of("[Result ").len()), (GAMES, GAMES, GAMES));
    kills
}

fn kill_matches(seed: u64, most: usize) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut kills = 0;
    while kills < most {
        kills += killed_match(&mut random, most - kills);
    }
}

#[test]
fn no_game_is_lost_or_counted_twice() {
    kill_matches(1, 25);
}

#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn no_game_is_lost_or_counted_twice_after_100_kills() {
    kill_matches(2, 100);
}
