//! Studies: invalid options, and the files of the reports.

use rusqlite::Connection;

use crate::refused;
use crate::sandbox::Sandbox;

#[test]
fn time_study_writes_page_and_figures() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(
        "study time --games 2 --control 1+0.01 --control 4/1 --clock virtual:3000 --openings book.epd \
         --each Hash=1 --maxmoves 12 --out new --run time.sqlite",
    );
    assert_eq!(output.code, Some(0), "{}", output.err);
    let page = sandbox.read("new/time-study.html");
    for part in ["Recommended: TimeManager=", "At 1+0.01", "At 4/1", "The two goals", "Move by move"] {
        assert!(page.contains(part), "{part}");
    }
    let figures = sandbox.read("new/time-study.csv");
    // What is printed is the file without what goes from move to move.
    assert!(figures.starts_with(&output.out) && output.out.len() < figures.len(), "{}", output.out);
    let managers = ["Classic", "Fixed", "Legacy", "Smooth", "SmoothPiggybank"];
    for manager in managers {
        for control in ["1+0.01", "4/1"] {
            for figure in ["clock used by the end of the game", "variation of trees", "thousand nodes"] {
                assert!(figures.contains(&format!("{figure},{manager},{control},")), "{figure}: {manager}");
            }
        }
    }
    // The journal alone is enough for both, and the names of its parts say nothing.
    let alike = |folder: &str| {
        let again = sandbox.run(&format!("report time.sqlite --out {folder}"));
        assert_eq!(again.code, Some(0), "{}", again.err);
        for file in ["time-study.html", "time-study.csv"] {
            assert!(
                sandbox.read(&format!("{folder}/{file}")) == sandbox.read(&format!("new/{file}")),
                "{file}"
            );
        }
    };
    alter(&sandbox, "time.sqlite", "json_set(ordered, '$.parts[0].name', 'Nobody at noon')");
    alike("renamed");
    // A journal from before there were labels is recognised by its engines and clocks.
    for part in 0..8 {
        alter(&sandbox, "time.sqlite", &format!("json_remove(ordered, '$.parts[{part}].labels')"));
    }
    alike("older");
}

#[test]
fn dawdling_study_compares_the_policies() {
    let sandbox = Sandbox::new();
    sandbox.write("rook.epd", "7k/8/8/8/8/8/8/KR6 w - - 0 1 dm 10; id \"KRK.1\";\n");
    let suite = "version = 1\nkind = \"conversion\"\ntitle = \"T\"\npositions = [\"rook.epd\"]\n[limits]\nnodes = 9\n";
    sandbox.write("rook.toml", suite);
    let output = sandbox.run(
        "study dawdling --suite rook.toml --nodes 5,20000 --each Hash=1 --out new --run dawdling.sqlite -j 1",
    );
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert_eq!(sandbox.read("new/dawdling-study.csv"), output.out);
    for policy in ["HistoryDraw", "HistoryIgnored", "Threefold"] {
        assert!(output.out.contains(&format!("\npositions won,{policy},20000,1,,,1\n")), "{}", output.out);
        assert!(output.out.contains(&format!("\npositions won,{policy},5,")), "{}", output.out);
    }
    assert!(
        output.out.contains("dawdling index minus that of HistoryIgnored,Threefold,20000,"),
        "{}",
        output.out
    );
    // The journal alone is enough.
    let again = sandbox.run("report dawdling.sqlite --out again");
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert_eq!(sandbox.read("again/dawdling-study.csv"), output.out);
}

/// Changes the order in a journal.
fn alter(sandbox: &Sandbox, file: &str, sql: &str) {
    let db = Connection::open(sandbox.path(file)).expect("a journal");
    let changed = db.execute(&format!("UPDATE run SET ordered = {sql}"), []).expect("sound SQL");
    assert_eq!(changed, 1);
}

#[test]
fn unplayable_studies_are_refused() {
    let sandbox = Sandbox::new();
    let table: &[(&str, &[&str])] = &[
        (
            "study ablation --feature Magic --nodes 9",
            &["'--feature <NAME>'", "`Magic` is not known", "NullMove"],
        ),
        ("study time --control noon", &["'--control <TC>'", "time control `noon`", "such as `40/60+0.5`"]),
        ("study time --control inf", &["'--control <TC>'", "its base time can't be read"]),
        (
            "study time --nodes 500",
            &["`nodes` does not apply to a study of clocks", "such as --control 8+0.08"],
        ),
        ("study time --depth 5", &["`depth` does not apply to a study of clocks"]),
        (
            "study time --tc 8+0.08",
            &["`tc` does not apply to a study of clocks", "give time controls by --control"],
        ),
        ("study time --each st=1", &["`st` does not apply to a study of clocks"]),
        ("study dawdling --suite builtin:mate", &["only suites of kind `conversion` have a dawdling index"]),
        ("study open-flag --threads none", &["'--threads <N,N,…>'"]),
        ("study time --openings book.epd --games 0", &["at least two games are needed"]),
        ("study time --openings book.epd --clock sun", &["use `wall`, or `virtual:NPS`"]),
        ("study time --openings book.epd --control 1 --control 0:01", &["two parts are called `Fixed at 1`"]),
    ];
    for (command, parts) in table {
        refused(&sandbox, command, parts);
    }
    if !cfg!(feature = "lab") {
        refused(&sandbox, "study open-flag", &["does not count repetitions", "--features lab"]);
    }
}
