//! `bisect` in a repository of eight commits, whose engine is Echo behind a script.

use crate::sandbox::{CommandOutput, Sandbox, THREEFOLD};

const PLAN: &str =
    "version = 1\nengine = \"./mine,name=mine,Hash=1\"\nbuild = \"make\"\nsuites = [\"mates.toml\"]\n";

/// Mates are reported as centipawns.
const BLIND: &str = "| sed -u 's/score mate/score cp/'";

/// Searches end after a node.
const WEAK: &str = "sed -u 's/^go .*/go nodes 1/' |";

/// A commit: the makefile's recipe is that of the engine, or fails.
struct Commit<'t> {
    number: usize,
    script: String,
    builds: bool,
    trailer: &'t str,
}

fn commit(sandbox: &Sandbox, commit: &Commit<'_>) {
    let Commit { number, script, builds, trailer } = commit;
    sandbox.write("engine.sh", format!("#!/bin/sh\n# {number}\n[ \"$1\" ] && exit 1\n{script}\n"));
    let recipe = if *builds { "cp engine.sh mine && chmod +x mine" } else { "echo no compiler; exit 3" };
    sandbox.write("Makefile", format!("mine: engine.sh\n\t{recipe}\n"));
    let line =
        format!("git add engine.sh Makefile .gitignore && git commit -q -m 'Commit {number}' -m '{trailer}'");
    let output = sandbox.shell(&line);
    assert_eq!(output.code, Some(0), "{}", output.err);
}

/// Commits 0 to 8, of which the one with this number is the first bad one; 3 does not build.
fn repository(first_bad: usize, good: &str, bad: &str, trailer: impl Fn(usize) -> String) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(".gitignore", "*\n!engine.sh\n!Makefile\n!.gitignore\n");
    sandbox.shell("git init -q -b main && git config user.email e@example.org && git config user.name E");
    for number in 0..=8 {
        let script = if number >= first_bad { bad } else { good };
        let trailer = trailer(number);
        commit(
            &sandbox,
            &Commit { number, script: script.to_owned(), builds: number != 3, trailer: &trailer },
        );
    }
    sandbox.write("threefold.toml", PLAN);
    sandbox
}

fn of_cases(first_bad: usize, trailer: impl Fn(usize) -> String) -> Sandbox {
    repository(first_bad, &format!("exec {THREEFOLD} uci"), &format!("{THREEFOLD} uci {BLIND}"), trailer)
}

/// Is this commit named as the first bad one?
fn assert_found(sandbox: &Sandbox, output: &CommandOutput, number: usize) {
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    let hash = sandbox.shell(&format!("git rev-parse HEAD~{}", 8 - number)).out;
    assert!(
        output.out.starts_with(&format!("first bad commit: {}", hash.trim())),
        "{}{}",
        output.out,
        output.err
    );
    assert!(output.out.contains(&format!("\n    Commit {number}\n")), "{}", output.out);
}

#[test]
fn bisect_finds_the_commit_that_lost_cases_and_changes_nothing_else() {
    let sandbox = of_cases(6, |_| String::new());
    let output = sandbox.run("bisect HEAD~8 HEAD --suite mates.toml");
    assert_found(&sandbox, &output, 6);
    assert!(output.err.contains("8 commits left, about 3 builds"), "{}", output.err);
    assert!(output.out.contains(" (parent) mates/"), "{}", output.out);
    assert!(output.out.contains("threefold suite mates.toml --case "), "{}", output.out);
    let state = sandbox.shell("git status --porcelain --ignored=no; git symbolic-ref HEAD; git bisect log");
    assert_eq!(state.out, "refs/heads/main\n", "nothing is checked out or left behind");

    let again = sandbox.run("bisect HEAD~8 HEAD --suite mates.toml --json");
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(again.err.contains("continuing 8 commits") && !again.err.contains("building"), "{}", again.err);
    let answer: serde_json::Value = serde_json::from_str(&again.out).expect("JSON");
    assert_eq!((&answer["found"], &answer["commits"][0]["title"]), (&true.into(), &"Commit 6".into()));
}

#[test]
fn bisect_names_all_commits_that_only_a_skipped_one_would_divide() {
    let sandbox = of_cases(3, |_| String::new());
    let output = sandbox.run("bisect HEAD~8 HEAD --suite mates.toml");
    assert_eq!(output.code, Some(1), "{}{}", output.out, output.err);
    assert!(output.out.starts_with("the first bad commit is one of these 2:\n"), "{}", output.out);
    assert!(output.out.contains("Commit 3\n") && output.out.contains("Commit 4\n"), "{}", output.out);
    assert!(output.out.contains("\nskipped:\n") && output.out.contains("can't be built"), "{}", output.out);
}

