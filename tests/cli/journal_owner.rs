//! A journal from another machine or user: `resume` starts no program and writes no file without `--trust`.

use nix::sys::signal::Signal;
use rusqlite::Connection;

use crate::interruption::{MOVES, begun, interrupt, sprt};
use crate::sandbox::Sandbox;

/// An interrupted test, with its journal changed by SQL.
fn altered(sql: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let words = sprt(&sandbox, "go*");
    let output = interrupt(&sandbox, &words, 2 * MOVES + 1, Signal::SIGTERM);
    assert_eq!(output.code, Some(130), "{}", output.err);
    begun(&sandbox);
    let db = Connection::open(sandbox.path("run.sqlite")).expect("a journal");
    db.execute_batch(sql).expect("sound SQL");
    drop(db);
    sandbox
}

/// The list before the start: programs and files with absolute paths.
fn check_listing(sandbox: &Sandbox, output: &str) {
    let folder = sandbox.path(".").canonicalize().expect("it is there");
    assert!(output.contains("/sh gate.sh\n") && output.contains("  runs /"), "{output}");
    for expected in
        [format!("  writes {}/all.pgn", folder.display()), format!("  writes {}/new", folder.display())]
    {
        assert!(output.contains(&expected), "lacks `{expected}`: {output}");
    }
}

#[test]
fn foreign_journal_is_resumed_only_if_trusted() {
    let table = [
        ("'$.owner.machine', 'another'", "was started on another machine or by another user"),
        ("'$.owner.user', 'another'", "was started on another machine or by another user"),
    ];
    let mut rooms: Vec<(Sandbox, &str)> = table
        .map(|(change, expected)| {
            (altered(&format!("UPDATE run SET ordered = json_set(ordered, {change})")), expected)
        })
        .into();
    let older =
        altered("UPDATE run SET ordered = json_remove(ordered, '$.owner', '$.folder', '$.conditions')");
    rooms.push((older, "does not say who started it on which machine"));
    for (sandbox, expected) in rooms {
        let before = sandbox.files().len();
        let output = sandbox.run("resume run.sqlite");
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}", output.err);
        assert!(output.err.contains(expected) && output.err.contains("give --trust"), "{}", output.err);
        assert!(output.err.contains("gate.sh") && output.err.contains("all.pgn"), "{}", output.err);
        assert_eq!(
            (begun(&sandbox), sandbox.files().len()),
            (0, before),
            "nothing is started, nothing written"
        );
        let output = sandbox.run("resume run.sqlite --trust");
        assert!(output.code.is_some_and(|code| code < 2), "{}", output.err);
        assert!(begun(&sandbox) > 0 && sandbox.path("all.pgn").exists());
    }
}

#[test]
fn resume_prints_commands_and_files_first() {
    let sandbox = altered("");
    let output = sandbox.run("resume run.sqlite");
    assert!(output.code.is_some_and(|code| code < 2), "{}", output.err);
    check_listing(&sandbox, &output.err);
    let help = sandbox.run("resume --help");
    assert!(help.out.contains("like a script: resume only what you would run"), "{}", help.out);
}

#[test]
fn resume_writes_to_the_given_folder() {
    let sandbox = altered("");
    let games = sandbox.read("all.pgn");
    let output = sandbox.run("resume run.sqlite --out elsewhere");
    assert!(output.code.is_some_and(|code| code < 2), "{}", output.err);
    assert!(sandbox.path("elsewhere/games.pgn").exists() && sandbox.path("elsewhere/index.html").exists());
    assert!(sandbox.read("all.pgn") == games && !sandbox.path("new").exists());
}

#[test]
fn names_in_a_foreign_journal_are_escaped() {
    let sandbox = altered(
        "UPDATE run SET ordered = json_set(ordered, '$.owner.user', 'x', '$.games', char(27) || '[2Jx')",
    );
    let output = sandbox.run("resume run.sqlite");
    assert_eq!(output.code, Some(2));
    assert!(!output.err.contains('\u{1b}') && output.err.contains("␛[2Jx"), "{}", output.err);
}

/// The owner in a journal is no secret: a journal with other programs and the same owner is a foreign one.
#[test]
fn journal_with_a_copied_owner_is_resumed_only_if_trusted() {
    let changes = [
        "'$.parts[0].task.match.engines[0]', 'sh other.sh,name=gate'",
        "'$.games', 'other.pgn'",
        "'$.folder', '/'",
    ];
    for change in changes {
        let sandbox = altered(&format!("UPDATE run SET ordered = json_set(ordered, {change})"));
        let before = sandbox.files().len();
        let output = sandbox.run("resume run.sqlite");
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{change}: {}", output.err);
        assert!(
            output.err.contains("names other programs or files than a run that you started"),
            "{}",
            output.err
        );
        assert_eq!((begun(&sandbox), sandbox.files().len()), (0, before), "{change}");
    }
    let older = altered("UPDATE run SET ordered = json_remove(ordered, '$.owner.seal')");
    let output = older.run("resume run.sqlite");
    assert_eq!(output.code, Some(2), "{}", output.err);
    assert!(output.err.contains("has no proof that you started it"), "{}", output.err);
}
