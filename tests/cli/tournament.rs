//! What the tests share of tournaments and tests whose games depend on earlier results: the same outputs with any
//! number of jobs and after a kill.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use crate::interruption::begin;
use crate::sandbox::{CommandOutput, DEADLINE, Sandbox};

/// The files that a tournament with `--pgn all.pgn --out new` writes.
const FILES: [&str; 4] = ["all.pgn", "new/report.json", "new/games.pgn", "new/summary.md"];

/// Runs a command that must succeed.
pub(crate) fn done(sandbox: &Sandbox, command: &str) -> CommandOutput {
    let output = sandbox.run(command);
    assert_eq!(output.code, Some(0), "{command}\n{}", output.err);
    output
}

/// Runs a tournament with one job and with three; returns the folder and the output of the first.
pub(crate) fn with_any_jobs(command: &str) -> (Sandbox, CommandOutput) {
    let [sandbox, other] = [Sandbox::new(), Sandbox::new()];
    let output = done(&sandbox, &format!("{command} -j 1"));
    assert_eq!(done(&other, &format!("{command} -j 3")).out, output.out);
    for file in FILES {
        let text = |sandbox: &Sandbox| sandbox.read(file).replace("-j 3", "-j 1");
        assert_eq!(text(&other), text(&sandbox), "{file}");
    }
    let events = sandbox.read("events.jsonl");
    assert_eq!(events.matches("\"run_started\"").count(), 3, "one for each round");
    assert_eq!(events.matches("\"run_finished\"").count(), 1);
    assert_eq!(done(&sandbox, "resume run.sqlite").out, output.out);
    done(&sandbox, "report run.sqlite --format terminal --out again");
    assert_eq!(sandbox.read("again/summary.txt"), output.out);
    (sandbox, output)
}

/// A tournament or a test that is killed after some games goes on to the same result.
#[expect(clippy::disallowed_methods, reason = "a test that waits for a process gives up some time")]
pub(crate) fn killed_and_resumed(command: &str, games_before_kill: &[usize]) {
    let whole = Sandbox::new();
    let expected = done(&whole, &format!("{command} -j 2"));
    for &games in games_before_kill {
        let sandbox = Sandbox::new();
        let words: Vec<String> = format!("{command} -j 2").split_whitespace().map(str::to_owned).collect();
        let mut run = begin(&sandbox, &words);
        let (began, events) = (Instant::now(), sandbox.path("events.jsonl"));
        while fs::read_to_string(&events).unwrap_or_default().matches("game_finished").count() < games
            && run.try_wait().expect("a child").is_none()
        {
            assert!(began.elapsed() < DEADLINE, "it does not play");
            thread::sleep(Duration::from_millis(1));
        }
        run.kill().expect("a child");
        run.wait().expect("a child");
        let output = done(&sandbox, "resume run.sqlite");
        assert_eq!(output.out, expected.out, "killed after {games} games");
        for file in FILES {
            // A run that was finished when it was killed may lack the reports, which `resume` does not write
            // then.
            if file == "all.pgn" || sandbox.path(file).exists() {
                assert_eq!(sandbox.read(file), whole.read(file), "{file}, killed after {games} games");
            }
        }
    }
}
