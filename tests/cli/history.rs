//! `history`: results over time.

use crate::sandbox::{Sandbox, THREEFOLD};

fn suite(sandbox: &Sandbox, file: &str, nodes: u32, engine: &str) {
    let ran = sandbox.run(&format!(
        "suite traps.toml mates.toml --nodes {nodes} --engine {engine} --run runs/{file}.sqlite"
    ));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

fn json(sandbox: &Sandbox, words: &str) -> serde_json::Value {
    let output = sandbox.run(&format!("history {words} --json"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    serde_json::from_str(&output.out).expect("JSON")
}

#[test]
fn history_of_journals_has_each_suite_and_no_flaky_case_of_a_deterministic_engine() {
    let sandbox = Sandbox::new();
    suite(&sandbox, "a", 300, "echo,name=Echo,Hash=1");
    suite(&sandbox, "b", 300, "echo,name=Echo,Hash=1");
    // Other limits change verdicts, but show no flaky case.
    suite(&sandbox, "c", 5000, "echo,name=Echo,Hash=1");
    let history = json(&sandbox, "runs");
    let runs = history["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 3);
    let passed = |run: usize| runs[run]["suites"]["traps"]["passed"].as_u64().expect("a number");
    assert_eq!(passed(0), passed(1));
    assert_ne!(passed(1), passed(2), "more nodes solve more");
    assert_eq!(runs[0]["suites"]["traps"]["cases"], 8);
    assert_eq!(history["flaky"].as_array().expect("a list").len(), 0);
    let text = sandbox.run("history runs");
    assert!(
        text.out.starts_with("3 runs\n") && text.out.contains("Suite mates") && text.out.contains("c.sqlite"),
        "{}",
        text.out
    );
    let twice = sandbox.run("history runs/a.sqlite ./runs runs");
    assert!(twice.out.starts_with("3 runs\n"), "each run once: {}", twice.out);
    let csv = sandbox.run("history runs/a.sqlite runs/b.sqlite --csv");
    assert_eq!(csv.out.lines().count(), 5, "{}", csv.out);
}

#[test]
fn case_with_two_verdicts_of_one_build_is_flaky() {
    let sandbox = Sandbox::new();
    // It ends at `go` if the file `crash` exists, which is no part of its build.
    let script = |status: u8| {
        let arms = format!("uci) echo uciok;; isready) echo readyok;; go*) exit {status};;");
        let crash = format!("while read -r line; do case \"$line\" in {arms} esac; done");
        format!("if [ -e crash ]; then {crash}; else exec '{THREEFOLD}' uci; fi")
    };
    let engine = sandbox.script("Flaky", &script(4));
    let words =
        |file| ["suite", "mates.toml", "--engine", engine.as_str(), "--max-faults", "100%", "--run", file];
    sandbox.run_words(&words("runs/a.sqlite"));
    sandbox.write("crash", "");
    sandbox.run_words(&words("runs/b.sqlite"));
    let before = sandbox.run("history runs");
    assert!(before.out.contains("Flaky cases"), "{} {}", before.out, before.err);
    let flaky = json(&sandbox, "runs")["flaky"].as_array().expect("a list").clone();
    assert_eq!(flaky[0]["verdicts"]["fault"], 1, "{flaky:?}");
    // Another build of the engine is another program.
    sandbox.script("Flaky", &script(5));
    sandbox.run_words(&words("runs/b2.sqlite"));
    let other = json(&sandbox, "runs/a.sqlite runs/b2.sqlite");
    assert_eq!(other["flaky"].as_array().expect("a list").len(), 0);
}

#[test]
fn history_of_commits_has_every_version_of_the_baseline() {
    let sandbox = Sandbox::empty();
    let cases = |lost: usize| {
        let row = |index| {
            let (verdict, cause) =
                if index < lost { ("failed", "history") } else { ("passed", "an accepted move") };
            format!("traps,t.{index:02},trap,{verdict},{cause},,a1a8\n")
        };
        let bench = format!("bench,bench,bench,passed,measured,\"{0} nodes, 77 nps\",{0}\n", 500 + lost);
        format!("suite,id,class,verdict,cause,detail,played\n{bench}{}", (0..30).map(row).collect::<String>())
    };
    let git = "git -c user.name=t -c user.email=t@example.org";
    sandbox.write("base/figures.json", "{\"version\": 1, \"figures\": {}}\n");
    sandbox.shell("git init -q .");
    for (day, lost) in [(1, 0), (2, 0), (3, 20)] {
        sandbox.write("base/cases.csv", cases(lost));
        sandbox.write("source.c", format!("{day}"));
        let committed = sandbox.shell(&format!(
            "git add -A && GIT_COMMITTER_DATE='2026-01-0{day}T12:00:00Z' {git} commit -qm c{day}"
        ));
        assert_eq!(committed.code, Some(0), "{}", committed.err);
    }
    let history = json(&sandbox, "--git base");
    let runs = history["runs"].as_array().expect("runs");
    // The second commit does not change the baseline.
    let dates: Vec<&str> = runs.iter().filter_map(|run| run["date"].as_str()).collect();
    assert_eq!(dates, ["2026-01-01", "2026-01-03"]);
    let changes: Vec<&str> = history["changes"]
        .as_array()
        .expect("changes")
        .iter()
        .filter_map(|change| change["what"].as_str())
        .collect();
    assert_eq!(changes, ["from 500 to 520", "20 cases lost, 0 gained"]);
    let text = sandbox.run("history --git base");
    assert!(
        text.out.contains("McNemar's exact test, p < 0.001") && text.out.contains("10/30"),
        "{}",
        text.out
    );
    assert_eq!(sandbox.run("history --git nowhere").code, Some(2));
}

#[test]
fn several_engines_need_a_choice() {
    let sandbox = Sandbox::new();
    suite(&sandbox, "a", 100, "echo,name=A,Hash=1");
    suite(&sandbox, "b", 100, "echo,name=B,Hash=1");
    let both = sandbox.run("history runs");
    assert_eq!(both.code, Some(2));
    assert!(both.err.contains("choose one with --engine: A, B"), "{}", both.err);
    assert_eq!(json(&sandbox, "runs --engine B")["runs"].as_array().expect("runs").len(), 1);
    let none = sandbox.run("history runs --engine C");
    assert!(none.err.contains("no journal has the engine `C`; there are: A, B"), "{}", none.err);
    let unnamed = sandbox.run("history");
    assert_eq!(unnamed.code, Some(2));
    assert!(unnamed.err.contains("there is no .threefold/baseline here; name journals"), "{}", unnamed.err);
    let page = sandbox.run("history runs --html page.html");
    assert!(page.err.contains("threefold history --html > page.html"), "{}", page.err);
}

#[test]
fn journal_of_a_match_adds_its_elo_to_the_history_and_the_page() {
    let sandbox = Sandbox::new();
    suite(&sandbox, "a", 100, "echo,name=New,Hash=1");
    let played = sandbox.run(
        "match --engine echo,name=New,nodes=150 --engine echo,name=Old,nodes=60 --games 24 --maxmoves 60 \
         --openings builtin:balanced --run runs/b.sqlite",
    );
    assert_eq!(played.code, Some(0), "{}", played.err);
    let history = json(&sandbox, "runs");
    let runs = history["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 2, "{history:#}");
    let elo = &runs[1]["elo"][0];
    assert_eq!((&elo["opponent"], &elo["games"]), (&"Old".into(), &24.into()), "{history:#}");
    let [low, value, high] = ["low", "value", "high"].map(|end| elo[end].as_f64().expect("a number"));
    assert!(low < value && value < high, "{elo}");
    // The match's own report has the same estimate.
    assert_eq!(sandbox.run("report runs/b.sqlite --format json --out new").code, Some(0));
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("new/report.json")).expect("JSON");
    assert_eq!(report["matches"][0]["result"]["fixed_n"]["logistic_elo"]["value"], elo["value"]);
    let page = sandbox.run("history runs --html");
    assert_eq!((page.code, page.err.as_str()), (Some(0), ""));
    assert!(page.out.starts_with("<!DOCTYPE html>") && page.out.contains("<h1>History of New</h1>"));
    assert!(page.out.contains("against Old"), "{}", page.out);
    let both = sandbox.run("history runs --html --json");
    assert_eq!(both.code, Some(2), "one form at a time");
}

/// Commits everything, on a day of January.
fn commit(sandbox: &Sandbox, day: u32) {
    let git = "git -c user.name=t -c user.email=t@example.org";
    let committed = sandbox.shell(&format!(
        "git add -A && GIT_COMMITTER_DATE='2026-01-0{day}T12:00:00Z' {git} commit -qm c{day} && git tag v{day}"
    ));
    assert_eq!(committed.code, Some(0), "{}", committed.err);
}

#[test]
fn summary_has_the_trend_of_committed_baselines() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "small.toml",
        "version = 1\nengine = \"echo,name=Echo,Hash=1\"\nsuites = [\"mates.toml\", \"traps.toml\"]\n",
    );
    sandbox.write(".gitignore", "out\n");
    sandbox.shell("git init -q .");
    let regress = |more: &str| {
        let output = sandbox.run(&format!("regress --plan small.toml --out out --undecided pass {more}"));
        assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
        sandbox.read("out/summary.md")
    };
    assert!(!regress("--accept").contains("baselines and this run"));
    commit(&sandbox, 1);
    assert!(!regress("").contains("baselines and this run"), "one version is no history");
    // An earlier version with a case that failed.
    let cases = sandbox.read(".threefold/baseline/cases.csv");
    let worse = cases.replacen(",passed,an accepted move", ",failed,history", 1);
    assert_ne!(worse, cases);
    sandbox.write(".threefold/baseline/cases.csv", worse);
    commit(&sandbox, 2);
    sandbox.write(".threefold/baseline/cases.csv", cases);
    commit(&sandbox, 3);
    let summary = regress("");
    assert!(summary.contains("| last 3 baselines and this run | oldest | this run | trend |"), "{summary}");
    assert!(summary.contains("█▁██"), "{summary}");
    // It is in the journal: the report is the same outside the repository.
    let again = sandbox.shell("rm -rf .git && $T report out/run.sqlite --format markdown --out again");
    assert_eq!(sandbox.read("again/summary.md"), summary, "{}", again.err);
}

#[test]
fn history_without_a_path_is_that_of_this_repository() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "threefold.toml",
        "version = 1\nengine = \"echo,name=Echo,Hash=1\"\nsuites = [\"mates.toml\"]\n",
    );
    sandbox.shell("git init -q .");
    let runs = || json(&sandbox, "")["runs"].as_array().expect("runs").len();
    let regress = |words: &str| assert_eq!(sandbox.run(&format!("regress {words}")).code, Some(0));
    // The journal of the run that made the baseline, and the baseline, which no commit has.
    regress("--accept");
    assert_eq!(runs(), 2);
    commit(&sandbox, 1);
    assert_eq!(runs(), 2, "the baseline of a commit");
    assert_eq!(sandbox.shell("rm -r reports").code, Some(0));
    assert_eq!(runs(), 1);
}
