//! Files that are no journal, or no longer one: exit 2, what they are and what to do, and not a byte changed.

use std::fs;

use rusqlite::Connection;

use crate::room::{GAMES, Room, THREEFOLD};

#[test]
fn what_is_no_journal_is_named_and_left_as_it_was() {
    let room = Room::new();
    let made = room.run(&format!("{GAMES} --run made.sqlite"));
    assert_eq!(made.code, Some(0), "{}", made.err);
    let whole = fs::read(room.path("made.sqlite")).expect("a journal");
    room.write("text.sqlite", "hello\n");
    room.write("empty.sqlite", "");
    room.write("short.sqlite", &whole[..3000]);
    room.write("torn.sqlite", &whole[..whole.len() - 4096]);
    room.write("newer.sqlite", &whole);
    let db = Connection::open(room.path("newer.sqlite")).expect("a database");
    db.pragma_update(None, "user_version", 9).expect("it can be written");
    drop(db);
    let db = Connection::open(room.path("other.sqlite")).expect("a database");
    db.execute_batch("CREATE TABLE t (x)").expect("it can be written");
    drop(db);
    let table: &[(&str, &[&str])] = &[
        ("gone.sqlite", &["gone.sqlite: can't be opened", "check the path"]),
        ("text.sqlite", &["text.sqlite: is no journal of a run", "give the file that a run was begun with"]),
        ("empty.sqlite", &["empty.sqlite: is no journal of a run"]),
        ("other.sqlite", &["other.sqlite: is no journal of a run"]),
        ("short.sqlite", &["short.sqlite: is damaged", "begin the run anew"]),
        ("torn.sqlite", &["torn.sqlite: is damaged", "begin the run anew"]),
        ("newer.sqlite", &["newer.sqlite: was written in format 9", "use a newer one"]),
        (".", &[".: can't be opened"]),
    ];
    for (file, parts) in table {
        for command in ["resume", "report --out new"] {
            let before = room.files();
            let said = room.run(&format!("{command} {file}"));
            assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{command} {file}\n{}", said.err);
            for part in *parts {
                assert!(said.err.contains(part), "{command} {file}\nlacks `{part}`:\n{}", said.err);
            }
            assert!(before == room.files(), "{command} {file} changed {:?}", room.files().keys());
        }
    }
}

#[test]
fn a_journal_is_taken_where_nobody_else_has_it() {
    let room = Room::new();
    for number in [1, 2] {
        let said = room.run(GAMES);
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert!(said.err.starts_with(&format!("journal: runs/match-{number}.sqlite\n")), "{}", said.err);
    }
    let said = room.run(&format!("{GAMES} --run runs/match-1.sqlite"));
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("runs/match-1.sqlite: exists already; `resume` it"), "{}", said.err);
}

#[test]
fn a_regression_run_takes_the_place_of_the_one_before_and_of_nothing_else() {
    let room = Room::new();
    let regress = "regress --plan plan.toml --quick --out new";
    for _ in 0..2 {
        let said = room.run(regress);
        assert_eq!(said.code, Some(0), "{}", said.err);
    }
    // Left behind by a process that was killed before it could write anything.
    room.write("new/run.sqlite", "");
    assert_eq!(room.run(regress).code, Some(0));
    room.write("new/run.sqlite", "my own notes\n");
    let said = room.run(regress);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("new/run.sqlite: is no journal of a run"), "{}", said.err);
    assert_eq!(room.read("new/run.sqlite"), "my own notes\n");
}

#[test]
fn a_result_that_cannot_be_written_waits_in_the_journal() {
    let room = Room::new();
    // In the way once the work has begun.
    let engine = room.script("late", &format!("mkdir -p all.pgn; exec '{THREEFOLD}' uci\n"));
    let words = format!("{GAMES} --pgn all.pgn --run run.sqlite");
    let mut words: Vec<&str> = words.split_whitespace().collect();
    let place = words.iter().position(|word| word.starts_with("echo")).expect("an engine");
    words[place] = &engine;
    let said = room.run_words(&words);
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(
        said.err.contains("all.pgn: can't be written: is a directory; name another place"),
        "{}",
        said.err
    );
    fs::remove_dir_all(room.path("all.pgn")).expect("it is there");
    assert_eq!(room.run("resume run.sqlite --out new").code, Some(0));
    assert_eq!(room.read("new/games.pgn").matches("[Event ").count(), 4);
    assert!(
        !room.path("all.pgn").is_file(),
        "a finished run writes where it is told to now, and nowhere else"
    );
}

#[test]
fn finished_run_is_resumed_by_saying_it_again_and_writes_only_where_it_is_told_to() {
    let commands = [
        format!("{GAMES} --pgn all.pgn --run run.sqlite"),
        "suite mates.toml --engine echo,Hash=1 --json --out . --run run.sqlite".to_owned(),
        "regress --plan plan.toml --out . --baseline base --accept".to_owned(),
    ];
    for command in commands {
        let room = Room::new();
        let first = room.run(&command);
        assert_eq!(first.code, Some(0), "{command}\n{}", first.err);
        for file in ["all.pgn", "cases.csv", "games.pgn", "index.html", "base/cases.csv", "base/figures.json"]
        {
            if room.path(file).exists() {
                fs::remove_file(room.path(file)).expect("it can be removed");
            }
        }
        let left = room.files();
        let again = room.run("resume run.sqlite");
        assert_eq!((again.code, &again.out), (first.code, &first.out), "{command}\n{}", again.err);
        let remedy =
            "run.sqlite: the run is finished; `threefold report run.sqlite --out DIR` writes its reports";
        assert!(again.err.contains(remedy), "{}", again.err);
        let names = |files: &std::collections::BTreeMap<_, _>| {
            files.keys().cloned().collect::<Vec<std::path::PathBuf>>()
        };
        assert_eq!(names(&room.files()), names(&left), "{command}");
        let again = room.run("resume run.sqlite --out new");
        assert_eq!((again.code, &again.out), (first.code, &first.out), "{command}\n{}", again.err);
        assert!(room.path("new/index.html").exists());
        assert_eq!(room.path("new/baseline/cases.csv").exists(), command.contains("--accept"));
        assert!(!room.path("index.html").exists() && !room.path("base/cases.csv").exists());
    }
}
