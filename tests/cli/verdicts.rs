//! Engine faults, missing options, undecided tests and missing baselines are never reported as a success.

use crate::sandbox::{CommandOutput, Sandbox};

/// An engine that exits with status 4 at `go`.
const CRASHES: &str = "go*) echo out of luck >&2; exit 4;;";

fn run(sandbox: &Sandbox, words: &[&str], more: &str) -> CommandOutput {
    sandbox.run_words(&[words, &more.split_whitespace().collect::<Vec<_>>()].concat())
}

/// The first line after the warnings.
fn headline(output: &CommandOutput) -> &str {
    let is_warning = |line: &str| line.starts_with("Warnings about ") || line.starts_with("  ");
    output.out.lines().find(|line| !line.is_empty() && !is_warning(line)).unwrap_or_default()
}

#[test]
fn engine_faults_stop_a_test_instead_of_deciding_it() {
    let sandbox = Sandbox::new();
    let crash = sandbox.engine("Base", CRASHES);
    let sprt = ["sprt", "--engine", "echo,name=New,Hash=1", "--engine", &crash];
    let more = "--nodes 60 --elo0 0 --elo1 10 --games 200 --openings builtin:balanced --out new";
    let output = run(&sandbox, &sprt, more);
    assert_eq!(output.code, Some(3), "{}\n{}", output.out, output.err);
    assert!(
        headline(&output).contains("Stopped by engine faults: 2 engine faults (Base 2); 1 allowed"),
        "{}",
        output.out
    );
    assert!(!output.out.contains("H1 accepted") && !output.out.contains("stronger"), "{}", output.out);
    for file in ["new/summary.md", "new/index.html", "new/report.json", "new/junit.xml"] {
        assert!(sandbox.read(file).contains("Stopped by engine faults"), "{file}");
    }
    // The same at any number of jobs. Within a larger budget faults do not decide the test either: no other
    // pair accepts H1.
    let alone = run(&sandbox, &sprt, &format!("{more} -j 1"));
    assert_eq!((alone.code, &alone.out), (output.code, &output.out));
    let resume = "resume runs/sprt-1.sqlite --max-faults";
    assert_eq!(sandbox.run(&format!("{resume} 5")).code, Some(3), "it continues to the sixth fault");
    let resumed = sandbox.run(&format!("{resume} 100%"));
    assert_eq!(resumed.code, Some(3), "{}", resumed.err);
    let report = sandbox.run("report runs/sprt-1.sqlite --out again");
    assert_eq!(report.code, Some(0), "the journal knows the new budget: {}", report.err);
    let allowed = run(&sandbox, &sprt, &format!("{more} --max-faults 100%"));
    assert_eq!(allowed.code, Some(3), "{}", allowed.err);
    let (first, rest) = (headline(&allowed), &allowed.out);
    assert!(first.contains("Not decided: H1, Elo ") && first.contains("engine faults (Base"), "{first}");
    assert!(first.contains("pairs that had an engine fault; neither hypothesis, Elo unknown, "), "{first}");
    assert!(!rest.contains("accepted") && !rest.contains("stronger"), "{rest}");
    assert!(rest.contains("Base lost") && rest.contains("by engine faults; they count as losses."), "{rest}");
}

#[test]
fn match_of_faults_is_no_success() {
    let sandbox = Sandbox::new();
    let crash = sandbox.engine("Base", CRASHES);
    let words = ["match", "--engine", "echo,name=New,Hash=1", "--engine", &crash];
    let output = run(&sandbox, &words, "--nodes 60 --games 2 --openings book.epd --out new");
    assert_eq!(output.code, Some(3), "{}\n{}", output.out, output.err);
    assert!(headline(&output).contains("Stopped by engine faults: 2 engine faults (Base 2); 1 allowed"));
    // With any number of faults the match says that they decide it.
    let more = "--nodes 60 --games 60 --openings builtin:balanced --max-faults 100% --out new";
    let output = run(&sandbox, &words, more);
    assert_eq!(output.code, Some(3), "{}\n{}", output.out, output.err);
    assert!(headline(&output).contains("Not decided: Elo "), "{}", output.out);
    assert!(sandbox.read("new/junit.xml").contains("<failure"));
}

