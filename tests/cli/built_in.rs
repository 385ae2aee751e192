//! Built-in files: every command works in an empty folder, and an existing file takes precedence.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use threefold_run::{RunRecord, Task};

use crate::sandbox::Sandbox;

/// Two engines and a few games from the openings that are built in.
const PLAYERS: &str =
    "--engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1 --nodes 60 --games 4 --maxmoves 20";

#[test]
fn every_command_works_in_an_empty_folder() {
    for command in [
        "suite field --engine echo,Hash=1 --nodes 60".to_owned(),
        "suite --positions field --kind repetition --engine echo,Hash=1 --nodes 60".to_owned(),
        format!("match {PLAYERS}"),
        format!("match {PLAYERS} --openings builtin:balanced --pgn games.pgn"),
        format!("sprt {PLAYERS} --elo0 0 --elo1 10"),
        "plan --elo0 0 --elo1 5 --budget 30m".to_owned(),
        "calibrate --engine echo,Hash=1 --nodes 20,60 --games 4".to_owned(),
        "positions check field".to_owned(),
        "positions signature --engine echo,Hash=1 --positions balanced --every 1000 --depth 1".to_owned(),
        "tablebase build KQK".to_owned(),
        "perft 2".to_owned(),
    ] {
        let sandbox = Sandbox::empty();
        let output = sandbox.run(&command);
        assert_eq!(output.code, Some(0), "{command}\n{}", output.err);
        assert!(!output.out.is_empty(), "{command}");
    }
}

/// Number of cases of a suite, from the lines of `--json`.
fn cases(sandbox: &Sandbox, suite: &str) -> usize {
    let output = sandbox.run(&format!("suite {suite} --engine echo,Hash=1 --nodes 10 --json"));
    assert!(output.code.is_some_and(|code| code < 2), "{suite}\n{}", output.err);
    output.out.lines().count()
}

#[test]
fn user_file_takes_precedence_over_the_built_in_one() {
    let sandbox = Sandbox::new();
    let built_in = cases(&sandbox, "field");
    fs::create_dir(sandbox.path("field")).expect("a folder");
    assert_eq!(cases(&sandbox, "field"), built_in, "a folder of that name is no suite");
    fs::remove_dir(sandbox.path("field")).expect("an empty folder");
    sandbox.vary("traps.toml", "traps.csv", "field", "mine.toml");
    assert_eq!(cases(&sandbox, "mine.toml"), built_in, "the positions are built in");
    sandbox.write("field", sandbox.read("traps.csv"));
    let own = cases(&sandbox, "traps.toml");
    assert_ne!(own, built_in);
    assert_eq!(cases(&sandbox, "mine.toml"), own, "the positions are the user's");
    sandbox.vary("traps.toml", "traps.csv", "builtin:field", "theirs.toml");
    assert_eq!(cases(&sandbox, "theirs.toml"), built_in, "the positions are built in by name");
    sandbox.write("field", sandbox.read("traps.toml"));
    assert_eq!(cases(&sandbox, "field"), own, "the suite is the user's");
    assert_eq!(cases(&sandbox, "builtin:field"), built_in);
}

#[test]
fn user_plan_may_name_built_in_suites() {
    let sandbox = Sandbox::empty();
    sandbox.write(
        "plan.toml",
        "version = 1\ntitle = \"Mine\"\nseed = 1\nengine = \"echo,Hash=1\"\nsuites = [\"field\"]\n[[calibration]]\n\
         name = \"ladder\"\nengine = \"echo,Hash=1\"\nnodes = [20, 60]\nrounds = 2\nquick-rounds = 1\n\
         openings = \"builtin:balanced\"\n[adjudication]\nmax-moves = 20\n",
    );
    let output = sandbox.run("regress --plan plan.toml --out new");
    assert_eq!(output.code, Some(2), "neither a baseline nor a threshold decides: {}", output.err);
    assert!(sandbox.read("new/cases.csv").contains("\nfield,"), "{}", sandbox.read("new/cases.csv"));
    let run = RunRecord::read(&sandbox.path("new/run.sqlite")).expect("a sound journal");
    let Task::Suite(suite) = &run.spec().parts[0].task else { panic!("the suites come first") };
    let names = [&suite.source.suite_file.file, &suite.source.positions[0].file];
    assert_eq!(names, ["builtin:suites/field.toml", "builtin:positions/field.csv"]);
    // What is journaled can be asked for again.
    assert_eq!(cases(&sandbox, names[0]), 3);
}

