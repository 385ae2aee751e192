//! Time limits of engines: `--search-timeout` for searches without a wall clock, and `--movetime`.

use std::time::Instant;

use crate::sandbox::{DEADLINE, Sandbox};

#[test]
fn search_timeout_ends_a_search_without_a_clock() {
    let sandbox = Sandbox::new();
    let hang = sandbox.engine("hang", "go*) ;;");
    for limit in ["nodes", "depth"] {
        let limit = format!("--{limit}=9");
        let words = [
            "match",
            "--engine",
            "echo,name=E",
            "--engine",
            &hang,
            &limit,
            "--games",
            "2",
            "--openings",
            "book.epd",
            "--search-timeout",
            "1",
            "--pgn",
            "all.pgn",
            "--run",
            "run.sqlite",
            "-j",
            "1",
        ];
        let begun = Instant::now();
        let output = sandbox.run_words(&words);
        assert_eq!(output.code, Some(3), "{}", output.err);
        assert!(begun.elapsed() < DEADLINE / 4, "{:?}", begun.elapsed());
        let pgn = sandbox.read("all.pgn").split_whitespace().collect::<Vec<_>>().join(" ");
        let reason =
            format!("it was not done answering `go {} 9` within 2.0 s", &limit[2..7].trim_end_matches('='));
        assert_eq!(pgn.matches(&reason).count(), 2, "{reason}: {pgn}");
        assert!(pgn.contains("--search-timeout"), "{pgn}");
        for file in ["all.pgn", "run.sqlite"] {
            std::fs::remove_file(sandbox.path(file)).expect("it was written");
        }
    }
}

/// Searches beyond `movetime`, and answers 0.7 s after `stop`, with the mate of `one.epd`.
fn late(sandbox: &Sandbox) -> String {
    sandbox.write("one.epd", "4k3/8/2R5/4Np1p/5P1P/B1PP4/5K2/8 w - - 0 1 bm #1;\n");
    sandbox.engine(
        "late",
        "go*) echo info depth 1;;\nstop) sleep 0.7; echo info depth 1 score mate 1 nodes 5 pv c6c8; echo bestmove c6c8;;",
    )
}

fn ask(sandbox: &Sandbox, spec: &str, more: &[&str]) -> (String, String) {
    let words =
        "suite --positions one.epd --kind mate --movetime 100 --out out --json --run run.sqlite --engine";
    let words: Vec<&str> = words.split(' ').chain([spec]).chain(more.iter().copied()).collect();
    let output = sandbox.run_words(&words);
    assert_eq!(output.code, Some(0), "{}", output.err);
    std::fs::remove_file(sandbox.path("run.sqlite")).expect("it was written");
    (output.out, sandbox.read("out/cases.csv"))
}

#[test]
fn late_answer_after_movetime_fails_the_case() {
    let sandbox = Sandbox::new();
    let late = late(&sandbox);
    let (json, csv) = ask(&sandbox, &late, &[]);
    assert!(json.contains("\"verdict\":\"failed\""), "{json}");
    assert!(json.contains("\"time_ms\":1"), "{json}");
    assert!(csv.contains(",failed,late,\"1."), "{csv}");
    assert!(csv.contains(" s used, 100 ms allowed (tolerance 100 ms)"), "{csv}");
    assert!(
        csv.starts_with("suite,id,class,") && csv.lines().next().is_some_and(|row| row.ends_with(",time"))
    );
    for file in ["summary.md", "index.html"] {
        let text = sandbox.read(&format!("out/{file}"));
        assert!(text.contains("late: ") && text.contains("time"), "{file}");
    }
    let junit = sandbox.read("out/junit.xml");
    assert!(junit.lines().any(|line| line.contains("<testcase") && line.contains("time=\"1.")), "{junit}");
}

#[test]
fn time_margin_limits_the_lateness_of_answers() {
    let sandbox = Sandbox::new();
    late(&sandbox);
    let slow = sandbox.engine(
        "slow",
        "go*) sleep 1.2; echo info depth 1 score mate 1 nodes 5 pv c6c8; echo bestmove c6c8;;",
    );
    let (json, csv) = ask(&sandbox, &slow, &["--timemargin", "30000"]);
    assert!(json.contains("\"verdict\":\"passed\""), "{csv}");
    assert!(!csv.contains(",late,") && json.contains("\"time_ms\":"), "{csv}");
    // What the engine's own spec says comes first.
    let (_, csv) = ask(&sandbox, &format!("{slow},timemargin=300"), &["--timemargin", "30000"]);
    assert!(csv.contains("(tolerance 300 ms)"), "{csv}");
    // A suite's file may say it, too.
    sandbox.write(
        "slow.toml",
        "version = 1\nkind = \"mate\"\ntitle = \"Mates\"\npositions = [\"one.epd\"]\n[limits]\nmovetime = 100\n\
         timemargin = 400\n",
    );
    let words = ["suite", "slow.toml", "--engine", &slow, "--out", "out", "--run", "run.sqlite"];
    let output = sandbox.run_words(&words);
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(sandbox.read("out/cases.csv").contains("(tolerance 400 ms)"));
}

#[test]
fn time_is_shown_only_for_wall_clock_limits() {
    let sandbox = Sandbox::new();
    let output = sandbox.run("suite mates.toml --engine echo,Hash=1 --out out --json --run run.sqlite");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(!output.out.contains("time_ms"), "{}", output.out);
    let csv = sandbox.read("out/cases.csv");
    assert!(csv.lines().skip(1).all(|row| row.ends_with(',')), "{csv}");
    for file in ["summary.md", "index.html"] {
        assert!(!sandbox.read(&format!("out/{file}")).contains(">time<"), "{file}");
    }
}
