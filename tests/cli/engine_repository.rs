//! `init` in the repository of an engine, and `regress` against the engine of another commit.
//!
//! The engine is Echo behind a script, which a makefile "builds" by copying it.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::interruption::{begin, signal};
use crate::sandbox::{CommandOutput, DEADLINE, Sandbox, THREEFOLD};

/// A git repository with an engine that `make` builds, and one commit.
pub(crate) fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("engine.sh", format!("#!/bin/sh\nexec {THREEFOLD} ${{1:-uci}}\n"));
    sandbox.write("Makefile", "mine: engine.sh\n\tcp engine.sh mine && chmod +x mine\n");
    sandbox.write(".gitignore", "mine\nout");
    let output = sandbox.shell(
        "git init -q -b main && git config user.email e@example.org && git config user.name E && \
         git add Makefile engine.sh .gitignore && git commit -q -m 'First'",
    );
    assert_eq!(output.code, Some(0), "{}", output.err);
    sandbox
}

/// Commits the present files.
fn commit(sandbox: &Sandbox, message: &str) {
    let output = sandbox.shell(&format!("git add -A . && git commit -q -m '{message}'"));
    assert_eq!(output.code, Some(0), "{}", output.err);
}

#[test]
fn init_builds_the_engine_and_writes_a_set_up_that_regress_uses() {
    let sandbox = repository();
    let output = sandbox.run("init --no-run");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(output.err.contains("no program here answers `uci`; building: make"), "{}", output.err);
    assert!(output.out.contains("(`./mine,name=mine,Threads=1,Hash=16,timemargin=500`)"), "{}", output.out);
    let plan = sandbox.read("threefold.toml");
    assert!(
        plan.contains("engine = \"./mine,name=mine,Threads=1,Hash=16,timemargin=500\"\nbuild = \"make\"\n"),
        "{plan}"
    );
    assert!(!plan.contains("bench = \"commit\""), "no commit has a signature: {plan}");
    assert!(
        output.out.contains("\nbench: none of the last 100 commit messages has a count"),
        "{}",
        output.out
    );
    assert!(sandbox.read(".github/workflows/threefold.yml").contains("run: |\n          make\n"));
    assert_eq!(sandbox.read(".gitignore"), "mine\nout\n/reports/\n/runs/\n");

    let again = sandbox.run("init --no-run");
    assert_eq!(again.code, Some(2), "{}", again.err);
    assert!(again.err.contains("threefold.toml: exists already; give --force"), "{}", again.err);
    assert_eq!(again.out, "", "the engine is not asked");

    // The plan that was written, with one short suite, is what `regress` uses.
    let first = plan.find("suites = [").expect("suites");
    let short = format!("{}suites = [\"mates.toml\"]\n", &plan[..first]);
    sandbox.write("threefold.toml", short);
    let accepted = sandbox.run("regress --accept");
    assert_eq!(accepted.code, Some(0), "{}", accepted.err);
    let compared = sandbox.run("regress");
    assert_eq!(compared.code, Some(0), "{}", compared.err);
    assert!(compared.out.contains("No regression (5 cases compared)."), "{}", compared.out);
    assert!(!compared.err.contains("is older than"), "{}", compared.err);
    let broken = sandbox.run("regress --engine ./mine,fault=MateInPlies");
    assert_eq!(broken.code, Some(1), "{}", broken.out);
    let below = sandbox.shell("mkdir sub && cd sub && $T regress");
    assert_eq!(below.code, Some(2), "{}", below.err);
    assert!(below.err.contains("run this command in its folder"), "{}", below.err);
}

#[test]
fn init_keeps_a_baseline_that_is_there() {
    let sandbox = repository();
    for file in ["cases.csv", "accepted.csv"] {
        let file = format!(".threefold/baseline/{file}");
        sandbox.write(&file, "of an earlier run\n");
        let output = sandbox.run("init");
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}", output.err);
        assert!(output.err.contains(&format!("{file}: exists already; give --force")), "{}", output.err);
        // Without a run no baseline is written.
        let output = sandbox.run("init --no-run --force");
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert_eq!(sandbox.read(&file), "of an earlier run\n");
        assert_eq!(sandbox.shell("rm -r threefold.toml .github .threefold").code, Some(0));
    }
}

