//! `init` for engines that lack a limit, do not search the same twice, or have many faults.
//!
//! The engine is Echo behind a loop of the shell.

use std::collections::BTreeSet;

use crate::engine_repository::repository;
use crate::sandbox::{Sandbox, THREEFOLD};

#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn suite_with_many_faults_stays_if_most_of_its_cases_have_none() {
    // Chess960 is asked for in two fifths of suite `special-moves`. Many positions of suite `value` have this counter and number,
    // and few of other suites.
    let sandbox = repository_of_filtered_engine(
        "case \"$line\" in *' 99 90'*|*'UCI_Chess960 value true') exit;; go*) line=\"$line nodes 20\";; esac",
    );
    let output = sandbox.run("init");
    assert_eq!(output.code, Some(0), "{}", output.err);
    for warning in [
        "in more than 20 cases of suite value, so the plan is without it; add builtin:value once",
        "in more than 20 cases of suite special-moves, so these and the other ",
    ] {
        assert!(output.err.contains(warning), "{}", output.err);
    }
    let plan = sandbox.read("threefold.toml");
    assert!(!plan.contains("builtin:value") && plan.contains("\"builtin:special-moves\","), "{plan}");
    assert!(
        plan.contains("    # not asked after many faults\n") && plan.contains("\"builtin:mate\","),
        "{plan}"
    );
    // What was over is not run again, and counts.
    let reports = ["latest", "latest-2", "latest-3"];
    let [first, second, third] = reports.map(|run| sandbox.read(&format!("reports/{run}/cases.csv")));
    let has = |run: &str, suites: [&str; 3]| suites.map(|suite| run.contains(&format!("\n{suite},")));
    let suites = ["dialogue", "value", "mate"];
    assert_eq!(has(&first, suites), [true, false, false], "{first}");
    assert_eq!(has(&second, suites), [false, true, false], "{second}");
    assert_eq!(has(&third, suites), [false, false, true], "{third}");
    let baseline = sandbox.read(".threefold/baseline/cases.csv");
    assert_eq!(has(&baseline, suites), [true, false, true], "{baseline}");
    let left_out = "skipped,left out,not asked after many faults,";
    assert!(baseline.contains(left_out), "{baseline}");
    let compared = sandbox.run("regress");
    assert_eq!(compared.code, Some(0), "{}{}", compared.out, compared.err);
    assert!(format!("{}{}", compared.out, compared.err).contains("No regression"), "{}", compared.err);
    assert_eq!(case_names(&baseline), case_names(&sandbox.read("reports/latest/cases.csv")));
}

/// The suite and the id of each row of a file `cases.csv`.
fn case_names(cases: &str) -> BTreeSet<String> {
    cases.lines().map(|row| row.split(',').take(2).collect::<Vec<_>>().join("/")).collect()
}

/// Echo behind a loop of the shell, which may change or drop each `$line` to it.
fn repository_of_filtered_engine(filter: &str) -> Sandbox {
    let sandbox = repository();
    write_filtered_engine(&sandbox, filter);
    sandbox
}

fn write_filtered_engine(sandbox: &Sandbox, filter: &str) {
    let filter = format!(
        "while IFS= read -r line; do\n{filter}\nprintf '%s\\n' \"$line\"\n[ \"$line\" = quit ] && break\ndone"
    );
    sandbox.write("engine.sh", format!("#!/bin/sh\n{filter} | {THREEFOLD} uci\n"));
}

/// The set-up of such an engine without a run: its repository, what `init` prints, and the plan.
fn set_up(filter: &str) -> (Sandbox, String, String) {
    let sandbox = repository_of_filtered_engine(filter);
    let output = sandbox.run("init --no-run");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let plan = sandbox.read("threefold.toml");
    (sandbox, output.out, plan)
}

/// Replaces the nodes of each `go` by a number that varies, and is enough for a search that keeps its limit.
const RANDOM_NODES: &str = "line=\"go nodes $((4000 + $(date +%N | sed 's/^0*//') % 5000))\"";

