//! Which baseline `regress` compares with, and where `--accept` writes a new one, without `--baseline`.

use std::fs;

use crate::sandbox::{CommandOutput, Sandbox};

/// A sandbox with a plan of one small suite, which is the root of a git repository.
fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(".git/HEAD", "");
    sandbox.write("sub/deeper/note", "");
    sandbox.write(
        "small.toml",
        "version = 1\ntitle = \"Small\"\nseed = 1\nengine = \"echo,name=Echo,Hash=1\"\nsuites = [\"mates.toml\"]\n",
    );
    sandbox
}

fn regress(sandbox: &Sandbox, folder: &str, plan: &str, more: &str) -> CommandOutput {
    sandbox.shell(&format!("cd {folder} && $T regress --plan {plan} --out out {more}"))
}

/// Whether the report of the last run in a folder compares its cases with a baseline.
fn is_compared(sandbox: &Sandbox, folder: &str) -> bool {
    sandbox.read(&format!("{folder}/out/summary.md")).contains(" as in the baseline: ")
}

#[test]
fn baseline_is_accepted_into_the_repository_and_found_from_below() {
    let sandbox = repository();
    let output = regress(&sandbox, "sub/deeper", "../../small.toml", "");
    assert_eq!(output.code, Some(2), "nothing decides: {}", output.out);
    assert!(
        output
            .out
            .contains("Small: Not compared: there is no baseline; `threefold regress --accept` creates one."),
        "{}",
        output.out
    );
    assert!(output.err.contains("no baseline; `threefold regress --accept`"), "{}", output.err);
    assert!(!is_compared(&sandbox, "sub/deeper"), "{}", output.err);

    let output = regress(&sandbox, "sub/deeper", "../../small.toml", "--accept");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(sandbox.path(".threefold/baseline/cases.csv").exists(), "at the root: {}", output.err);
    assert!(!sandbox.path("sub/deeper/.threefold").exists());
    for (folder, plan) in [(".", "small.toml"), ("sub/deeper", "../../small.toml")] {
        let output = regress(&sandbox, folder, plan, "");
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert!(
            output.err.contains("baseline: ") && output.err.contains(".threefold/baseline"),
            "{}",
            output.err
        );
        assert!(is_compared(&sandbox, folder), "{folder}: {}", output.err);
    }

    // A folder given with --baseline must have a baseline. Without the option, --accept replaces the nearest
    // one.
    let output = regress(&sandbox, ".", "small.toml", "--baseline nowhere");
    assert_eq!(output.code, Some(2), "{}", output.err);
    fs::remove_file(sandbox.path(".threefold/baseline/cases.csv")).expect("it is there");
    sandbox.write("sub/.threefold/baseline/cases.csv", "old");
    let output = regress(&sandbox, "sub/deeper", "../../small.toml", "--accept");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert_ne!(sandbox.read("sub/.threefold/baseline/cases.csv"), "old");
    assert!(!sandbox.path(".threefold/baseline/cases.csv").exists());
}

#[test]
fn suites_that_are_not_compared_are_named() {
    let sandbox = repository();
    let suites = |suites: &str| {
        let text = sandbox.read("small.toml").replace("suites = [\"mates.toml\"]", suites);
        sandbox.write("other.toml", text);
    };
    assert_eq!(regress(&sandbox, ".", "small.toml", "--accept").code, Some(0));
    let output = regress(&sandbox, ".", "small.toml", "--github");
    assert_eq!(output.code, Some(0), "{}", output.out);
    assert!(output.out.contains("Small: No regression (5 cases compared)."), "{}", output.out);
    assert!(output.err.contains("::notice title=Small::No regression (5 "), "{}", output.err);

    suites("suites = [\"traps.toml\"]");
    let output = regress(&sandbox, ".", "other.toml", "");
    assert_eq!(output.code, Some(2), "{}", output.out);
    let expected =
        "Small: Not compared: mates (in the baseline, but not in this run), traps (not in the baseline).";
    assert!(output.out.contains(expected), "{}", output.out);
    suites("suites = [\"traps.toml\", \"mates.toml\"]");
    let output = regress(&sandbox, ".", "other.toml", "--github");
    assert_eq!(output.code, Some(0), "{}", output.out);
    let expected =
        "::warning title=Small::No regression (5 cases compared). Not compared: traps (not in the baseline).";
    assert!(output.err.contains(expected), "{}", output.err);
    suites("suites = [\"mates.toml\"]\n[limits]\nnodes = 1");
    let output = regress(&sandbox, ".", "other.toml", "");
    assert_eq!(output.code, Some(2), "{}", output.out);
    let expected = "Small: Not compared: mates (baseline at 300 nodes, this run at 1 node).";
    assert!(output.out.contains(expected), "{}", output.out);
    suites("suites = []");
    let output = regress(&sandbox, ".", "other.toml", "");
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}", output.err);
    assert!(output.err.contains("there is nothing to run: the plan has no suite"), "{}", output.err);
}

