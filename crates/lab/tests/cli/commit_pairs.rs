//! `real-bugs` and `ordinary-commits`: the plan of `init` on pairs of programs.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::sandbox::{CommandOutput, Sandbox};
use crate::{PROGRAM, refused};

/// The steps of threefold that an experiment uses. An engine is a script: its first word says what happens.
const THREEFOLD: &str = r#"#!/bin/sh
echo "$@" >> "$LOG"
case $1 in
--version) echo threefold 9.9; exit;;
init)
    grep -q unusable engine && { echo "error: no engine"; exit 2; }
    mkdir -p .threefold/baseline && echo 'version = 1' > threefold.toml && echo x > .threefold/baseline/cases.csv
    exit;;
esac
git log -1 --format=%B | sed 's/^/message: /' >> "$LOG"
mkdir -p reports/compared
reasons= exit=0
grep -q buggy engine && {
    reasons='{"kind": "regression", "part": "mate", "what": "mate.1: failed"}' exit=1
}
[ -s program.path ] && ! git log --format=%B | grep -q 'Add a regression test' && exit 2
echo "{\"headline\": \"the headline\", \"complaints\": [$reasons], \"baseline\": {\"suites\": [
    {\"suite\": \"mate\", \"newly_failing\": [{\"id\": \"mate.1\", \"ours\": \"failed\", \"theirs\": \"passed\"}]}]}}" \
    > reports/compared/report.json
exit $exit
"#;

fn executable(sandbox: &Sandbox, file: &str, text: &str) {
    sandbox.write(file, text);
    let path = sandbox.path(file);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("own file");
}

/// Runs an experiment with the script in place of threefold, which logs its commands.
fn experiment(sandbox: &Sandbox, command: &str, words: &str) -> CommandOutput {
    executable(sandbox, "threefold", THREEFOLD);
    sandbox.shell(&format!("LOG=$PWD/log $T {command} --threefold ./threefold --out results {words}"))
}

fn pair(sandbox: &Sandbox, id: &str, [first, second]: [(&str, &str); 2]) {
    for (name, text) in [first, second] {
        executable(sandbox, &format!("built/{id}/{name}/engine"), text);
    }
}

#[test]
fn bugs_are_found_once_and_pairs_that_are_done_are_not_run_again() {
    let sandbox = Sandbox::empty();
    pair(&sandbox, "one", [("fix", "sound"), ("parent", "buggy")]);
    pair(&sandbox, "two", [("fix", "sound"), ("parent", "sound, too")]);
    pair(&sandbox, "three", [("fix", "unusable"), ("parent", "buggy")]);
    pair(&sandbox, "four", [("fix", "buggy"), ("parent", "buggy")]);
    sandbox.write(
        "bugs.csv",
        "id,repository,parent,fix,kind,bug,rare\none,o/a,1,2,mate,a bug,\ntwo,o/a,3,4,rules,another,\n\
         three,o/b,5,6,rules,a third,\nfour,o/b,7,8,mate,a fourth,\nfive,o/b,9,10,mate,a fifth,\n",
    );
    let run = |words: &str| {
        let output = experiment(&sandbox, "real-bugs bugs.csv --programs built", words);
        assert_eq!(output.code, Some(0), "{}", output.err);
        sandbox.read("results/pairs.csv")
    };
    let table = run("--only one,two");
    for row in [
        "\none,o/a,2,1,mate,a bug,,\"red, not judged\",mate,mate/mate.1,the headline,0,",
        "a third,,not run,",
    ] {
        assert!(table.contains(row), "lacks {row}: {table}");
    }
    let steps = || sandbox.read("log").lines().filter(|line| line.starts_with(['i', 'r'])).count();
    // Each pair takes a set-up and two runs.
    assert_eq!(steps(), 6, "{}", sandbox.read("log"));
    let table = run("-j 2");
    for row in [
        "another,,not found,",
        "a third,,not set up,,,init: exit code 2: error: no engine,2,",
        "a fourth,,unchanged program red,",
        "a fifth,,not built,",
    ] {
        assert!(table.contains(row), "lacks {row}: {table}");
    }
    assert_eq!(steps(), 6 + 1 + 3, "only new pairs run");

    sandbox.write("judged.csv", "id,shows,why\none,yes,\n");
    let table = run("--tables-only --judgements judged.csv");
    assert!(table.contains("a bug,,found,mate,mate/mate.1,the headline"), "{table}");
    sandbox.write("judged.csv", "id,shows,why\none,no,a mate that has nothing to do with it\n");
    let table = run("--tables-only --judgements judged.csv");
    assert!(table.contains("a bug,,red for another reason,mate,mate/mate.1,a mate that"), "{table}");
}

#[test]
fn accepted_patch_has_its_bench_count_in_the_message() {
    let sandbox = Sandbox::empty();
    pair(&sandbox, "p", [("base", "sound"), ("patch", "buggy")]);
    sandbox
        .write("list.csv", "id,repository,base,patch,subject,base_bench,bench\np,o/a,1,2,Simplify,77,78\n");
    let output = experiment(&sandbox, "ordinary-commits list.csv --programs built", "-- --quick");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(sandbox.read("results/pairs.md").contains("| p | o/a | 2 | o/a | false alarm | mate |"));
    let log = sandbox.read("log");
    assert!(log.contains("\nregress --fresh --out reports/compared --quick\n"), "{log}");
    // The unchanged program is compared after the commit of the set-up, which has no count.
    assert!(log.contains("message: Add a regression test") && log.contains("message: Bench: 78"), "{log}");
    let rates = output.out.lines().find(|line| line.trim_start().starts_with("false alarm"));
    assert!(rates.is_some_and(|line| line.contains("100 %")), "{}", output.out);
}

/// fastchess, as far as an experiment uses it.
const FASTCHESS: &str = r#"#!/bin/sh
if [ "$1" = --compliance ]; then ! grep -q buggy "$2"; exit; fi
echo "Finished game 1 (fix vs parent): 1-0 {Black makes an illegal move}"
"#;

#[test]
fn fastchess_is_asked_about_pairs_that_are_done_too() {
    let sandbox = Sandbox::empty();
    pair(&sandbox, "one", [("fix", "sound"), ("parent", "buggy")]);
    executable(&sandbox, "fastchess", FASTCHESS);
    for (words, cells) in
        [("", ",,"), ("--peers ./fastchess --peer-games 0", ",red,green"), ("", ",red,green")]
    {
        let output = experiment(&sandbox, "real-bugs built", words);
        assert_eq!(output.code, Some(0), "{}", output.err);
        let table = sandbox.read("results/pairs.csv");
        assert!(table.lines().nth(1).is_some_and(|row| row.ends_with(cells)), "{words}: {table}");
    }
    std::fs::remove_dir_all(sandbox.path("results")).expect("own folder");
    let output = experiment(&sandbox, "real-bugs built", "--peers ./fastchess --peer-games 2");
    assert!(sandbox.read("results/pairs.csv").trim_end().ends_with(",red,red"), "{}", output.err);
}

#[test]
fn unknown_pairs_and_programs_are_refused() {
    let sandbox = Sandbox::empty();
    sandbox.write("list.csv", "id\na\n");
    refused(&sandbox, "real-bugs list.csv --only b --threefold sh", &["--only: list.csv has no pair `b`"]);
    refused(&sandbox, "real-bugs none.csv", &["none.csv: can't be read"]);
    refused(&sandbox, "real-bugs list.csv --peer-games 4", &["--peers"]);
}

/// Echo, and Echo with a wrong perft count, through the shipped program.
#[test]
fn shipped_program_finds_a_wrong_count() {
    let threefold = Path::new(PROGRAM).with_file_name("threefold");
    if !threefold.exists() {
        eprintln!("skipped: {} is not built", threefold.display());
        return;
    }
    let sandbox = Sandbox::empty();
    let echo = format!("#!/bin/sh\n{} uci", threefold.display());
    let wrong = format!("{echo} | sed -u 's/^Nodes searched: /&1/'\n");
    pair(&sandbox, "count", [("fix", &format!("{echo}\n")), ("parent", &wrong)]);
    let output = sandbox.run("real-bugs built --suites perft --out results");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let table = sandbox.read("results/pairs.csv");
    assert!(table.contains("\"red, not judged\",perft,perft/"), "{table}\n{}", output.err);
    assert!(sandbox.path("results/count/changed/summary.md").exists());
}
