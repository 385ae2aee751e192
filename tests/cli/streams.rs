//! Standard output and standard error that nobody reads, or that are full: what can't be told is dropped, what
//! can't be delivered is exit 2, and nothing ends in a panic.

use crate::room::{GAMES, Room};

/// Commands that print a result, at least a line of it.
const RESULTS: &[&str] = &[
    "report run.sqlite --out new",
    "plan --elo0 0 --elo1 5",
    "positions prove '6k1/8/6K1/8/8/8/8/R7 w - - 0 1' --within 3",
    "perft 2",
    "tablebase build --men 3 --dir tables",
    "tablebase verify KQK --dir tables",
    "tablebase probe '8/8/8/8/8/4k3/8/4K2Q w - - 0 1' --dir tables",
    "suite mates.toml --engine echo,Hash=1 --json",
    "rate games.pgn",
    "positions openings --seed 1 --count 1 --nodes 20",
    "--help",
    "match --help",
    "--version",
    "completions bash",
];

fn room() -> Room {
    let room = Room::new();
    let said = room.run(&format!("{GAMES} --pgn games.pgn --run run.sqlite"));
    assert_eq!(said.code, Some(0), "{}", said.err);
    let said = room.run("tablebase build --men 3 --dir tables");
    assert_eq!(said.code, Some(0), "{}", said.err);
    room
}

#[test]
fn a_result_that_cannot_be_delivered_is_exit_2() {
    let room = room();
    for command in RESULTS {
        let said = room.shell(&format!("$T {command} > /dev/full"));
        assert_eq!(said.code, Some(2), "{command}\n{}", said.err);
        assert!(said.err.contains("standard output can't be written"), "{command}\n{}", said.err);
        // Whether the reader is gone before the last line is chance.
        let said = room.shell(&format!("$T {command} | true; exit ${{PIPESTATUS[0]}}"));
        assert!(matches!(said.code, Some(0 | 2)), "{command}: {:?}\n{}", said.code, said.err);
        assert!(!said.err.contains("panicked"), "{command}\n{}", said.err);
        let said = room.shell(&format!("$T {command} >&- 2>&-"));
        assert!(matches!(said.code, Some(0 | 2)), "{command}: {:?}", said.code);
    }
}

#[test]
fn a_run_goes_on_when_nobody_hears_its_progress() {
    let whole = Room::new().run(&format!("{GAMES} --run run.sqlite"));
    for silenced in ["2> /dev/full", "2>&-", "2> >(head -1 > first)"] {
        let room = Room::new();
        let said = room.shell(&format!("$T {GAMES} --pgn all.pgn --run run.sqlite {silenced}"));
        assert_eq!((said.code, &said.out), (Some(0), &whole.out), "{silenced}\n{}", said.err);
        assert_eq!(room.read("all.pgn").matches("[Event ").count(), 4, "{silenced}");
    }
}

#[test]
fn an_error_that_nobody_hears_is_told_by_the_exit_code() {
    let room = Room::new();
    for command in
        ["match", "plan --elo1 x", "report none.sqlite", "rate none.pgn", "suite none.toml --engine echo"]
    {
        let said = room.shell(&format!("$T {command} 2> /dev/full"));
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{command}");
    }
}