#[test]
fn engine_with_an_inexact_node_limit_is_limited_by_depth() {
    let random = format!("case \"$line\" in 'go nodes'*) {RANDOM_NODES};; esac");
    let (_, printed, plan) = set_up(&random);
    let limits = "\nlimits: with `go nodes` the engine does not end the same search at the same node twice";
    assert!(printed.contains(limits), "{printed}");
    assert!(plan.contains("\n[limits]\ndepth = 8\n") && plan.contains("builtin:determinism"), "{plan}");
}

#[test]
fn suites_that_compare_searches_have_no_baseline_if_the_engine_never_searches_the_same_twice() {
    let random = format!("case \"$line\" in go*) {RANDOM_NODES};; esac");
    let (sandbox, printed, plan) = set_up(&random);
    let restart = "\nrestart: the engine does not search the same twice, not even in new processes (";
    assert!(printed.contains(restart), "{printed}");
    assert!(!plan.contains("builtin:determinism") && plan.contains("builtin:dialogue"), "{plan}");
    sandbox.write(
        "twice.toml",
        "version = 1\ntitle = \"T\"\nseed = 1\nengine = \"./mine\"\nsuites = [\"builtin:determinism\"]\n\
         thresholds = \"ignore\"\n[limits]\nnodes = 20000\n",
    );
    let output = sandbox.run("regress --plan twice.toml --accept");
    assert_eq!(output.code, Some(1), "{}{}", output.out, output.err);
    assert!(
        output.err.contains("the baseline is not written, because the engine does not search"),
        "{}",
        output.err
    );
    assert!(output.out.contains("The baseline is not written."), "{}", output.out);
    assert!(!sandbox.path(".threefold/baseline/cases.csv").exists());
}

#[test]
fn engine_that_moves_at_once_is_limited_by_depth() {
    let sandbox = repository();
    sandbox.write(
        "engine.sh",
        "#!/bin/sh\nwhile read -r line; do case \"$line\" in\nuci) echo id name Fast 1.2; echo uciok;;\n\
         isready) echo readyok;;\nquit) exit;;\n\
         go*) echo info depth 1 score cp 3 nodes 394 pv e2e4; echo bestmove e2e4;;\nesac; done\n",
    );
    let output = sandbox.run("init --no-run");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(output.out.contains("\nlimits: the engine does not keep `go nodes`"), "{}", output.out);
    let plan = sandbox.read("threefold.toml");
    assert!(plan.contains("title = \"Fast\"\n") && plan.contains("\n[limits]\ndepth = 8\n"), "{plan}");
}

#[test]
fn engine_that_ends_at_a_node_limit_is_limited_by_depth() {
    let (_, printed, plan) = set_up("case \"$line\" in 'go nodes'*) exit 101;; esac");
    assert!(printed.contains("\nlimits: the engine does not keep `go nodes`"), "{printed}");
    assert!(plan.contains("\n[limits]\ndepth = 8\n"));
}

/// Nothing but a clock and `stop` ends a search of this engine.
const CLOCKS_ALONE: &str = "case \"$line\" in go*nodes*|go*depth*|go*movetime*) line='go infinite';; esac";

#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn engine_that_keeps_clocks_alone_is_compared_in_dialogues_on_clocks() {
    let sandbox = repository_of_filtered_engine(CLOCKS_ALONE);
    let output = sandbox.run("init --search-timeout 2");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let plan = sandbox.read("threefold.toml");
    assert!(plan.contains("builtin:dialogue") && plan.contains("\n[limits]\ntc = \"2\""), "{plan}");
    let cases = sandbox.read(".threefold/baseline/cases.csv");
    assert!(cases.contains("dialogue,great-depth-on-clock.queen,limits,passed,"), "{cases}");
    assert!(cases.contains("clock,long-iteration.period,flag,passed,"), "{cases}");
    assert!(cases.contains("dialogue,depth-reached,limits,skipped,not supported,"), "{cases}");
    let compared = sandbox.run("regress --search-timeout 2");
    assert_eq!(compared.code, Some(0), "{}{}", compared.out, compared.err);

    // The next version sees only whole seconds of elapsed time. With it, each search of the whole plan takes a second.
    let seconds = format!("{CLOCKS_ALONE}\ncase \"$line\" in go*time*) line='go movetime 1000';; esac");
    write_filtered_engine(&sandbox, &seconds);
    let built = sandbox.shell("make");
    assert_eq!(built.code, Some(0), "{}", built.err);
    sandbox.write(
        "clock.toml",
        "version = 1\ntitle = \"Clock\"\nseed = 1\nengine = \"./mine\"\nsuites = [\"builtin:clock\"]\n\
         thresholds = \"ignore\"\n[limits]\ntc = \"2\"\n",
    );
    let compared = sandbox.run("regress --plan clock.toml --search-timeout 2");
    assert_eq!(compared.code, Some(1), "{}{}", compared.out, compared.err);
    let cases = sandbox.read("reports/latest/cases.csv");
    assert!(cases.contains("clock,long-iteration.period,flag,mine,failed,"), "{cases}");
}

