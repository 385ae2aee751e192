//! `suite --last-failed`: the cases that did not pass in the last run.

use crate::case_choice::names;
use crate::sandbox::{CommandOutput, Sandbox};

const ENGINE: &str = "echo,name=Echo,Hash=1";

fn suite(sandbox: &Sandbox, words: &str) -> CommandOutput {
    sandbox.run(&format!("suite {words} --engine {ENGINE} --json"))
}

/// The names of the cases that failed.
fn failed(output: &CommandOutput) -> Vec<String> {
    let failed = output.out.lines().map(|line| line.contains("\"verdict\":\"failed\""));
    names(output).into_iter().zip(failed).filter(|(_, failed)| *failed).map(|(name, _)| name).collect()
}

#[test]
fn last_failed_runs_the_cases_that_did_not_pass() {
    let sandbox = Sandbox::new();
    sandbox.vary("traps.toml", "Traps", "Others", "others.toml");
    let whole = suite(&sandbox, "traps.toml others.toml --nodes 20");
    let failed = failed(&whole);
    let of = |suite: &str| failed.iter().filter(|name| name.starts_with(suite)).cloned().collect::<Vec<_>>();
    let [traps, others] = [of("traps/"), of("others/")];
    assert!(!traps.is_empty() && !others.is_empty(), "20 nodes fail some of both: {}", whole.out);

    // Without a suite, those of the journal run; a named one runs alone.
    let count = names(&whole).len();
    let said = format!("last run: runs/suite-1.sqlite, {} of {count} cases did not pass\n", failed.len());
    for (words, expected, part) in [
        ("--nodes 20 --run a.sqlite", &failed, &*said),
        ("others.toml --nodes 20 --run b.sqlite", &others, "last run: runs/suite-1.sqlite, "),
        ("traps.toml --nodes 20 -k traps --run c.sqlite", &traps, "last run: runs/suite-1.sqlite, "),
        ("traps.toml clocks.toml --run d.sqlite", &traps, "did not pass; it has no case of clocks\n"),
    ] {
        let again = suite(&sandbox, &format!("{words} --last-failed"));
        assert_eq!(&names(&again), expected, "{words}: {}", again.err);
        assert!(again.err.contains(part), "{words}: {}", again.err);
    }

    // With more nodes some pass, and the next time the others remain.
    let more = suite(&sandbox, "--last-failed --nodes 5000");
    assert_eq!(names(&more), failed, "{}", more.err);
    let left = self::failed(&more);
    assert!(left.len() < failed.len(), "{}", more.out);
    let next = suite(&sandbox, "--last-failed --nodes 5000");
    assert_eq!(names(&next), left, "{}", next.err);
}

#[test]
fn cases_that_the_last_run_left_out_are_as_earlier_runs_say() {
    let sandbox = Sandbox::new();
    let whole = suite(&sandbox, "traps.toml --nodes 20");
    let failed = failed(&whole);
    assert!(failed.len() > 1, "{}", whole.out);
    let stopped = suite(&sandbox, "traps.toml --nodes 20 --last-failed --stop-after 1 -j 1");
    assert_eq!(names(&stopped).len(), 1, "{}", stopped.out);
    let (_, id) = failed[1].split_once('/').expect("SUITE/ID");
    // With many nodes it passes.
    let alone = suite(&sandbox, &format!("traps.toml --nodes 5000 --case {id}"));
    assert_eq!(self::failed(&alone), [""; 0], "{}", alone.out);
    let left: Vec<String> = failed.iter().filter(|name| **name != failed[1]).cloned().collect();
    for words in ["", "traps.toml"] {
        let again =
            suite(&sandbox, &format!("{words} --nodes 20 --last-failed --run again{}.sqlite", words.len()));
        assert_eq!(names(&again), left, "{words}: {}", again.err);
        let said = "runs/suite-3.sqlite (cases that it left out: runs/suite-2.sqlite, runs/suite-1.sqlite), ";
        assert!(again.err.contains(said), "{}", again.err);
    }
}

#[test]
fn last_failed_without_a_failed_case_runs_nothing() {
    let sandbox = Sandbox::new();
    let whole = suite(&sandbox, "mates.toml --nodes 20000");
    assert_eq!(failed(&whole), [""; 0], "{}", whole.out);
    // The clauses of the protocol are skipped for an engine in this process.
    assert!(suite(&sandbox, "compliance --case quit").out.contains("\"verdict\":\"skipped\""));
    for (words, said) in [
        ("mates.toml", "last run: runs/suite-1.sqlite, 0 of 5 cases did not pass\nthere is no case to run\n"),
        ("", "last run: runs/suite-2.sqlite, 0 of 0 cases did not pass\nthere is no case to run\n"),
    ] {
        let again = suite(&sandbox, &format!("{words} --last-failed"));
        assert_eq!((again.code, again.out.as_str(), again.err.as_str()), (Some(0), "", said), "{words}");
    }
    assert!(!sandbox.path("runs/suite-3.sqlite").exists(), "nothing ran");
}

#[test]
fn last_failed_needs_a_run_of_the_same_suite_and_engine() {
    let sandbox = Sandbox::new();
    let none = suite(&sandbox, "mates.toml --last-failed");
    assert_eq!((none.code, none.out.as_str()), (Some(2), ""), "{}", none.err);
    let remedy = "run the suites once without --last-failed, in this folder and with the same --engine";
    assert!(none.err.contains(remedy), "{}", none.err);

    assert_eq!(suite(&sandbox, "mates.toml --nodes 20").code, Some(0));
    let table = [
        (ENGINE, "traps.toml", "have no run of traps with the engine `echo,name=Echo,Hash=1`"),
        (
            "echo,name=Echo,Hash=2",
            "mates.toml",
            "have no run of mates with the engine `echo,name=Echo,Hash=2`",
        ),
        ("echo,name=Other,Hash=1", "", "have no run with the engine `echo,name=Other,Hash=1`"),
    ];
    for (engine, suite, said) in table {
        let output = sandbox.run(&format!("suite {suite} --engine {engine} --last-failed"));
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{engine} {suite}: {}", output.err);
        assert!(output.err.contains(said) && output.err.contains(remedy), "{}", output.err);
    }
    // A journal that can't be read is left out.
    sandbox.write("runs/suite-9.sqlite", "no journal");
    let output = suite(&sandbox, "mates.toml --last-failed --nodes 20");
    assert!(output.err.contains("--last-failed leaves out a journal: "), "{}", output.err);
    assert!(output.err.contains("last run: runs/suite-1.sqlite"), "{}", output.err);
}

#[test]
fn last_failed_reads_the_run_of_regress() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "small.toml",
        "version = 1\ntitle = \"Small\"\nseed = 1\nengine = \"echo,name=Echo,Hash=1\"\nsuites = [\"traps.toml\"]\n",
    );
    let ran = sandbox.run("regress --plan small.toml");
    let again = suite(&sandbox, "traps.toml --last-failed");
    assert!(again.err.contains("last run: reports/latest/run.sqlite, "), "{}{}", ran.err, again.err);
    assert!(!names(&again).is_empty(), "{}", again.err);
    assert_eq!(names(&again), failed(&again), "the same search limits fail the same cases");
}
