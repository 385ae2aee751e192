//! What `--pgn` and `--epd-out` write: fields, notation, quoted lines, tags, checksums, and their
//! continuation.

use std::fs;

use nix::sys::signal::Signal;

use crate::interruption::{MOVES, interrupt, sprt_alone};
use crate::sandbox::{GAMES, Sandbox};

/// The comments of the moves that engines made.
fn comments(pgn: &str) -> Vec<String> {
    let text = pgn.replace('\n', " ");
    let comments = text.split('{').skip(1).filter_map(|part| part.split_once('}'));
    comments.map(|(comment, _)| comment.to_owned()).filter(|comment| comment.contains('/')).collect()
}

fn play(sandbox: &Sandbox, options: &str) -> String {
    let output = sandbox.run(&format!("{GAMES} --pgn g.pgn --force {options}"));
    assert_eq!(output.code, Some(0), "{options}\n{}", output.err);
    sandbox.read("g.pgn")
}

#[test]
fn comments_have_the_fields_that_are_asked_for() {
    let sandbox = Sandbox::new();
    let has = |pgn: &str, field: &str| comments(pgn).iter().filter(|it| it.contains(field)).count();
    let usual = play(&sandbox, "");
    let moves = comments(&usual).len();
    assert!(moves > 20 && has(&usual, ", n=") == moves, "{usual}");
    let none = play(&sandbox, "--pgn-fields none");
    // The last comment of each of the four games has the reason for its end.
    assert_eq!((has(&none, ", "), comments(&none).len()), (4, moves), "{none}");
    let all = [("seldepth", ", sd="), ("nps", ", nps="), ("hashfull", ", hashfull="), ("pv", ", pv=\"")];
    for (name, field) in all {
        let pgn = play(&sandbox, &format!("--pgn-fields {name}"));
        assert_eq!(has(&pgn, field), moves, "{pgn}");
        assert_eq!((has(&pgn, ", n="), has(&usual, field)), (0, 0), "{name} alone, and only if asked for");
    }
    // Node limits have no clock, so there is nothing to say of time.
    let times = play(&sandbox, "--pgn-fields timeleft,latency");
    assert_eq!(has(&times, ", "), 4, "{times}");
    let output = sandbox.run(&format!("{GAMES} --pgn g.pgn --force --pgn-fields speed"));
    assert!(output.code == Some(2) && output.err.contains("use one of timeleft, latency"), "{}", output.err);
}

#[test]
fn matching_lines_are_quoted() {
    let sandbox = Sandbox::new();
    let pgn =
        play(&sandbox, r"--pgn-match-line ^info\sdepth\s1\s --pgn-match-line nothing --pgn-fields none");
    let quoted = comments(&pgn);
    let matching = quoted.iter().filter(|comment| comment.contains(", line=\"info depth 1 ")).count();
    assert!(matching > 20 && !pgn.contains("nothing"), "{pgn}");
    let output = sandbox.run(&format!("{GAMES} --pgn g.pgn --force --pgn-match-line ("));
    assert!(output.code == Some(2) && output.err.contains("is no regular expression"), "{}", output.err);
}

#[test]
fn clocks_give_dates_and_times_and_node_limits_do_not() {
    let sandbox = Sandbox::new();
    let usual = play(&sandbox, "");
    assert!(usual.contains("[Date \"????.??.??\"]") && !usual.contains("[GameStartTime"), "{usual}");
    assert!(usual.contains("[EngineWhiteName \"Echo") && usual.contains("[Site \"threefold\"]"), "{usual}");
    let output = sandbox.run(
        "match --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1 --tc 0.5+0.01 --games 2 --openings book.epd \
         --maxmoves 6 --pgn g.pgn --force --pgn-fields all --event Cup --site Home",
    );
    assert_eq!(output.code, Some(0), "{}", output.err);
    let pgn = sandbox.read("g.pgn");
    for tag in ["[Event \"Cup\"]", "[Site \"Home\"]", "[Date \"2", "[GameStartTime \"2", "[GameEndTime \"2"] {
        assert_eq!(pgn.matches(tag).count(), 2, "{tag}\n{pgn}");
    }
    assert!(pgn.contains("[GameDuration \"00:00:0"), "{pgn}");
    let timed = comments(&pgn);
    assert!(timed.iter().all(|it| it.contains(", tl=0.") && it.contains(", latency=")), "{pgn}");
}

#[test]
fn final_positions_and_checksums_are_written() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&format!("{GAMES} --pgn g.pgn --epd-out ends.epd --pgn-crc32 --jobs 2 --quiet"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    let (pgn, ends) = (fs::read(sandbox.path("g.pgn")).expect("written"), sandbox.read("ends.epd"));
    let lines: Vec<&str> = output.err.lines().filter(|line| line.contains("has CRC32:")).collect();
    let expected = format!("File g.pgn has CRC32: {:#x}", crc32fast::hash(&pgn));
    assert_eq!((lines.len(), lines.last().copied()), (4, Some(expected.as_str())), "{}", output.err);
    assert_eq!(ends.lines().count(), 4, "{ends}");
    assert!(ends.lines().all(|line| line.contains(" hmvc ") && line.contains("; fmvn ")), "{ends}");
    // Appended games: the checksum is that of the whole file.
    let output = sandbox.run(&format!("{GAMES} --pgn g.pgn --epd-out ends.epd --pgn-crc32 --append --quiet"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    let whole = fs::read(sandbox.path("g.pgn")).expect("written");
    let expected = format!("File g.pgn has CRC32: {:#x}", crc32fast::hash(&whole));
    assert_eq!(output.err.lines().last(), Some(expected.as_str()), "{}", output.err);
    assert!(whole.len() == 2 * pgn.len() && sandbox.read("ends.epd") == ends.repeat(2));
    let output = sandbox.run(&format!("{GAMES} --epd-out ends.epd"));
    assert!(output.code == Some(2) && output.err.contains("give --append"), "{}", output.err);
    let output = sandbox.run(&format!("{GAMES} --append"));
    assert!(output.code == Some(2) && output.err.contains("no file to add games to"), "{}", output.err);
}

#[test]
fn resumed_run_and_its_reports_keep_the_options() {
    let run = |sandbox: &Sandbox, stops: bool| {
        let mut words = sprt_alone(sandbox, "go*");
        let options =
            ["--epd-out", "ends.epd", "--pgn-notation", "lan", "--pgn-fields", "pv", "--event", "Cup"];
        words.extend(options.map(str::to_owned));
        if stops {
            let output = interrupt(sandbox, &words, 3 * MOVES + 1, Signal::SIGTERM);
            assert_eq!(output.code, Some(130), "{}", output.err);
            let (ends, pgn) = (sandbox.read("ends.epd"), sandbox.read("all.pgn"));
            assert!(ends.lines().count() == 2, "{ends}\n{pgn}\n{}", output.err);
            let output = sandbox.run("resume run.sqlite");
            assert!(output.code.is_some_and(|code| code < 2), "{}", output.err);
        } else {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let output = sandbox.run_words(&words);
            assert!(output.code.is_some_and(|code| code < 2), "{}", output.err);
        }
        ["all.pgn", "ends.epd", "new/games.pgn"].map(|file| sandbox.read(file))
    };
    let [whole, resumed] = [false, true].map(|stops| run(&Sandbox::new(), stops));
    assert!(whole == resumed, "{whole:?}\n{resumed:?}");
    let [pgn, _, report] = &resumed;
    assert!(pgn == report && pgn.contains("pv=\"") && pgn.contains("[Event \"Cup\"]"), "{pgn}");
}