#[test]
fn bisect_tests_no_commit_with_the_bench_of_its_parent() {
    // The count changes at 4 and 7; the cases are lost at 7.
    let trailer = |number: usize| {
        let count = match number {
            ..4 => 1000,
            4..7 => 1001,
            _ => 1002,
        };
        format!("Bench: {count}")
    };
    let sandbox = of_cases(7, trailer);
    let output = sandbox.run("bisect HEAD~8 HEAD --suite mates.toml");
    assert_found(&sandbox, &output, 7);
    assert!(output.err.contains("9 of 9 messages have a node count"), "{}", output.err);
    assert!(output.err.contains("2 commits left, about 1 build\n"), "{}", output.err);

    // The counts say nothing of the commit that lost the cases.
    let sandbox = of_cases(6, trailer);
    assert_found(&sandbox, &sandbox.run("bisect HEAD~8 HEAD --suite mates.toml"), 6);
}

#[test]
fn bisect_refuses_ends_without_a_difference() {
    let sandbox = of_cases(6, |_| String::new());
    let table = [
        ("HEAD~1 HEAD --suite mates.toml", "does not pass suite mates; give an earlier commit that does"),
        ("HEAD~8 HEAD~4 --suite mates.toml", "there is nothing to find"),
        ("HEAD HEAD~8 --suite mates.toml", "BAD is an ancestor of GOOD: exchange them"),
        ("HEAD HEAD --suite mates.toml", "are the same commit"),
        ("HEAD~5 HEAD --suite mates.toml", "can't be built"),
        ("HEAD~8 HEAD", "name what was lost: --case ID, --suite NAME or --elo"),
        ("HEAD~8 HEAD --case nothing", "there is no case `nothing`"),
        ("HEAD~8 HEAD --elo", "nothing limits the games"),
        ("HEAD~8 HEAD --nodes 20", "--elo"),
        ("nowhere HEAD --elo --nodes 20", "this clone has no commit `nowhere`"),
    ];
    for (words, message) in table {
        let output = sandbox.run(&format!("bisect {words}"));
        assert_eq!(output.code, Some(2), "{words}: {}{}", output.out, output.err);
        assert!(output.err.contains(message), "{words}: {}", output.err);
    }
    sandbox.write("threefold.toml", PLAN.replace("build = \"make\"\n", ""));
    let output = sandbox.run("bisect HEAD~8 HEAD --suite mates.toml");
    assert!(
        output.code == Some(2) && output.err.contains("does not say how a commit is built"),
        "{}",
        output.err
    );
}

#[test]
fn bisect_finds_the_commit_that_lost_strength_by_games() {
    let echo = format!("{THREEFOLD} uci");
    let sandbox = repository(5, &format!("exec {echo}"), &format!("{WEAK} {echo}"), |_| String::new());
    sandbox.write("threefold.toml", format!("{PLAN}[adjudication]\nmax-moves = 60\n"));
    let games = "--elo --nodes 150 --drop 300 --batch 4 -j 2";
    // No difference before the first bad commit.
    let none = sandbox.run(&format!("bisect HEAD~8 HEAD~4 {games} --ignore-bench"));
    assert_eq!(none.code, Some(2), "{}{}", none.out, none.err);
    assert!(none.err.contains(" is as strong as GOOD "), "{}", none.err);
    let output = sandbox.run(&format!("bisect HEAD~8 HEAD {games}"));
    assert_found(&sandbox, &output, 5);
    assert!(
        output.out.contains(" games, ") && output.out.contains("threefold sprt --engine "),
        "{}",
        output.out
    );
    // The pairs are those of the journals.
    let again = sandbox.run(&format!("bisect HEAD~8 HEAD {games}"));
    let evidence = |output: &CommandOutput| output.out.split("\nagain:").next().map(str::to_owned);
    assert_eq!(evidence(&again), evidence(&output));
    // The last game that --games allows decides.
    let last = sandbox.run(&format!("bisect HEAD~8 HEAD {games} --games 40"));
    assert_found(&sandbox, &last, 5);
    assert!(last.out.contains("(probability 100.0 %)") && last.out.contains(" 40 games, "), "{}", last.out);
    // A loss that is not shown has no first bad commit.
    let few = games.replace("--drop 300", "--drop 2 --games 8");
    let few = sandbox.run(&format!("bisect HEAD~8 HEAD~4 {few} --ignore-bench"));
    assert_eq!((few.code, few.out.as_str()), (Some(2), ""), "{}", few.err);
    assert!(few.err.contains(" is not shown to be weaker than GOOD "), "{}", few.err);
    assert!(few.err.ends_with("; give more --games\n"), "{}", few.err);
}
