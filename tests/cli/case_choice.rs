//! Choosing cases of suites: by an expression, by id, and those that a baseline does not have.

use crate::sandbox::{CommandOutput, Sandbox};

/// The engine of the tests: it solves some of the sandbox's traps.
const ENGINE: &str = "echo,name=Echo,Hash=1";

/// Runs suites with `-k EXPR` and other options, and prints the cases as JSON.
fn filtered(sandbox: &Sandbox, suites: &[&str], expression: &str, more: &[&str]) -> CommandOutput {
    let words = [&["suite"], suites, &["--engine", ENGINE, "--json", "-k", expression], more].concat();
    sandbox.run_words(&words)
}

/// `SUITE/ID` of each case that was printed.
pub(crate) fn names(output: &CommandOutput) -> Vec<String> {
    let name = |line: &str| {
        let case: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
        format!("{}/{}", case["suite"].as_str().expect("a suite"), case["id"].as_str().expect("an id"))
    };
    output.out.lines().map(name).collect()
}

#[test]
fn filter_chooses_cases_of_several_suites() {
    let sandbox = Sandbox::new();
    let suites = ["traps.toml", "mates.toml"];
    let all = names(&filtered(&sandbox, &suites, "traps or mates", &[]));
    let (traps, mates): (Vec<String>, Vec<String>) =
        all.iter().cloned().partition(|name| name.starts_with("traps/"));
    assert!(traps.len() > 2 && mates.len() > 2, "{all:?}");
    let id = |name: &str| name.split_once('/').expect("SUITE/ID").1.to_owned();
    let (trap, mate) = (id(&traps[1]), id(&mates[0]));
    let table = [
        ("mates".to_owned(), mates.clone()),
        ("not TRAPS".to_owned(), mates.clone()),
        (format!("{trap} or {mate}"), vec![traps[1].clone(), mates[0].clone()]),
        (
            format!("traps and not ({trap} or {mate})"),
            traps.iter().filter(|name| !name.contains(&trap)).cloned().collect(),
        ),
    ];
    for (expression, expected) in table {
        let output = filtered(&sandbox, &suites, &expression, &[]);
        assert_eq!(names(&output), expected, "{expression}: {}", output.err);
        assert_eq!(output.code, Some(0), "{expression}: {}", output.err);
        let said = format!("-k `{expression}`: {} of {} cases match\n", expected.len(), all.len());
        assert!(output.err.contains(&said), "{}", output.err);
    }
    // The filter combines with limits and numbers of cases.
    let output = filtered(&sandbox, &suites, "mates", &["--nodes", "10,20", "--per-class", "1", "--quiet"]);
    assert_eq!(names(&output).len() % 2, 0, "{}", output.out);
    assert!(!names(&output).is_empty() && output.err.is_empty(), "{}", output.err);
    // The resumed run has the same cases, since the journal has the choice.
    let resumed = sandbox.run("resume runs/suite-2.sqlite");
    assert_eq!(names(&resumed), mates, "{}", resumed.err);
}

#[test]
fn filter_and_case_choose_from_kinds_without_positions() {
    let sandbox = Sandbox::new();
    let table = [
        ("bench", "bench", "bench"),
        ("smoke", "very-short", "smoke and very"),
        ("compliance", "quit", "quit and not while"),
        ("dialogue", "stop-twice", "stop-tw"),
        ("clocks", "", "clocks"),
    ];
    for (suite, id, expression) in table {
        let file = if suite == "clocks" { "clocks.toml" } else { suite };
        let chosen = filtered(&sandbox, &[file], expression, &[]);
        let found = names(&chosen);
        let id = if id.is_empty() { found[0].strip_prefix("clocks/").expect("its case") } else { id };
        assert_eq!(found, [format!("{suite}/{id}")], "{suite}: {}", chosen.err);
        let alone = sandbox.run_words(&["suite", file, "--engine", ENGINE, "--json", "--case", id]);
        assert_eq!(names(&alone), found, "{suite}: {}", alone.err);
        assert_eq!(alone.code, chosen.code, "{suite}: {}", alone.err);
    }
}

#[test]
fn choice_without_a_case_and_contradictions_are_refused() {
    let sandbox = Sandbox::new();
    let table: [(&[&str], &[&str]); 11] = [
        (
            &["-k", "knight"],
            &[
                "-k `knight`: none of the 13 cases of traps, mates matches; ",
                "a part of the suite's name",
                "`traps`, `",
            ],
        ),
        (
            &["-k", "mates and"],
            &["'mates and'", "column 10: a word, `not` or `(` is missing at the end; give words"],
        ),
        (&["-k", "mates (a)"], &["column 7: `and` or `or` is missing before `(`"]),
        (&["-k", "(mates"], &["column 1: this `(` is not closed"]),
        (&["-k", "mates", "--case", "x"], &["cannot be used with"]),
        (&["--case", "x", "--last-failed"], &["cannot be used with"]),
        (&["--case", "x", "--only-new"], &["cannot be used with"]),
        (&["--case", "x", "--stop-after", "1"], &["cannot be used with"]),
        (&["--stop-after", "0"], &["'0' for '--stop-after <N>': give a whole number from 1"]),
        (&["--baseline", "there"], &["--only-new"]),
        (&["--export", "there", "-k", "mates"], &["cannot be used with"]),
    ];
    for (words, parts) in table {
        let before = sandbox.files();
        let command = [&["suite", "traps.toml", "mates.toml", "--engine", ENGINE], words].concat();
        let output = sandbox.run_words(&command);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{words:?}\n{}", output.err);
        for part in parts {
            assert!(output.err.contains(part), "{words:?} lacks `{part}`:\n{}", output.err);
        }
        assert!(before == sandbox.files(), "{words:?} changed files");
    }
}

#[test]
fn only_new_leaves_out_the_cases_of_the_baseline() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "small.toml",
        "version = 1\ntitle = \"Small\"\nseed = 1\nengine = \"echo,name=Echo,Hash=1\"\nsuites = [\"mates.toml\"]\n",
    );
    let new =
        |more: &str| sandbox.run(&format!("suite mates.toml --engine {ENGINE} --only-new --json {more}"));
    let all = sandbox.read("mates.epd");
    let some: Vec<&str> = all.lines().take(3).collect();
    sandbox.write("mates.epd", format!("{}\n", some.join("\n")));
    let without = new("");
    assert_eq!(without.code, Some(2), "{}", without.err);
    assert!(without.err.contains("there is no baseline; `threefold regress --accept`"), "{}", without.err);
    assert!(without.err.contains("or give a folder with --baseline"), "{}", without.err);

    let accepted = sandbox.run("regress --plan small.toml --accept");
    assert_eq!(accepted.code, Some(0), "{}", accepted.err);
    let nothing = new("");
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(0), ""), "{}", nothing.err);
    assert!(
        nothing.err.contains("--only-new: 0 of 3 cases are not in the baseline .threefold/baseline\n"),
        "{}",
        nothing.err
    );
    assert!(nothing.err.ends_with("there is no case to run\n"), "{}", nothing.err);

    // Two cases are added.
    sandbox.write("mates.epd", all);
    let added = new("");
    assert_eq!(names(&added), ["mates/mate.win.004", "mates/mate.win.005"], "{}", added.err);
    assert_eq!(names(&new("-k win.005")), ["mates/mate.win.005"]);
    let other = new("--baseline there");
    assert_eq!(other.code, Some(2), "{}", other.err);
    assert!(other.err.contains("there: there is no baseline in this folder"), "{}", other.err);
    assert_eq!(names(&new("--baseline .threefold/baseline")).len(), 2);
}