#[test]
fn interrupted_init_names_the_command_that_does_it_again() {
    let sandbox = repository();
    let words = ["init", "--ci", "gitlab"].map(str::to_owned);
    let child = begin(&sandbox, &words);
    wait_until_there(&sandbox.path("reports/latest/determinism.sqlite"));
    signal(&child, Signal::SIGTERM);
    let output = CommandOutput::from(child.wait_with_output().expect("it ends"));
    assert_eq!(output.code, Some(130), "{}", output.err);
    let command = "Continue with:\n  threefold init --ci gitlab --force\n";
    assert!(output.err.ends_with(command), "{}", output.err);
}

/// Waits until a file is there.
fn wait_until_there(file: &Path) {
    let begun = Instant::now();
    while !file.exists() {
        assert!(begun.elapsed() < DEADLINE, "{} never came", file.display());
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn engine_of_a_file_of_engines_has_its_text_in_the_plan() {
    let sandbox = Sandbox::new();
    let output = sandbox.run("init --no-run --ci none --engine @engines.toml#old,Threads=1");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let plan = sandbox.read("threefold.toml");
    assert!(plan.contains("engine = \"echo,name=Old,Hash=1,Threads=1,timemargin=500\"\n"), "{plan}");
}

#[test]
fn regress_warns_of_a_program_that_is_older_than_its_sources() {
    let sandbox = repository();
    sandbox.write("search.c", "");
    assert_eq!(sandbox.shell("mkdir tests").code, Some(0));
    commit(&sandbox, "A source");
    let written = sandbox.run("init --no-run");
    assert_eq!(written.code, Some(0), "{}", written.err);
    let plan = sandbox.read("threefold.toml");
    let first = plan.find("suites = [").expect("suites");
    sandbox.write("threefold.toml", format!("{}suites = [\"mates.toml\"]\n", &plan[..first]));
    let accepted = sandbox.run("regress --accept");
    assert_eq!(accepted.code, Some(0), "{}", accepted.err);
    let warning =
        "warning: ./mine is older than search.c: if that change is to be tested, build first: make\n";
    for (change, count) in [("README.md", 0), ("tests/perft.c", 0), ("search.c", 2)] {
        assert_eq!(sandbox.shell(&format!("touch -d '1 hour' {change} && git add {change}")).code, Some(0));
        let output = sandbox.run("regress");
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert_eq!(output.err.matches(warning).count(), count, "{change}: {}", output.err);
    }
    let other = sandbox.run("regress --engine ./mine --fresh");
    assert!(!other.err.contains("is older than"), "it is not built by the plan: {}", other.err);
}

/// The engine ends as soon as it reads `go infinite`, which cases of the suite `compliance` send, and when `Hash` gets the
/// value 8 a second time, and when its hash table is to be cleared the first time. It ends in one smoke game, and in another one
/// when that is played again. It answers all other searches after a few nodes.
#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn init_leaves_out_the_cases_in_which_the_engine_ends() {
    let sandbox = repository();
    let filter = "while IFS= read -r line && [ \"$line\" != 'go infinite' ]; do\n\
                  case \"$line\" in *'wtime 2020 btime 2020 winc 20'*) exit;;\n\
                  *'wtime 500 btime 500 winc 0 binc 0 movestogo 10') echo >> tens; [ $(wc -l < tens) -gt 1 ] && exit; line=\"$line nodes 20\";;\n\
                  go*) line=\"$line nodes 20\";;\n\
                  *'Hash value 8') echo >> eights; [ $(wc -l < eights) -gt 1 ] && exit;;\n\
                  *'Clear Hash') [ -e cleared ] || { echo > cleared; exit; };; esac\n\
                  printf '%s\\n' \"$line\"\n[ \"$line\" = quit ] && break\ndone";
    sandbox.write("engine.sh", format!("#!/bin/sh\n{filter} | {THREEFOLD} uci\n"));
    let output = sandbox.run("init");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(output.err.contains("[left-out] names the cases with an engine fault"), "{}", output.err);
    assert!(output.err.contains("\n  compliance ready-while-searching: crash\n"), "{}", output.err);
    assert!(output.err.contains("\n  dialogue option-hash: passes by chance\n"), "{}", output.err);
    assert!(output.err.contains("\n  dialogue option-clear-hash: flaky\n"), "{}", output.err);
    assert!(output.err.contains("\n  smoke increment: crash\n"), "{}", output.err);
    assert!(output.err.contains("\n  smoke periods: passes by chance\n"), "{}", output.err);
    assert!(
        output.err.contains("\n  smoke very-short: another game has a fault by chance\n"),
        "{}",
        output.err
    );
    let known =
        "cases of suites in which an answer is a matter of rules; the baseline has them as known failures";
    assert!(output.err.contains(known), "{}", output.err);
    let plan = sandbox.read("threefold.toml");
    assert!(plan.contains("[left-out]\ncompliance = [\n"), "{plan}");
    assert!(plan.contains("    \"ready-while-searching\",    # crash\n"), "{plan}");
    let cases = sandbox.read(".threefold/baseline/cases.csv");
    assert!(
        cases.contains("compliance,ready-while-searching,compliance,skipped,left out,crash,,\n"),
        "{cases}"
    );
    let compared = sandbox.run("regress");
    assert_eq!(compared.code, Some(0), "{}", compared.err);
    assert!(compared.out.contains("left out"), "{}", compared.out);
}

#[test]
fn init_shows_git_the_files_that_a_rule_hides() {
    let sandbox = repository();
    sandbox.write(".gitignore", "mine\nout\n*.json");
    let output = sandbox.run("init --no-run");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let ignore = sandbox.read(".gitignore");
    assert!(ignore.starts_with("mine\nout\n*.json\n/reports/\n/runs/\n!/.threefold/\n"), "{ignore}");
    let hidden = sandbox.shell(
        "git check-ignore threefold.toml .github/workflows/threefold.yml .threefold/baseline/cases.csv \
         .threefold/baseline/figures.json .threefold/baseline/environment.json",
    );
    assert_eq!((hidden.code, hidden.out.as_str()), (Some(1), ""));
    // The rule still hides other files.
    assert_eq!(sandbox.shell("git check-ignore other.json").code, Some(0));
}

#[test]
fn init_builds_to_the_program_of_the_engine_in_a_job() {
    let sandbox = repository();
    let build = "make && cp mine {out}";
    let output = sandbox.shell(&format!("$T init --no-run --build '{build}'"));
    assert_eq!(output.code, Some(2), "{}", output.err);
    assert!(output.err.contains("build the engine, and name it with --engine"), "{}", output.err);
    sandbox.shell("make");
    let output = sandbox.shell(&format!("$T init --no-run --build '{build}' --engine ./mine,Hash=1"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(sandbox.read("threefold.toml").contains(&format!("build = \"{build}\"\n")));
    let workflow = sandbox.read(".github/workflows/threefold.yml");
    assert!(workflow.contains("run: |\n          make && cp mine ./mine\n"), "{workflow}");
}

#[test]
fn init_takes_signatures_of_commits_and_the_service_given() {
    let sandbox = repository();
    sandbox.write("note", "");
    commit(&sandbox, "Second\n\nBench: 4242424");
    let output = sandbox.run("init --no-run --ci gitlab");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(sandbox.read("threefold.toml").contains("bench = \"commit\""));
    assert!(sandbox.read(".gitlab/threefold.gitlab-ci.yml").contains("THREEFOLD_BUILD: |\n      make\n"));
    assert!(!sandbox.path(".github").exists());
}

#[test]
fn plan_of_an_engine_without_bench_is_without_that_suite() {
    let sandbox = repository();
    sandbox.write("engine.sh", format!("#!/bin/sh\nexec {THREEFOLD} uci\n"));
    commit(&sandbox, "Second\n\nBench: 4242424");
    let output = sandbox.run("init --no-run");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let why = "\nbench: not supported, so the plan is without that suite (`bench`: run with it, it prints no count of nodes)";
    assert!(output.out.contains(why), "{}", output.out);
    let plan = sandbox.read("threefold.toml");
    assert!(!plan.contains("bench") && plan.contains("\"builtin:perft\",\n"), "{plan}");
}

#[test]
fn init_names_the_remedy_where_it_cannot_find_the_engine() {
    let sandbox = Sandbox::empty();
    sandbox.write(".git/HEAD", "");
    let output = sandbox.run("init");
    assert_eq!(output.code, Some(2), "{}", output.err);
    assert!(output.err.contains("build the engine, and name it with --engine"), "{}", output.err);

    let sandbox = repository();
    let two = sandbox.shell("make -s && cp mine other && $T init --no-run </dev/null");
    assert_eq!(two.code, Some(2), "{}", two.err);
    assert!(two.err.contains("several programs answer `uci`; name one with --engine"), "{}", two.err);
    let below = sandbox.shell("mkdir sub && cd sub && $T init");
    assert_eq!(below.code, Some(2), "{}", below.err);
    assert!(below.err.contains("run `threefold init` there"), "{}", below.err);
    let absent = sandbox.run("init --no-run --engine ./nope");
    assert_eq!(absent.code, Some(3), "{}", absent.err);
    let failing = sandbox.shell("rm mine other && $T init --no-run --build 'echo no; exit 3'");
    assert_eq!(failing.code, Some(2), "{}", failing.err);
    assert!(failing.err.contains("give the right command with --build"), "{}", failing.err);
}

const PLAN: &str = "version = 1\ntitle = \"Mine\"\nengine = \"./mine,name=mine,Hash=1\"\nbuild = \"make\"\n\
    [adjudication]\nmax-moves = 4\n\
    [base]\nnodes = 20\nelo0 = -200\nelo1 = 200\ngames = 4\nopenings = \"book.epd\"\n";

/// Runs `regress` against the first commit.
fn against_first(sandbox: &Sandbox) -> CommandOutput {
    sandbox.run("regress --base-commit HEAD~1 --out out")
}

#[test]
fn base_commit_is_built_once_and_played_against() {
    let sandbox = repository();
    sandbox.write("threefold.toml", PLAN);
    commit(&sandbox, "Second");
    sandbox.shell("make -s");
    for is_first in [true, false] {
        let output = against_first(&sandbox);
        assert!(output.code.is_some_and(|code| code < 2), "{}", output.err);
        assert_eq!(output.err.contains("building the base version"), is_first, "{}", output.err);
        assert!(output.out.contains("mine minus base "), "{}", output.out);
        assert_eq!(sandbox.read("out/games.pgn").matches("[White \"").count(), 4, "{}", output.out);
    }
    let clean = sandbox.shell("git status --porcelain");
    assert_eq!(clean.out, "", "the cache is no change of the repository");

    let same = sandbox.run("regress --base-commit HEAD --out out");
    assert_eq!(same.code, Some(2), "the plan has nothing else to run: {}", same.err);
    assert!(same.err.contains("is what is checked out"), "{}", same.err);
    let unknown = sandbox.run("regress --base-commit nowhere --out out");
    assert_eq!(unknown.code, Some(2), "{}", unknown.err);
    assert!(unknown.err.contains("this clone has no commit `nowhere`"), "{}", unknown.err);
    let named = sandbox.run("regress --base-engine echo,Hash=2 --out out");
    assert!(
        named.code.is_some_and(|code| code < 2) && named.out.contains("mine minus base"),
        "{}",
        named.err
    );
}

#[test]
fn base_commit_that_cannot_be_built_is_an_error_with_the_last_lines() {
    let sandbox = repository();
    let table = [
        (PLAN.replace("\"make\"", "\"echo compiler: no; exit 3\""), "exit status: 3"),
        (PLAN.replace("\"make\"", "\"echo compiler: no; true\""), "wrote no "),
        (PLAN.replace("build = \"make\"\n", ""), "the plan does not say how commit"),
        (PLAN.split("[adjudication]").next().expect("a part").to_owned(), "add [base] with a time control"),
    ];
    sandbox.write("note", "");
    commit(&sandbox, "Second");
    sandbox.shell("make -s");
    for (plan, message) in table {
        sandbox.write("threefold.toml", plan);
        let output = against_first(&sandbox);
        assert_eq!(output.code, Some(2), "{message}: {}", output.err);
        assert!(output.err.contains(message), "{message}: {}", output.err);
        assert_eq!(output.err.contains("\n  compiler: no"), message.contains("status"), "{}", output.err);
    }
}

#[test]
fn sprt_ends_undecided_when_its_time_is_used() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(
        "sprt --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1 --elo0 0 --elo1 1 --tc 0.05+0.005 --openings book.epd \
         --jobs 1 --budget 1s --run run.sqlite",
    );
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(output.out.contains("Undecided after "), "{}", output.out);
    let report = sandbox.run("report run.sqlite --out out");
    assert_eq!(report.code, Some(0), "{}", report.err);
    let games = sandbox.read("out/games.pgn").matches("[White \"").count();
    assert!((2..40_000).contains(&games), "{games}");
}
