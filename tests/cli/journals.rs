//! Files that are not a journal, or are damaged: exit code 2, a remedy, and no changed byte.

use std::fs;

use rusqlite::Connection;

use crate::sandbox::{GAMES, Sandbox, THREEFOLD};

#[test]
fn invalid_journal_is_named_and_unchanged() {
    let sandbox = Sandbox::new();
    let made = sandbox.run(&format!("{GAMES} --run made.sqlite"));
    assert_eq!(made.code, Some(0), "{}", made.err);
    let whole = fs::read(sandbox.path("made.sqlite")).expect("a journal");
    sandbox.write("text.sqlite", "hello\n");
    sandbox.write("empty.sqlite", "");
    sandbox.write("short.sqlite", &whole[..3000]);
    sandbox.write("torn.sqlite", &whole[..whole.len() - 4096]);
    sandbox.write("newer.sqlite", &whole);
    let db = Connection::open(sandbox.path("newer.sqlite")).expect("a database");
    db.pragma_update(None, "user_version", 9).expect("it can be written");
    drop(db);
    let db = Connection::open(sandbox.path("other.sqlite")).expect("a database");
    db.execute_batch("CREATE TABLE t (x)").expect("it can be written");
    drop(db);
    let table: &[(&str, &[&str])] = &[
        ("gone.sqlite", &["gone.sqlite: can't be opened", "check the path"]),
        ("text.sqlite", &["text.sqlite: is no journal of a run", "give the file that a run was begun with"]),
        ("empty.sqlite", &["empty.sqlite: is no journal of a run"]),
        ("other.sqlite", &["other.sqlite: is no journal of a run"]),
        ("short.sqlite", &["short.sqlite: is damaged", "begin the run anew"]),
        ("torn.sqlite", &["torn.sqlite: is damaged", "begin the run anew"]),
        ("newer.sqlite", &["newer.sqlite: was written in format 9", "use the version that wrote it"]),
        (".", &[".: can't be opened"]),
    ];
    for (file, parts) in table {
        for command in ["resume", "report --out new"] {
            let before = sandbox.files();
            let output = sandbox.run(&format!("{command} {file}"));
            assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{command} {file}\n{}", output.err);
            for part in *parts {
                assert!(output.err.contains(part), "{command} {file}\nlacks `{part}`:\n{}", output.err);
            }
            assert!(before == sandbox.files(), "{command} {file} changed {:?}", sandbox.files().keys());
        }
    }
}

#[test]
fn existing_journal_is_not_replaced() {
    let sandbox = Sandbox::new();
    for number in [1, 2] {
        let output = sandbox.run(GAMES);
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert!(output.err.starts_with(&format!("journal: runs/match-{number}.sqlite\n")), "{}", output.err);
    }
    let output = sandbox.run(&format!("{GAMES} --run runs/match-1.sqlite"));
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("runs/match-1.sqlite: exists already; `resume` it"), "{}", output.err);
}

#[test]
fn regression_run_replaces_only_an_earlier_regression_run() {
    let sandbox = Sandbox::new();
    let regress = "regress --plan plan.toml --quick --out new";
    for _ in 0..2 {
        let output = sandbox.run(regress);
        assert_eq!(output.code, Some(0), "{}", output.err);
    }
    // Left behind by a process that was killed before it could write anything.
    sandbox.write("new/run.sqlite", "");
    assert_eq!(sandbox.run(regress).code, Some(0));
    sandbox.write("new/run.sqlite", "my own notes\n");
    let output = sandbox.run(regress);
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("new/run.sqlite: is no journal of a run"), "{}", output.err);
    assert_eq!(sandbox.read("new/run.sqlite"), "my own notes\n");
}

#[test]
fn unwritable_result_stays_in_the_journal() {
    let sandbox = Sandbox::new();
    // In the way once the work has begun.
    let engine = sandbox.script("late", &format!("mkdir -p all.pgn; exec '{THREEFOLD}' uci\n"));
    let words = format!("{GAMES} --pgn all.pgn --run run.sqlite");
    let mut words: Vec<&str> = words.split_whitespace().collect();
    let place = words.iter().position(|word| word.starts_with("echo")).expect("an engine");
    words[place] = &engine;
    let output = sandbox.run_words(&words);
    assert_eq!(output.code, Some(2), "{}", output.err);
    assert!(
        output.err.contains("all.pgn: can't be written: is a directory; name another place"),
        "{}",
        output.err
    );
    fs::remove_dir_all(sandbox.path("all.pgn")).expect("it is there");
    assert_eq!(sandbox.run("resume run.sqlite --out new").code, Some(0));
    assert_eq!(sandbox.read("new/games.pgn").matches("[Event ").count(), 4);
    assert!(!sandbox.path("all.pgn").is_file(), "a finished run writes only to the new folder");
}

#[test]
fn finished_run_is_reported_again_to_the_given_files_only() {
    let commands = [
        format!("{GAMES} --pgn all.pgn --run run.sqlite"),
        "suite mates.toml --engine echo,Hash=1 --json --out . --run run.sqlite".to_owned(),
        "regress --plan plan.toml --out . --baseline base --accept".to_owned(),
    ];
    for command in commands {
        let sandbox = Sandbox::new();
        let first = sandbox.run(&command);
        assert_eq!(first.code, Some(0), "{command}\n{}", first.err);
        for file in ["all.pgn", "cases.csv", "games.pgn", "index.html", "base/cases.csv", "base/figures.json"]
        {
            if sandbox.path(file).exists() {
                fs::remove_file(sandbox.path(file)).expect("it can be removed");
            }
        }
        let left = sandbox.files();
        let again = sandbox.run("resume run.sqlite");
        assert_eq!((again.code, &again.out), (first.code, &first.out), "{command}\n{}", again.err);
        let remedy =
            "run.sqlite: the run is finished; `threefold report run.sqlite --out DIR` writes its reports";
        assert!(again.err.contains(remedy), "{}", again.err);
        let names = |files: &std::collections::BTreeMap<_, _>| {
            files.keys().cloned().collect::<Vec<std::path::PathBuf>>()
        };
        assert_eq!(names(&sandbox.files()), names(&left), "{command}");
        let again = sandbox.run("resume run.sqlite --out new");
        assert_eq!((again.code, &again.out), (first.code, &first.out), "{command}\n{}", again.err);
        assert!(sandbox.path("new/index.html").exists());
        assert_eq!(sandbox.path("new/baseline/cases.csv").exists(), command.contains("--accept"));
        assert!(!sandbox.path("index.html").exists() && !sandbox.path("base/cases.csv").exists());
    }
}