#[test]
fn engine_faults_within_the_budget_are_named() {
    let sandbox = Sandbox::new();
    // It crashes in its first game and never again. The first move before the run has a time limit, too.
    let once = sandbox.script(
        "Once",
        "while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; quit) exit;;\n\
         'go nodes 40') [ -e crashed ] || { : > crashed; exit 4; }; echo bestmove 0000;;\n\
         go*) echo bestmove 0000;; esac; done",
    );
    let words = ["match", "--engine", "echo,name=E,Hash=1", "--engine", &once];
    let output =
        run(&sandbox, &words, "--nodes 40 --games 2 --openings book.epd -j 1 --max-faults 2 --out new");
    assert_eq!(output.code, Some(0), "{}", output.err);
    // It names a move without a score.
    let faults = "2 engine faults (Once 2). 1 warning (Once 1).";
    assert!(headline(&output).ends_with(faults), "{}", output.out);
    assert!(!sandbox.read("new/junit.xml").contains("<failure"), "{}", sandbox.read("new/junit.xml"));
    std::fs::remove_file(sandbox.path("crashed")).expect("it crashed once");
    let output = run(&sandbox, &words, "--nodes 40 --games 2 --openings book.epd -j 1 --max-faults 1");
    assert_eq!(output.code, Some(3), "{}", output.err);
}

#[test]
fn engine_without_chess960_is_refused_before_the_first_game() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "frc.epd",
        "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1\nnrkqbbnr/pppppppp/8/8/8/8/PPPPPPPP/NRKQBBNR w HBhb - 0 1\n",
    );
    let plain = sandbox.engine("Plain", "go*) echo bestmove 0000;;");
    let knows = sandbox.engine(
        "Knows",
        "uci) echo option name UCI_Chess960 type check default false; echo uciok;;\ngo*) echo bestmove 0000;;",
    );
    let sprt = |engine: &str| {
        let words = ["sprt", "--engine", "echo,name=New,Hash=1", "--engine", engine];
        run(&sandbox, &words, "--nodes 50 --elo0 0 --elo1 10 --games 8 --openings frc.epd --run run.sqlite")
    };
    let output = sprt(&plain);
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}", output.err);
    assert!(
        output.err.contains("engine `Plain`") && output.err.contains("lacks option `UCI_Chess960`"),
        "{}",
        output.err
    );
    assert!(!output.err.contains("is not offered"), "{}", output.err);
    assert!(!sandbox.path("run.sqlite").exists(), "no journal is begun");
    assert_eq!(sprt(&knows).code, Some(3), "it has the option, and loses by its moves");
}

#[test]
fn crashing_engine_does_not_pass_a_suite_without_thresholds() {
    let sandbox = Sandbox::new();
    let crash = sandbox.engine("Crash", CRASHES);
    let words = ["suite", "mates.toml", "--engine", &crash];
    let output = run(&sandbox, &words, "--out new");
    assert_eq!(output.code, Some(3), "{}", output.err);
    assert!(
        headline(&output).contains("1 engine fault (Crash 1); 0 allowed in the first 1 case of mates"),
        "{}",
        output.out
    );
    let output = run(&sandbox, &words, "--max-faults 100% --out new");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(headline(&output).ends_with("Finished. 5 engine faults (Crash 5)."), "{}", output.out);
    assert!(output.out.contains("(5 times: "), "{}", output.out);
}

#[test]
fn run_with_faults_cannot_become_a_baseline() {
    let sandbox = Sandbox::new();
    let crash = sandbox.engine("Crash", CRASHES);
    let regress =
        ["regress", "--plan", "plan.toml", "--engine", &crash, "--baseline", "base", "--out", "new"];
    let output = run(&sandbox, &regress, "--accept");
    assert_eq!(output.code, Some(3), "{}", output.err);
    let output = run(&sandbox, &regress, "--accept --max-faults 100%");
    assert_eq!(output.code, Some(3), "{}", output.err);
    assert!(output.err.contains("base: the baseline is not written, because this run has"), "{}", output.err);
    assert!(headline(&output).contains("The baseline is not written."), "{}", output.out);
    assert!(sandbox.read("new/junit.xml").contains("<failure"), "CI sees it, too");
    assert!(!sandbox.path("base").exists());
}

