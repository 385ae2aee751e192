//! The file of `--pgn`: it grows while games end, takes up those that are there, and goes on after an interruption.

use std::fs::{self, File};
use std::thread;

use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

use crate::interruption::{MOVES, interrupt, sprt_alone, uninterrupted};
use crate::room::{GAMES, Room};

fn games(text: &str) -> usize {
    text.matches("[Event ").count()
}

#[test]
fn games_are_added_to_those_that_are_there() {
    let room = Room::new();
    let said = room.run(&format!("{GAMES} --pgn alone.pgn"));
    assert_eq!(said.code, Some(0), "{}", said.err);
    let alone = room.read("alone.pgn");
    for (before, gap) in [
        ("", ""),
        ("[Event \"mine\"]\n\n1. e4 *\n\n", ""),
        ("[Event \"mine\"]\n\n1. e4 *\n", "\n"),
        ("[Event \"mine\"]\n\n1. e4 *", "\n\n"),
    ] {
        room.write("all.pgn", before);
        let mut expected = format!("{before}{gap}");
        for _ in 0..2 {
            let said = room.run(&format!("{GAMES} --pgn all.pgn --append"));
            assert_eq!(said.code, Some(0), "{}", said.err);
            expected.push_str(&alone);
            assert!(room.read("all.pgn") == expected, "{before}");
        }
    }
    let said = room.run(&format!("{GAMES} --pgn all.pgn --append --force"));
    assert_eq!(said.code, Some(2), "{}", said.err);
}

#[test]
fn a_file_that_has_changed_is_left_alone_and_one_that_is_cut_off_is_completed() {
    const MINE: &str = "[Event \"mine\"]\n\n1. e4 *\n";
    let (_, all, _) = uninterrupted();
    let whole = format!("{MINE}\n{all}");
    let room = Room::new();
    room.write("all.pgn", MINE);
    let mut words = sprt_alone(&room, "go*");
    words.push("--append".to_owned());
    let said = interrupt(&room, &words, 3 * MOVES + 1, Signal::SIGINT);
    assert_eq!(said.code, Some(130), "{}", said.err);
    let (journal, part) = (fs::read(room.path("run.sqlite")).expect("there"), room.read("all.pgn"));
    assert!(games(&part) > 2 && whole.starts_with(&part), "{part}");
    let resume = |file: Option<&str>| {
        room.write("run.sqlite", &journal);
        match file {
            Some(text) => room.write("all.pgn", text),
            None => fs::remove_file(room.path("all.pgn")).expect("there"),
        }
        room.run("resume run.sqlite")
    };
    // As a killed process leaves it: whole games, and at worst a part of the last.
    for length in [part.len(), part.len() - 1, part.len() / 2, MINE.len() + 1, MINE.len()] {
        let said = resume(Some(&part[..length]));
        assert!(said.code.is_some_and(|code| code < 2), "{length}\n{}", said.err);
        assert!(room.read("all.pgn") == whole, "{length}");
    }
    // Somebody else has written to it.
    for changed in [format!("{part}[Event \"theirs\"]\n\n*\n"), part.replacen("sprt", "sprint", 1)] {
        let said = resume(Some(&changed));
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{}", said.err);
        let refused = "all.pgn: has changed since this run wrote to it; move it away";
        assert!(said.err.contains(refused), "{}", said.err);
        assert!(room.read("all.pgn") == changed);
    }
    let said = resume(None);
    assert!(said.code.is_some_and(|code| code < 2), "{}", said.err);
    assert!(room.read("all.pgn") == all, "this run's games are written anew");
}

#[test]
fn a_reader_that_goes_away_costs_the_file_and_not_the_games() {
    let room = Room::new();
    mkfifo(&room.path("pipe"), Mode::S_IRWXU).expect("a pipe");
    let reader = thread::spawn({
        let pipe = room.path("pipe");
        move || drop(File::open(pipe).expect("readable"))
    });
    let said = room.run(&format!("{} --pgn pipe --run run.sqlite", GAMES.replace("--games 4", "--games 60")));
    assert_eq!(said.code, Some(2), "{}", said.err);
    reader.join().expect("it ends");
    assert!(said.out.contains("match: 60 games"), "{}", said.out);
    assert!(said.err.contains("pipe: can't be written: Broken pipe"), "{}", said.err);
    assert!(said.err.contains("threefold report run.sqlite --out "), "{}", said.err);
    assert_eq!(room.run("report run.sqlite --out new").code, Some(0));
    assert_eq!(games(&room.read("new/games.pgn")), 60);
}

#[test]
fn a_sequential_test_writes_complete_pairs_and_no_surplus_game() {
    let room = Room::new();
    let said = room.run(
        "sprt --engine echo,nodes=400,Hash=1 --engine echo,nodes=1,Hash=1 --elo0 -60 --elo1 60 --alpha 0.3 \
         --beta 0.3 --openings book.epd --games 200 --maxmoves 60 --resign movecount=1,score=300 --pgn all.pgn \
         --out new --run run.sqlite -j 3",
    );
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(room.read("all.pgn") == room.read("new/games.pgn"));
}
