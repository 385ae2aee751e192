//! `regress` after an interruption: the same command goes on, another one doesn't throw away what was found.

use nix::sys::signal::Signal;
use threefold_harness::run::RunRecord;

use crate::interruption::{gate, interrupt};
use crate::room::{Room, Said};

const REGRESS: &str = "regress --plan plan.toml --baseline base --accept --out new -j 1 --engine";

fn words(room: &Room) -> Vec<String> {
    room.write("at", "go*");
    let gate = room.script("gate", &gate());
    let words = REGRESS.split(' ').map(str::to_owned).chain([format!("{gate},Hash=1")]);
    words.collect()
}

fn run(room: &Room, words: &[String], more: &[&str]) -> Said {
    room.run_words(&words.iter().map(String::as_str).chain(more.iter().copied()).collect::<Vec<_>>())
}

fn found(room: &Room) -> usize {
    let run = RunRecord::read(&room.path("new/run.sqlite")).expect("a sound journal");
    run.parts().iter().map(|part| part.progress.ended).sum()
}

/// A run that is interrupted after a few cases; the command, and how many.
fn interrupted(room: &Room) -> (Vec<String>, usize) {
    let words = words(room);
    let said = interrupt(room, &words, 4, Signal::SIGINT);
    assert_eq!(said.code, Some(130), "{}", said.err);
    let found = found(room);
    assert!(found > 0);
    (words, found)
}

#[test]
fn interrupted_regression_run_goes_on_with_the_same_command() {
    let whole = Room::new();
    let command = words(&whole);
    let said = run(&whole, &command, &[]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let room = Room::new();
    let (mut command, found) = interrupted(&room);
    // The places of its results are no part of what it asks.
    let base = command.iter().position(|word| word == "base").expect("it is said");
    command[base] = "other".to_owned();
    let said = run(&room, &command, &[]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let kept = format!("journal: new/run.sqlite, interrupted; {found} findings are kept\n");
    assert!(said.err.starts_with(&kept), "{}", said.err);
    for file in ["cases.csv", "games.pgn"] {
        assert!(whole.read(&format!("new/{file}")) == room.read(&format!("new/{file}")), "{file}");
    }
    assert!(room.path("other/cases.csv").exists() && !room.path("base").exists());
    // A finished one is replaced.
    let said = run(&room, &command, &[]);
    assert!(said.code == Some(0) && said.err.starts_with("journal: new/run.sqlite\n"), "{}", said.err);
}

#[test]
fn interrupted_regression_run_begins_anew_on_demand() {
    let room = Room::new();
    let (command, _) = interrupted(&room);
    let said = run(&room, &command, &["--fresh"]);
    assert!(said.code == Some(0) && said.err.starts_with("journal: new/run.sqlite\n"), "{}", said.err);
}

#[test]
fn interrupted_regression_run_is_not_gone_on_with_nor_replaced_by_another() {
    let room = Room::new();
    let (command, found_before) = interrupted(&room);
    let refused = |command: &[String], told: &str| {
        let said = run(&room, command, &[]);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{told}\n{}", said.err);
        assert!(said.err.contains(told) && said.err.contains("--fresh"), "lacks `{told}`: {}", said.err);
        assert_eq!(found(&room), found_before, "{told}");
    };
    let with =
        |old: &str, new: &str| -> Vec<String> { command.iter().map(|word| word.replace(old, new)).collect() };
    refused(
        &with("Hash=1", "Hash=2"),
        "is for `sh gate.sh,name=gate,Hash=1`, not `sh gate.sh,name=gate,Hash=2`",
    );
    room.vary("plan.toml", "seed = 1", "seed = 2", "seed.toml");
    refused(&with("plan.toml", "seed.toml"), "its seed is 1, not 2");
    room.vary("plan.toml", "\npairs = 4", "\npairs = 6", "longer.toml");
    refused(&with("plan.toml", "longer.toml"), "`policies` has 4 pairs of games, not 6");
    room.write("gate.sh", format!("{}# mended\n", gate()));
    refused(&command, "the SHA-256 of ");
}
