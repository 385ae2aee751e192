//! `regress --shard` on several machines and `merge`: the files of one run.

use rusqlite::Connection;

use crate::sandbox::{CommandOutput, Sandbox};

const REGRESS: &str = "regress --plan plan.toml --baseline base";

/// A sandbox whose baseline is Echo's.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&format!("{REGRESS} --accept --out accepted"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    sandbox
}

/// Runs all shards, each in a folder of its own, then merges them.
fn merged(sandbox: &Sandbox, count: usize, engine: &[&str]) -> CommandOutput {
    let mut journals = Vec::new();
    for number in (1..=count).rev() {
        let (shard, out) = (format!("{number}/{count}"), format!("shard-{number}"));
        let words: Vec<&str> = REGRESS.split(' ').chain(["--shard", &shard, "--out", &out]).collect();
        let output = sandbox.run_words(&[&words, engine].concat());
        assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
        assert!(output.out.starts_with(&format!("shard {shard} is finished: ")), "{}", output.out);
        assert!(
            !sandbox.path(&format!("{out}/cases.csv")).exists(),
            "the reports are those of the whole run"
        );
        journals.push(format!("{out}/run.sqlite"));
    }
    sandbox.run(&format!("merge {} --out merged", journals.join(" ")))
}

/// Makes a journal that of another user.
fn make_foreign(sandbox: &Sandbox, journal: &str) {
    let db = Connection::open(sandbox.path(journal)).expect("a journal");
    db.execute_batch("UPDATE run SET ordered = json_set(ordered, '$.owner.user', 'another')")
        .expect("sound SQL");
}

/// The files of a run that depend on its results alone.
const SAME: [&str; 4] = ["cases.csv", "junit.xml", "rates.csv", "games.pgn"];

#[test]
fn merged_shards_have_the_files_of_one_run() {
    let sandbox = sandbox();
    let whole = sandbox.run(&format!("{REGRESS} --out whole"));
    assert_eq!(whole.code, Some(0), "{}{}", whole.out, whole.err);
    let output = merged(&sandbox, 3, &[]);
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    assert_eq!(output.out, whole.out);
    for file in SAME {
        assert_eq!(sandbox.read(&format!("merged/{file}")), sandbox.read(&format!("whole/{file}")), "{file}");
    }
    // A second merge replaces the journal of the first, and none of the shards. No engine is started, so that
    // a shard of another user needs no trust.
    make_foreign(&sandbox, "shard-1/run.sqlite");
    let again = sandbox.run("merge shard-1/run.sqlite shard-2/run.sqlite shard-3/run.sqlite --out merged");
    assert_eq!(again.code, Some(0), "{}{}", again.out, again.err);
    let over = sandbox.run("merge shard-1/run.sqlite shard-2/run.sqlite shard-3/run.sqlite --out shard-2");
    assert_eq!(over.code, Some(2), "{}{}", over.out, over.err);
    assert!(over.err.contains("is one of the shards"), "{}", over.err);
    let report = sandbox.run("report shard-1/run.sqlite --out reported");
    assert!(report.code == Some(2) && report.err.contains("is shard 1/3 of a run"), "{}", report.err);
    let other = sandbox.run("merge shard-1/run.sqlite shard-2/run.sqlite");
    assert!(other.code == Some(2) && other.err.contains("shard 3/3 is missing"), "{}", other.err);
}

#[test]
fn merge_asks_lost_cases_again_as_one_run_does() {
    let sandbox = sandbox();
    // The mates are lost at every limit.
    let engine = ["--engine", "echo,name=Echo,Hash=1,fault=MateSignFlipped"];
    let words: Vec<&str> = REGRESS.split(' ').chain(["--out", "whole"]).chain(engine).collect();
    let whole = sandbox.run_words(&words);
    assert_eq!(whole.code, Some(1), "{}{}", whole.out, whole.err);
    let output = merged(&sandbox, 2, &engine);
    assert_eq!(output.code, Some(1), "{}{}", output.out, output.err);
    assert_eq!(output.out, whole.out);
    for file in SAME {
        assert_eq!(sandbox.read(&format!("merged/{file}")), sandbox.read(&format!("whole/{file}")), "{file}");
    }
    make_foreign(&sandbox, "shard-2/run.sqlite");
    let merge = "merge shard-1/run.sqlite shard-2/run.sqlite --out merged";
    let foreign = sandbox.run(merge);
    assert_eq!((foreign.code, foreign.out.as_str()), (Some(2), ""), "{}", foreign.err);
    assert!(foreign.err.contains("shard-2/run.sqlite: was started on another machine or by another user"));
    assert!(foreign.err.contains("give --trust"), "{}", foreign.err);
    let trusted = sandbox.run(&format!("{merge} --trust"));
    assert_eq!((trusted.code, &trusted.out), (Some(1), &whole.out), "{}", trusted.err);
}

#[test]
fn merged_shards_of_a_new_baseline_write_it() {
    let sandbox = sandbox();
    let output = merged(&sandbox, 2, &["--accept"]);
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    let shards = "shard-1/run.sqlite shard-2/run.sqlite --out merged";
    let named = sandbox.run(&format!("merge {shards} --baseline made"));
    assert_eq!(named.code, Some(0), "{}{}", named.out, named.err);
    for file in ["cases.csv", "figures.json"] {
        assert_eq!(sandbox.read(&format!("made/{file}")), sandbox.read(&format!("base/{file}")), "{file}");
    }
}

#[test]
fn wrong_shard_is_refused() {
    let sandbox = Sandbox::new();
    for given in ["0/2", "3/2", "1", "x/y"] {
        let output = sandbox.run(&format!("{REGRESS} --shard {given}"));
        assert_eq!(output.code, Some(2), "{given}");
        assert!(output.err.contains("such as 2/4"), "{}", output.err);
    }
}