#[test]
fn engine_that_ignores_a_new_game_is_restarted_for_each_game() {
    let (_, printed, plan) =
        set_up("case \"$line\" in ucinewgame|'setoption name Clear Hash') continue;; esac");
    assert!(printed.contains("\nrestart: after `ucinewgame` the engine does not search as"), "{printed}");
    assert!(plan.contains(",restart=on"));
}

#[test]
fn engine_that_ignores_a_new_game_has_its_hash_cleared_if_it_can() {
    let (_, printed, plan) = set_up("[ \"$line\" = ucinewgame ] && continue");
    assert!(printed.contains("\nclear hash: after `ucinewgame` alone the engine does not"), "{printed}");
    assert!(plan.contains(",Clear Hash=,") && !plan.contains("restart=on"), "{plan}");
}

/// Neither the first searches of `init` nor suite `determinism` alone show it, but both suites that are run before the whole plan do.
#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn engine_that_ignores_a_later_new_game_is_restarted_for_each_game() {
    let later = "case \"$line\" in go*) line=\"$line nodes 1000\";;\n\
                 ucinewgame|*'Clear Hash') echo >> games; [ $(wc -l < games) -gt 75 ] && continue;; esac";
    let sandbox = repository_of_filtered_engine(later);
    let output = sandbox.run("init");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(!output.out.contains("\nrestart: "), "{}", output.out);
    let steps = [
        "`Clear Hash` is now pressed for each game, since the",
        "the engine now has restart=on, since it did not search",
    ];
    let (before_the_plan, _) = output.err.split_once("journal: reports/latest/run.sqlite").expect("a run");
    assert!(steps.iter().all(|step| before_the_plan.contains(step)), "{}", output.err);
    let plan = sandbox.read("threefold.toml");
    assert!(plan.contains(",restart=on") && !plan.contains("Clear Hash"), "{plan}");
    assert!(sandbox.read(".threefold/baseline/cases.csv").contains("determinism,"));
}

/// The first searches of `init` keep their limit, and those of suite `determinism` do not.
#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn engine_that_exceeds_later_node_limits_is_limited_by_depth() {
    let later = "case \"$line\" in go*nodes*) echo >> searches; [ $(wc -l < searches) -gt 75 ] && line='go nodes 3000000';; esac";
    let sandbox = repository_of_filtered_engine(later);
    let output = sandbox.run("init");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let step = "its searches are now limited by depth, since the engine searches far beyond a node limit (determinism";
    let (before_the_plan, _) = output.err.split_once("journal: reports/latest/run.sqlite").expect("a run");
    assert!(before_the_plan.contains(step), "{}", output.err);
    assert!(sandbox.read("threefold.toml").contains("\n[limits]\ndepth = "));
}

/// Each search begins late, so the whole plan would take too long.
#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn plan_of_a_slow_engine_asks_fewer_cases() {
    let sandbox = repository_of_filtered_engine("case \"$line\" in *nodes*) sleep 0.06;; esac");
    let output = sandbox.run("init");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(output.err.contains("so fewer cases are asked"), "{}", output.err);
    assert!(sandbox.read("threefold.toml").contains("    # fewer, since the plan took long\n"));
    let compared = sandbox.run("regress");
    assert_eq!(compared.code, Some(0), "{}{}", compared.out, compared.err);
    // The baseline has the cases that later runs ask, and no others.
    assert_eq!(
        case_names(&sandbox.read(".threefold/baseline/cases.csv")),
        case_names(&sandbox.read("reports/latest/cases.csv"))
    );
}
