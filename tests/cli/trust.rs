//! A journal that comes from elsewhere: it names programs to start and files to write, so nothing of that happens unasked.

use nix::sys::signal::Signal;
use rusqlite::Connection;

use crate::interruption::{MOVES, begun, interrupt, sprt};
use crate::room::Room;

/// A test that is interrupted, and its journal changed as SQL says.
fn altered(sql: &str) -> Room {
    let room = Room::new();
    let words = sprt(&room, "go*");
    let said = interrupt(&room, &words, 2 * MOVES + 1, Signal::SIGINT);
    assert_eq!(said.code, Some(130), "{}", said.err);
    begun(&room);
    let db = Connection::open(room.path("run.sqlite")).expect("a journal");
    db.execute_batch(sql).expect("sound SQL");
    drop(db);
    room
}

/// What is listed before anything is started: programs and places, from the root.
fn check_listing(room: &Room, said: &str) {
    let folder = room.path(".").canonicalize().expect("it is there");
    assert!(said.contains("/sh gate.sh\n") && said.contains("  runs /"), "{said}");
    for told in
        [format!("  writes {}/all.pgn", folder.display()), format!("  writes {}/new", folder.display())]
    {
        assert!(said.contains(&told), "lacks `{told}`: {said}");
    }
}

#[test]
fn journal_from_elsewhere_is_resumed_only_by_those_who_trust_it() {
    let table = [
        ("'$.owner.machine', 'another'", "was started on another machine or by another user"),
        ("'$.owner.user', 'another'", "was started on another machine or by another user"),
    ];
    let mut rooms: Vec<(Room, &str)> = table
        .map(|(change, told)| {
            (altered(&format!("UPDATE run SET ordered = json_set(ordered, {change})")), told)
        })
        .into();
    let older =
        altered("UPDATE run SET ordered = json_remove(ordered, '$.owner', '$.folder', '$.conditions')");
    rooms.push((older, "does not say who started it on which machine"));
    for (room, told) in rooms {
        let before = room.files().len();
        let said = room.run("resume run.sqlite");
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{}", said.err);
        assert!(said.err.contains(told) && said.err.contains("give --trust"), "{}", said.err);
        assert!(said.err.contains("gate.sh") && said.err.contains("all.pgn"), "{}", said.err);
        assert_eq!((begun(&room), room.files().len()), (0, before), "nothing is started, nothing written");
        let said = room.run("resume run.sqlite --trust");
        assert!(said.code.is_some_and(|code| code < 2), "{}", said.err);
        assert!(begun(&room) > 0 && room.path("all.pgn").exists());
    }
}

#[test]
fn resumed_run_says_first_what_it_starts_and_writes() {
    let room = altered("");
    let said = room.run("resume run.sqlite");
    assert!(said.code.is_some_and(|code| code < 2), "{}", said.err);
    check_listing(&room, &said.err);
    let help = room.run("resume --help");
    assert!(help.out.contains("like a script: resume only what you would run"), "{}", help.out);
}

#[test]
fn resumed_run_writes_elsewhere_when_it_is_told_to() {
    let room = altered("");
    let games = room.read("all.pgn");
    let said = room.run("resume run.sqlite --out elsewhere");
    assert!(said.code.is_some_and(|code| code < 2), "{}", said.err);
    assert!(room.path("elsewhere/games.pgn").exists() && room.path("elsewhere/index.html").exists());
    assert!(room.read("all.pgn") == games && !room.path("new").exists());
}

#[test]
fn names_in_a_foreign_journal_cannot_command_the_terminal() {
    let room = altered(
        "UPDATE run SET ordered = json_set(ordered, '$.owner.user', 'x', '$.games', char(27) || '[2Jx')",
    );
    let said = room.run("resume run.sqlite");
    assert_eq!(said.code, Some(2));
    assert!(!said.err.contains('\u{1b}') && said.err.contains("␛[2Jx"), "{}", said.err);
}