#[test]
fn unknown_name_error_suggests_the_nearest() {
    let sandbox = Sandbox::empty();
    sandbox.write("mine.toml", "version = 1\nkind = \"mate\"\ntitle = \"T\"\npositions = [\"mtaes\"]\n");
    let games = "match --engine echo --engine echo,name=B --nodes 9 --openings";
    let table: &[(&str, &[&str])] = &[
        (
            "suite repetitoin --engine echo",
            &[
                "repetitoin: no such file: there is no built-in suite `repetitoin`",
                "closest name is `repetition`",
            ],
        ),
        (
            "suite builtin:matte --engine echo",
            &["there is no built-in suite `matte`; the closest name is `mate`"],
        ),
        ("suite regress --engine echo", &["there is no built-in suite `regress`; it is a plan"]),
        (
            "suite suites/mate.toml --engine echo",
            &["suites/mate.toml: can't be read", "built-in suite `mate`"],
        ),
        ("suite mine.toml --engine echo", &["named in mine.toml: mtaes: no such file", "is `mates`"]),
        ("regress --plan regres", &["there is no built-in plan `regres`; the closest name is `regress`"]),
        (&format!("{games} balance"), &["there is no built-in position file `balance`", "`balanced`"]),
        (
            &format!("{games} positions/openings.epd"),
            &["positions/openings.epd: can't be read; check the path", "position file `balanced`"],
        ),
        ("positions check trap", &["the closest name is `traps`"]),
        ("suite --list field", &["'--list' cannot be used with"]),
        ("suite --export there field", &["'--export <DIR>' cannot be used with"]),
    ];
    for (command, parts) in table {
        let before = sandbox.files();
        let output = sandbox.run(command);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{command}\n{}", output.err);
        for part in *parts {
            assert!(output.err.contains(part), "{command}\nlacks `{part}`:\n{}", output.err);
        }
        assert!(before == sandbox.files(), "{command}\nchanged {:?}", sandbox.files().keys());
    }
}

/// The suites and positions of the repository, by their paths.
fn shipped() -> BTreeMap<PathBuf, Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = BTreeMap::new();
    for folder in ["suites", "positions"] {
        for entry in fs::read_dir(root.join(folder)).expect("a shipped folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(root).expect("below the root").to_owned();
            files.insert(name, fs::read(&path).expect("a shipped file"));
        }
    }
    files
}

#[test]
fn exported_files_are_the_shipped_ones() {
    let sandbox = Sandbox::empty();
    let output = sandbox.run("suite --export .");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let exported = sandbox.files();
    assert!(exported.keys().eq(shipped().keys()), "{:?}", exported.keys());
    assert!(exported == shipped(), "a file was changed on the way");

    sandbox.write("positions/field.csv", "mine");
    let again = sandbox.run("suite --export .");
    assert_eq!(again.code, Some(2), "{}", again.err);
    assert!(again.err.contains(": exists already; give --force to replace it"), "{}", again.err);
    assert_eq!(sandbox.read("positions/field.csv"), "mine");
    let forced = sandbox.run("suite --export . --force");
    assert_eq!(forced.code, Some(0), "{}", forced.err);
    assert!(sandbox.files() == shipped());
}

#[test]
fn exported_suites_and_plans_equal_the_built_in_ones() {
    let sandbox = Sandbox::empty();
    assert_eq!(sandbox.run("suite --export there").code, Some(0));
    for (suite, out) in [("there/suites/field.toml", "a"), ("field", "b")] {
        let output = sandbox.run(&format!("suite {suite} --engine echo,Hash=1 --out {out}"));
        assert_eq!(output.code, Some(0), "{}", output.err);
    }
    assert_eq!(sandbox.read("a/cases.csv"), sandbox.read("b/cases.csv"));
    // Both plans are read with all that they name, then the missing option is reported. Both are compared with Echo's
    // baseline.
    for plan in ["there/suites/regress.toml", "regress"] {
        let output = sandbox.run(&format!("regress --plan {plan} --engine echo,NoSuchOption=1"));
        assert_eq!(output.code, Some(2), "{plan}\n{}", output.err);
        assert!(output.err.starts_with("baseline: built in, for Echo\n"), "{plan}\n{}", output.err);
        assert!(output.err.contains("NoSuchOption"), "{plan}\n{}", output.err);
    }
}

#[test]
fn list_names_every_suite_plan_and_file_of_positions() {
    let output = Sandbox::empty().run("suite --list");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let row = |name: &str| output.out.lines().find(|line| line.split_whitespace().next() == Some(name));
    for (file, text) in shipped() {
        let name = file.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let text = String::from_utf8(text).expect("UTF-8");
        if file.starts_with("suites") && !text.contains("\nsuites = ") {
            let row = row(name).unwrap_or_else(|| panic!("{name} is missing:\n{}", output.out));
            let summary = text.lines().find_map(|line| line.strip_prefix("summary = ")).expect("a summary");
            assert!(row.contains(summary.trim_matches('"')), "{row}");
        } else {
            let name = if name == "openings" { "balanced" } else { name };
            let last = output.out.lines().filter(|line| line.contains(": ")).collect::<Vec<_>>().join("\n");
            assert!(last.contains(name), "{name} is missing:\n{}", output.out);
        }
    }
    let field = row("field").expect("it is there");
    assert_eq!(field.split_whitespace().take(3).collect::<Vec<_>>(), ["field", "repetition", "3"]);
}