#[test]
fn baseline_outside_the_repository_is_not_found() {
    let sandbox = repository();
    let output = regress(&sandbox, ".", "small.toml", "--accept");
    assert_eq!(output.code, Some(0), "{}", output.err);
    sandbox.write("sub/.git", "gitdir: elsewhere");
    let output = regress(&sandbox, "sub/deeper", "../../small.toml", "");
    assert!(output.err.contains("no baseline; "), "a repository inside: {}", output.err);
    fs::remove_file(sandbox.path("sub/.git")).expect("it is there");
    fs::remove_dir_all(sandbox.path(".git")).expect("it is there");
    let output = regress(&sandbox, "sub/deeper", "../../small.toml", "");
    assert!(output.err.contains("no baseline; "), "no repository: {}", output.err);
    let output = regress(&sandbox, ".", "small.toml", "");
    assert!(is_compared(&sandbox, "."), "the current folder: {}", output.err);
}

#[test]
fn built_in_baseline_is_for_echo_under_the_built_in_plan() {
    let sandbox = repository();
    let notice = |words: &[&str]| sandbox.run_words(words).err.lines().next().unwrap_or_default().to_owned();
    let own = "baseline: built in, for Echo";
    assert_eq!(notice(&["regress", "--engine", "echo,NoSuchOption=1"]), own);
    let others: [&[&str]; 2] = [
        &["regress", "--engine", "sh none.sh"],
        &["regress", "--plan", "small.toml", "--engine", "echo,NoSuchOption=1"],
    ];
    for words in others {
        assert!(notice(words).starts_with("no baseline; "), "{words:?}: {}", notice(words));
    }
}

#[test]
fn accepted_baseline_ends_with_zero_even_if_a_threshold_is_missed() {
    let sandbox = Sandbox::new();
    sandbox.vary("mates.toml", "[limits]", "[thresholds]\npass = 1.0\n[limits]", "strict.toml");
    let text = "version = 1\ntitle = \"A strict plan\"\nseed = 1\nengine = \"echo,Hash=1,fault=MateSignFlipped\"\n\
                suites = [\"strict.toml\"]\n";
    sandbox.write("strict-plan.toml", text);
    let regress = "regress --plan strict-plan.toml --out new";
    assert_eq!(sandbox.run(regress).code, Some(1));
    let output = sandbox.run(&format!("{regress} --baseline base --accept"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(sandbox.path("base/cases.csv").exists());
    assert!(sandbox.read("new/summary.md").contains("**The results are the new baseline.**"));
    assert!(!sandbox.read("new/junit.xml").contains("<failure"));
    assert_eq!(sandbox.run("report new/run.sqlite --out again").code, Some(0));
}

#[test]
fn other_environment_is_one_line_and_decides_nothing() {
    const FILE: &str = ".threefold/baseline/environment.json";
    let sandbox = repository();
    let output = regress(&sandbox, ".", "small.toml", "--accept");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let line = "Environment differs from the baseline's: ";
    let compared = |environment: Option<&str>| {
        match environment {
            Some(text) => sandbox.write(FILE, text),
            None => fs::remove_file(sandbox.path(FILE)).expect("it is there"),
        }
        let output = regress(&sandbox, ".", "small.toml", "");
        assert_eq!(output.code, Some(0), "{environment:?}\n{}{}", output.out, output.err);
        let (summary, page) = (sandbox.read("out/summary.md"), sandbox.read("out/index.html"));
        let differs = output.out.contains(line);
        assert_eq!([summary.contains(line), page.contains(line)], [differs; 2], "{environment:?}");
        (differs, output.out, page)
    };
    let written = sandbox.read(FILE);
    assert!(written.contains("\"compiler\": \""), "Echo is a program of rustc: {written}");
    assert!(!compared(Some(&written)).0);
    let (differs, out, page) =
        compared(Some("{\"version\": 1, \"properties\": {\"compiler\": \"another one\"}}"));
    assert!(differs && out.contains(", there another one."), "{out}");
    assert!(page.contains("another one"), "{page}");
    // A baseline of an earlier version has no environment, which is no difference.
    let (differs, _, page) = compared(None);
    assert!(!differs && page.contains("not known"), "{page}");
    sandbox.write(FILE, "{\"version\": 2, \"properties\": {}}");
    let output = regress(&sandbox, ".", "small.toml", "");
    let error =
        "environment.json: version 2 is not known here, version 1 is; restore it, or renew the baseline";
    assert!(output.code == Some(2) && output.err.contains(error), "{}", output.err);
}
