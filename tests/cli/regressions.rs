//! `regress` after an interruption: the same command continues, and another one keeps the results.

use nix::sys::signal::Signal;
use threefold_run::RunRecord;

use crate::interruption::{gate, interrupt};
use crate::sandbox::{CommandOutput, Sandbox};

const REGRESS: &str = "regress --plan plan.toml --baseline base --accept --out new -j 1 --engine";

fn words(sandbox: &Sandbox) -> Vec<String> {
    sandbox.write("at", "go*");
    let gate = sandbox.script("gate", &gate());
    let words = REGRESS.split(' ').map(str::to_owned).chain([format!("{gate},Hash=1")]);
    words.collect()
}

fn run(sandbox: &Sandbox, words: &[String], more: &[&str]) -> CommandOutput {
    sandbox.run_words(&words.iter().map(String::as_str).chain(more.iter().copied()).collect::<Vec<_>>())
}

fn found(sandbox: &Sandbox) -> usize {
    let run = RunRecord::read(&sandbox.path("new/run.sqlite")).expect("a sound journal");
    run.parts().iter().map(|part| part.progress.ended).sum()
}

/// A run that is interrupted after a few cases: the command, and the number of cases.
fn interrupted(sandbox: &Sandbox) -> (Vec<String>, usize) {
    let words = words(sandbox);
    let output = interrupt(sandbox, &words, 4, Signal::SIGTERM);
    assert_eq!(output.code, Some(130), "{}", output.err);
    let found = found(sandbox);
    assert!(found > 0);
    (words, found)
}

#[test]
fn interrupted_regression_run_continues_with_the_same_command() {
    let whole = Sandbox::new();
    let command = words(&whole);
    let output = run(&whole, &command, &[]);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let sandbox = Sandbox::new();
    let (mut command, found) = interrupted(&sandbox);
    // The places of its results are no part of what it asks.
    let base = command.iter().position(|word| word == "base").expect("it is in the command");
    command[base] = "other".to_owned();
    let output = run(&sandbox, &command, &[]);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let kept = format!("journal: new/run.sqlite, interrupted; continuing after {found} results\n");
    assert!(output.err.starts_with(&kept), "{}", output.err);
    for file in ["cases.csv", "games.pgn"] {
        assert!(whole.read(&format!("new/{file}")) == sandbox.read(&format!("new/{file}")), "{file}");
    }
    assert!(sandbox.path("other/cases.csv").exists() && !sandbox.path("base").exists());
    // A finished one is replaced.
    let output = run(&sandbox, &command, &[]);
    assert!(output.code == Some(0) && output.err.starts_with("journal: new/run.sqlite\n"), "{}", output.err);
}

#[test]
fn interrupted_regression_run_starts_over_on_demand() {
    let sandbox = Sandbox::new();
    let (command, _) = interrupted(&sandbox);
    let output = run(&sandbox, &command, &["--fresh"]);
    assert!(output.code == Some(0) && output.err.starts_with("journal: new/run.sqlite\n"), "{}", output.err);
}

#[test]
fn interrupted_regression_run_is_not_continued_by_a_different_one() {
    let sandbox = Sandbox::new();
    let (command, found_before) = interrupted(&sandbox);
    let refused = |command: &[String], expected: &str| {
        let output = run(&sandbox, command, &[]);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{expected}\n{}", output.err);
        assert!(
            output.err.contains(expected) && output.err.contains("--fresh"),
            "lacks `{expected}`: {}",
            output.err
        );
        assert_eq!(found(&sandbox), found_before, "{expected}");
    };
    let with =
        |old: &str, new: &str| -> Vec<String> { command.iter().map(|word| word.replace(old, new)).collect() };
    refused(
        &with("Hash=1", "Hash=2"),
        "is for `sh gate.sh,name=gate,Hash=1`, not `sh gate.sh,name=gate,Hash=2`",
    );
    sandbox.vary("plan.toml", "seed = 1", "seed = 2", "seed.toml");
    refused(&with("plan.toml", "seed.toml"), "its seed is 1, not 2");
    sandbox.vary("plan.toml", "\npairs = 4", "\npairs = 6", "longer.toml");
    refused(&with("plan.toml", "longer.toml"), "`policies` has 4 pairs of games, not 6");
    sandbox.write("gate.sh", format!("{}# mended\n", gate()));
    refused(&command, "the SHA-256 of ");
}
