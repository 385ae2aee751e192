//! Lost cases of search suites are asked again with more nodes: what is found later is no regression. Lost dialogues are
//! held again: what passes now and then is none.

use crate::sandbox::{CommandOutput, Sandbox, THREEFOLD};

/// A plan of one search suite whose baseline is Echo's.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "again.toml",
        "version = 1\ntitle = \"Again\"\nseed = 1\nengine = \"echo,name=Echo,Hash=1\"\nsuites = [\"mates.toml\"]\n\
         [base]\ntc = \"0.2+0.01\"\ntimemargin = 5000\nelo0 = -10\nelo1 = 0\nbudget = \"1s\"\nopenings = \"book.epd\"\n",
    );
    let output = sandbox.run("regress --plan again.toml --baseline base --accept");
    assert_eq!(output.code, Some(0), "{}", output.err);
    sandbox
}

/// Compares an engine with the baseline: Echo, which does not show a mate where a `go` matches this pattern.
fn compare(sandbox: &Sandbox, pattern: &str, more: &[&str]) -> CommandOutput {
    let script = format!(
        "while read -r line; do case \"$line\" in {pattern}) : > weak;; go*) rm -f weak;; esac; printf '%s\\n' \"$line\"; done |\n\
         {THREEFOLD} uci |\n\
         while read -r line; do\n\
         case \"$line\" in *'score mate '*) if [ -e weak ]; then\n\
         rest=${{line#*score mate }}; line=\"${{line%%score mate *}}score cp 5 ${{rest#* }}\"; fi;; esac; printf '%s\\n' \"$line\"\n\
         done"
    );
    let engine = sandbox.script("changed", &script).replace("name=changed", "name=Echo,Hash=1");
    // The engine keeps a file in its folder.
    let command = [
        "regress",
        "--plan",
        "again.toml",
        "--baseline",
        "base",
        "--out",
        "new",
        "-j",
        "1",
        "--engine",
        &engine,
    ];
    sandbox.run_words(&[&command, more].concat())
}

#[test]
fn case_that_is_solved_with_more_nodes_is_no_regression() {
    let sandbox = sandbox();
    let output = compare(&sandbox, "*'nodes 300'", &[]);
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    assert!(output.out.contains("solved at other search limits"), "{}", output.out);
    assert!(output.out.contains(": solved at 270 nodes\n"), "{}", output.out);
    let summary = sandbox.read("new/summary.md");
    assert!(
        summary.contains("Lost cases that do not count") && summary.contains("solved at 270 nodes"),
        "{summary}"
    );
    assert!(sandbox.read("new/index.html").contains("lost, but not counted"));
    assert!(!sandbox.read("new/junit.xml").contains("<failure"));
    // Each case once: the answers at other limits are in the journal only.
    let cases = sandbox.read("new/cases.csv");
    assert_eq!(cases.lines().count(), 6, "{cases}");
}

#[test]
fn case_that_is_solved_at_no_limit_is_a_regression() {
    let sandbox = sandbox();
    let output = compare(&sandbox, "go*", &[]);
    assert_eq!(output.code, Some(1), "{}{}", output.out, output.err);
    assert!(output.out.contains("not solved at any of 7 limits"), "{}", output.out);
    assert!(sandbox.read("new/junit.xml").contains("<failure"));
    let based = compare(&sandbox, "go*", &["--base-engine", "echo,name=Base,Hash=1"]);
    assert_eq!(based.code, Some(1), "{}{}", based.out, based.err);
    assert!(based.out.contains("7 limits, of which the base version solves 7"), "{}", based.out);
}

/// A run of a suite of this number of dialogues with an engine that is silent in the first ones that are held, compared with a
/// baseline in which it passes: its sandbox with the reports in `new`, and its output.
fn with_silent_dialogues(dialogues: usize, silent: usize, more: &str) -> (Sandbox, CommandOutput) {
    let sandbox = Sandbox::new();
    let dialogue = |number: usize| {
        format!(
            "[[settings.dialogues]]\nid = \"ready.{number}\"\nclass = \"ready\"\nsummary = \"It answers.\"\n\
             steps = \"> ucinewgame\\n> isready\\n< readyok within 100ms\\n\"\n"
        )
    };
    let all: String = (1..=dialogues).map(dialogue).collect();
    let head = "version = 1\nkind = \"dialogue\"\ntitle = \"Talk\"\npositions = []\n";
    sandbox.write("talk.toml", format!("{head}{all}"));
    let engine = sandbox.script(
        "changed",
        "while read -r line; do case \"$line\" in\n\
         uci) echo uciok;;\n\
         ucinewgame) asked=yes; echo >> asked.txt;;\n\
         isready) [ -n \"$asked\" ] && [ $(wc -l < asked.txt) -le $(cat silent.txt) ] || echo readyok;;\n\
         quit) exit;;\nesac; done",
    );
    sandbox.write("silent.txt", "0");
    let plan =
        format!("version = 1\ntitle = \"Talk\"\nseed = 1\nengine = '{engine}'\nsuites = [\"talk.toml\"]\n");
    sandbox.write("talk-plan.toml", &plan);
    let regress = "regress --plan talk-plan.toml --baseline base --out new -j 1";
    let accepted = sandbox.run(&format!("{regress} --accept"));
    assert_eq!(accepted.code, Some(0), "{}{}", accepted.out, accepted.err);
    sandbox.write("asked.txt", "");
    sandbox.write("silent.txt", silent.to_string());
    let output = sandbox.run(&format!("{regress} {more}"));
    (sandbox, output)
}

