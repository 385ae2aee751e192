//! Journals whose results contradict their moves or their jobs: every command that reads one says that it is
//! damaged, and which job it is.

use std::fs;

use rusqlite::Connection;

use crate::sandbox::{GAMES, Sandbox};

/// Changes a copy of a journal by SQL; each command must refuse it with this text.
fn check(sandbox: &Sandbox, whole: &[u8], sql: &str, expected: &str) {
    fs::write(sandbox.path("changed.sqlite"), whole).expect("writable");
    let db = Connection::open(sandbox.path("changed.sqlite")).expect("a journal");
    db.execute_batch(sql).expect("sound SQL");
    drop(db);
    for command in [
        "report changed.sqlite --out new",
        "resume changed.sqlite",
        "bundle changed.sqlite match/1 --out new",
    ] {
        let output = sandbox.run(command);
        assert_eq!(output.code, Some(2), "{command} {sql}: {} {}", output.out, output.err);
        assert!(output.err.contains("changed.sqlite: is damaged: "), "{command} {sql}: {}", output.err);
        assert!(output.err.contains(expected), "{command}: lacks `{expected}`: {}", output.err);
        assert!(output.err.contains("restore it from a copy, or begin the run anew"), "{}", output.err);
        assert!(!sandbox.path("new").exists(), "nothing is written");
    }
}

#[test]
fn journal_with_other_results_than_its_moves_is_damaged() {
    let sandbox = Sandbox::new();
    let made = sandbox.run(&format!("{GAMES} --run made.sqlite"));
    assert_eq!(made.code, Some(0), "{}", made.err);
    let whole = fs::read(sandbox.path("made.sqlite")).expect("a journal");
    let second = "WHERE job = 1";
    let set = |what: &str| format!("UPDATE finding SET found = json_set(found, {what}) {second}");
    let flipped = "'$.game.outcome', iif(found ->> '$.game.outcome' = 'white', 'black', 'white')";
    let table = [
        (set(flipped), "game 2 of `"),
        (set("'$.game.end', 'checkmate', '$.game.outcome', 'white'"), "is recorded as `1-0, checkmate`"),
        (set("'$.game.played', json('[]')"), "a position in which the game goes on"),
        (
            set("'$.game.players', json_array(found ->> '$.game.players[1]', found ->> '$.game.players[0]')"),
            "the players are",
        ),
        (set("'$.game.opening.fen', '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'"), "the opening is"),
        (
            format!("UPDATE finding SET found = (SELECT found FROM finding WHERE job = 0) {second}"),
            "the players",
        ),
        (
            "UPDATE finding SET found = json_remove(found, '$.game.played[0]') WHERE job = 1".to_owned(),
            "is illegal",
        ),
    ];
    for (sql, expected) in table {
        check(&sandbox, &whole, &sql, expected);
    }
    fs::write(sandbox.path("changed.sqlite"), whole).expect("writable");
    let right = sandbox.run("report changed.sqlite --out new");
    assert_eq!(right.code, Some(0), "{}", right.err);
}

#[test]
fn journal_with_a_verdict_that_contradicts_its_answer_is_damaged() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "b.epd",
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1 bm Ra8;\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 am e4;\n",
    );
    sandbox.write(
        "b.toml",
        "version = 1\nkind = \"best-move\"\ntitle = \"B\"\npositions = [\"b.epd\"]\n[limits]\nnodes = 2000\n",
    );
    let made = sandbox.run("suite b.toml --engine echo --run made.sqlite");
    assert!(made.code.is_some_and(|code| code < 2), "{}", made.err);
    let whole = fs::read(sandbox.path("made.sqlite")).expect("a journal");
    let first = "WHERE job = 0";
    let set = |what: &str| format!("UPDATE finding SET found = json_set(found, {what}) {first}");
    check(
        &sandbox,
        &whole,
        &set("'$.case.mark', 'passed', '$.case.cause', 'an accepted move', '$.case.played', 'e1e2'"),
        "case 1 of `b`: the verdict `an accepted move` contradicts the answer `e1e2`",
    );
    check(&sandbox, &whole, &set("'$.case.class', 'easy'"), "its class is `easy`");
    check(&sandbox, &whole, &set("'$.case.nodes', 900000"), "it has 900000 nodes, and the limit is 2000");
}