#[test]
fn missing_baseline_is_an_error() {
    let sandbox = Sandbox::new();
    let output = sandbox.run("regress --plan plan.toml --quick --baseline nobase --out new");
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}", output.err);
    assert!(output.err.contains("nobase: there is no baseline in this folder"), "{}", output.err);
    let output = sandbox.run("regress --plan plan.toml --baseline nobase --accept --out new");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(sandbox.path("nobase/cases.csv").exists());
}

#[test]
fn undecided_test_differs_from_an_accepted_one() {
    let sandbox = Sandbox::new();
    let sprt = "sprt --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1,nodes=90 --nodes 60 --elo0 0 --elo1 5 \
                --games 6 --maxmoves 20 --openings book.epd --out new";
    let output = sandbox.run(sprt);
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(headline(&output).starts_with("A – B: Undecided after 6 games: Elo "), "{}", output.out);
    assert!(!output.out.contains("Everything asked for is met"), "{}", output.out);
    assert!(sandbox.read("new/summary.md").contains("**Undecided after 6 games: Elo "));
    assert!(!sandbox.read("new/junit.xml").contains("<failure"));
    let failed = sandbox.run(&format!("{sprt} --undecided fail"));
    assert_eq!(failed.code, Some(1), "{}", failed.err);
    assert!(headline(&failed).starts_with("A – B: Undecided after 6 games: Elo "), "{}", failed.out);
    assert!(sandbox.read("new/junit.xml").contains("<failure"));
}

#[test]
fn decided_test_has_its_conclusion_as_headline() {
    let sandbox = Sandbox::new();
    let sprt = "--elo0 -60 --elo1 60 --alpha 0.3 --beta 0.3 --openings builtin:balanced --games 200 --maxmoves 60 \
                --resign movecount=1,score=300";
    for (new, base, accepted) in
        [("nodes=1", "nodes=400", "H0 accepted: "), ("nodes=400", "nodes=1", "H1 accepted: ")]
    {
        let output =
            sandbox.run(&format!("sprt --engine echo,{new},Hash=1 --engine echo,{base},Hash=1 {sprt}"));
        assert!(headline(&output).contains(accepted), "{}", output.out);
    }
}

#[test]
fn quick_figures_are_not_compared_with_those_of_a_full_baseline() {
    let sandbox = Sandbox::new();
    let regress = "regress --plan plan.toml --baseline base --out new";
    assert_eq!(sandbox.run(&format!("{regress} --accept")).code, Some(0));
    assert_eq!(sandbox.run(regress).code, Some(0));
    assert!(!sandbox.read("new/summary.md").contains("are not compared"));
    assert_eq!(sandbox.run(&format!("{regress} --quick")).code, Some(0));
    let summary = sandbox.read("new/summary.md");
    for part in ["policies", "ladder"] {
        assert!(summary.contains(&format!("Figures of {part} are not compared: ")), "{summary}");
        assert!(!summary.contains(&format!("| {part}.")), "{summary}");
    }
}

#[test]
fn passed_run_has_a_passed_junit_file() {
    let sandbox = Sandbox::new();
    // With a single node hardly a mate is found, and the baseline says so.
    sandbox.vary("mates.toml", "nodes = 300", "nodes = 1", "mates.toml");
    sandbox.vary("traps.toml", "title = ", "lost_case = \"strict\"\ntitle = ", "traps.toml");
    let regress = "regress --plan plan.toml --baseline base --out new";
    assert_eq!(sandbox.run(&format!("{regress} --accept")).code, Some(0));
    let output = sandbox.run(regress);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let junit = sandbox.read("new/junit.xml");
    assert!(!junit.contains("<failure") && !junit.contains("<error"), "{junit}");
    assert!(junit.contains("; the baseline fails as well\""), "{junit}");
    // What is worse fails, and nothing else does.
    let cases = sandbox.read("base/cases.csv");
    let failed = cases.lines().find(|line| line.contains(",failed,")).expect("a trap fails");
    let columns: Vec<&str> = failed.split(',').collect();
    let passed = failed.replacen(&format!(",failed,{},", columns[4]), ",passed,unclassified,", 1);
    sandbox.write("base/cases.csv", cases.replacen(failed, &passed, 1));
    let output = sandbox.run(regress);
    assert_eq!(output.code, Some(1), "{}", output.err);
    let junit = sandbox.read("new/junit.xml");
    assert_eq!(junit.matches("<failure").count(), 2, "the case, and what the exit code says:\n{junit}");
}