#[test]
fn dialogue_that_passes_when_it_is_held_again_is_no_regression() {
    let (_, output) = with_silent_dialogues(1, 3, "");
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    assert!(output.out.contains("1 lost case is flaky"), "{}", output.out);
    let (_, output) = with_silent_dialogues(1, 1000, "");
    assert_eq!(output.code, Some(1), "{}{}", output.out, output.err);
    assert!(output.out.contains("failed in each of 5 attempts"), "{}", output.out);
}

#[test]
fn run_stops_after_a_number_of_lost_cases_unless_they_pass_when_they_are_tried_again() {
    let (sandbox, output) = with_silent_dialogues(12, 1000, "");
    assert_eq!(output.code, Some(1), "{}{}", output.out, output.err);
    let sentence = "Regression: 8 cases are worse than in the baseline (talk 8). The run stopped after 10 lost cases \
                    (--stop-after); 10 of 12 cases done.";
    assert!(output.out.contains(sentence), "{}", output.out);
    assert_eq!(sandbox.read("new/cases.csv").lines().count(), 11);
    let (sandbox, output) = with_silent_dialogues(4, 1000, "--stop-after 5");
    assert_eq!(output.code, Some(1), "{}{}", output.out, output.err);
    assert!(!output.out.contains("The run stopped"), "{}", output.out);
    assert_eq!(sandbox.read("new/cases.csv").lines().count(), 5);
    // The first two dialogues are lost, each after two attempts, and pass later.
    let (sandbox, output) = with_silent_dialogues(4, 4, "--stop-after 2");
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    assert!(output.out.contains("2 lost cases are flaky"), "{}", output.out);
    assert_eq!(sandbox.read("new/cases.csv").lines().count(), 5);
}

#[test]
fn stopped_plan_goes_on_though_a_search_suite_has_lost_a_case() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "moves.toml",
        "version = 1\nkind = \"best-move\"\ntitle = \"Moves\"\npositions = [\"p.epd\"]\n[limits]\nnodes = 1\n",
    );
    sandbox.write("p.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"push\";\n");
    let talk = |ids: &[&str]| {
        let dialogue = |id: &&str| {
            format!(
                "[[settings.dialogues]]\nid = \"{id}\"\nclass = \"ready\"\nsummary = \"It answers.\"\n\
                 steps = \"> setoption name Held value yes\\n> isready\\n< readyok within 100ms\\n\"\n"
            )
        };
        let head = "version = 1\nkind = \"dialogue\"\ntitle = \"Talk\"\npositions = []\n";
        format!("{head}{}", ids.iter().map(dialogue).collect::<String>())
    };
    sandbox.write("first.toml", talk(&["one"]));
    sandbox.write("later.toml", talk(&["two"]));
    // It is silent in both attempts at the first dialogue, and finds the move with two nodes only.
    let engine = sandbox.script(
        "changed",
        "while read -r line; do case \"$line\" in\n\
         uci) echo uciok;;\n\
         setoption*Held*) held=yes; [ -e weak ] && echo >> asked.txt;;\n\
         isready) [ -n \"$held\" ] && [ -e weak ] && [ $(wc -l < asked.txt) -le 2 ] || echo readyok;;\n\
         'go nodes 1') if [ -e weak ]; then echo bestmove e2e3; else echo bestmove e2e4; fi;;\n\
         go*) echo bestmove e2e4;;\n\
         quit) exit;;\nesac; done",
    );
    let suites = "suites = [\"moves.toml\", \"first.toml\", \"later.toml\"]\n";
    sandbox.write(
        "plan.toml",
        format!("version = 1\ntitle = \"Talk\"\nseed = 1\nengine = '{engine}'\n{suites}"),
    );
    let regress = "regress --plan plan.toml --baseline base --out new -j 1";
    let accepted = sandbox.run(&format!("{regress} --accept"));
    assert_eq!(accepted.code, Some(0), "{}{}", accepted.out, accepted.err);
    sandbox.write("weak", "");
    let output = sandbox.run(&format!("{regress} --stop-after 1"));
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    assert!(output.out.contains("1 lost case is flaky"), "{}", output.out);
    let summary = sandbox.read("new/summary.md");
    assert!(summary.contains("solved at 2 nodes"), "{summary}");
    assert_eq!(sandbox.read("new/cases.csv").lines().count(), 4, "all three suites were run");
}

#[test]
fn bench_that_does_not_end_is_lost_if_the_baseline_has_its_count() {
    let sandbox = Sandbox::new();
    let bench = |seconds: u32| {
        let head = "version = 1\nkind = \"bench\"\ntitle = \"Bench\"\npositions = []\n";
        sandbox.write("count.toml", format!("{head}[settings]\nseconds = {seconds}\n"));
    };
    let engine = sandbox.script(
        "changed",
        "if [ \"$1\" = bench ]; then [ -e endless ] && sleep 60; echo 4444 nodes 2000 nps; exit; fi\n\
         while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; quit) exit;; esac; done",
    );
    let plan =
        format!("version = 1\ntitle = \"B\"\nseed = 1\nengine = '{engine}'\nsuites = [\"count.toml\"]\n");
    sandbox.write("bench-plan.toml", &plan);
    bench(60);
    let regress = "regress --plan bench-plan.toml --baseline base --out new -j 1";
    let accepted = sandbox.run(&format!("{regress} --accept"));
    assert_eq!(accepted.code, Some(0), "{}{}", accepted.out, accepted.err);
    sandbox.write("endless", "");
    bench(1);
    let output = sandbox.run(regress);
    assert_eq!(output.code, Some(1), "{}{}", output.out, output.err);
    let reason = "bench (passed, now failed)";
    assert!(output.out.contains(reason), "{}", output.out);
    let cases = sandbox.read("new/cases.csv");
    assert!(
        cases.contains("no node count,\"`bench`: run with it, it does not end within 1.0 s\""),
        "{cases}"
    );
}
