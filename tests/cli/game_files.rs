//! The PGN file of `--pgn`: games are written as they end, `--append` keeps earlier games, and `resume`
//! completes it.

use std::fs::{self, File};
use std::thread;

use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

use crate::interruption::{MOVES, interrupt, sprt_alone, uninterrupted};
use crate::sandbox::{GAMES, Sandbox};

fn games(text: &str) -> usize {
    text.matches("[Event ").count()
}

#[test]
fn games_are_appended_to_an_existing_file() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&format!("{GAMES} --pgn alone.pgn"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    let alone = sandbox.read("alone.pgn");
    for (before, gap) in [
        ("", ""),
        ("[Event \"mine\"]\n\n1. e4 *\n\n", ""),
        ("[Event \"mine\"]\n\n1. e4 *\n", "\n"),
        ("[Event \"mine\"]\n\n1. e4 *", "\n\n"),
    ] {
        sandbox.write("all.pgn", before);
        let mut expected = format!("{before}{gap}");
        for _ in 0..2 {
            let output = sandbox.run(&format!("{GAMES} --pgn all.pgn --append"));
            assert_eq!(output.code, Some(0), "{}", output.err);
            expected.push_str(&alone);
            assert!(sandbox.read("all.pgn") == expected, "{before}");
        }
    }
    let output = sandbox.run(&format!("{GAMES} --pgn all.pgn --append --force"));
    assert_eq!(output.code, Some(2), "{}", output.err);
}

#[test]
fn changed_pgn_file_is_refused_and_truncated_one_completed() {
    const MINE: &str = "[Event \"mine\"]\n\n1. e4 *\n";
    let (_, all, _) = uninterrupted();
    let whole = format!("{MINE}\n{all}");
    let sandbox = Sandbox::new();
    sandbox.write("all.pgn", MINE);
    let mut words = sprt_alone(&sandbox, "go*");
    words.push("--append".to_owned());
    let output = interrupt(&sandbox, &words, 3 * MOVES + 1, Signal::SIGTERM);
    assert_eq!(output.code, Some(130), "{}", output.err);
    let (journal, part) = (fs::read(sandbox.path("run.sqlite")).expect("there"), sandbox.read("all.pgn"));
    assert!(games(&part) > 2 && whole.starts_with(&part), "{part}");
    let resume = |file: Option<&str>| {
        sandbox.write("run.sqlite", &journal);
        match file {
            Some(text) => sandbox.write("all.pgn", text),
            None => fs::remove_file(sandbox.path("all.pgn")).expect("there"),
        }
        sandbox.run("resume run.sqlite")
    };
    // What a killed process may leave: complete games, possibly followed by a part of one.
    for length in [part.len(), part.len() - 1, part.len() / 2, MINE.len() + 1, MINE.len()] {
        let output = resume(Some(&part[..length]));
        assert!(output.code.is_some_and(|code| code < 2), "{length}\n{}", output.err);
        assert!(sandbox.read("all.pgn") == whole, "{length}");
    }
    // A change by another program is not overwritten.
    for changed in [format!("{part}[Event \"theirs\"]\n\n*\n"), part.replacen("sprt", "sprint", 1)] {
        let output = resume(Some(&changed));
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}", output.err);
        let refused = "all.pgn: has changed since this run wrote to it; move it away";
        assert!(output.err.contains(refused), "{}", output.err);
        assert!(sandbox.read("all.pgn") == changed);
    }
    let output = resume(None);
    assert!(output.code.is_some_and(|code| code < 2), "{}", output.err);
    assert!(sandbox.read("all.pgn") == all, "this run's games are written anew");
}

#[test]
fn closed_pipe_stops_the_file_and_not_the_games() {
    let sandbox = Sandbox::new();
    mkfifo(&sandbox.path("pipe"), Mode::S_IRWXU).expect("a pipe");
    let reader = thread::spawn({
        let pipe = sandbox.path("pipe");
        move || drop(File::open(pipe).expect("readable"))
    });
    let output =
        sandbox.run(&format!("{} --pgn pipe --run run.sqlite", GAMES.replace("--games 4", "--games 60")));
    assert_eq!(output.code, Some(2), "{}", output.err);
    reader.join().expect("it ends");
    assert!(output.out.contains("match: 60 games"), "{}", output.out);
    assert!(output.err.contains("pipe: can't be written: Broken pipe"), "{}", output.err);
    assert!(output.err.contains("threefold report run.sqlite --out "), "{}", output.err);
    assert_eq!(sandbox.run("report run.sqlite --out new").code, Some(0));
    assert_eq!(games(&sandbox.read("new/games.pgn")), 60);
}

#[test]
fn sprt_writes_complete_pairs_only() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(
        "sprt --engine echo,nodes=400,Hash=1 --engine echo,nodes=1,Hash=1 --elo0 -60 --elo1 60 --alpha 0.3 \
         --beta 0.3 --openings builtin:balanced --games 200 --maxmoves 60 --resign movecount=1,score=300 --pgn all.pgn \
         --out new --run run.sqlite -j 3",
    );
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(sandbox.read("all.pgn") == sandbox.read("new/games.pgn"));
}
