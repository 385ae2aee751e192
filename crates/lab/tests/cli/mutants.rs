//! `mutants`: seeded bugs are caught by the suites.

use crate::sandbox::Sandbox;
use crate::{WORKSPACE, refused};

#[test]
fn report_names_suite_and_cause_that_detect_a_bug() {
    let sandbox = Sandbox::new();
    let plan = format!("{WORKSPACE}/suites/mutants.toml");
    let output = sandbox.run(&format!("mutants --plan {plan} --fault PerftShort --json"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    for part in
        ["\"fault\":\"PerftShort\"", "\"suite\":\"perft\"", "\"cause\":\"wrong count\"", "\"is_named\":true"]
    {
        assert!(output.out.contains(part), "lacks {part}: {}", output.out);
    }
}

#[test]
fn undetected_bug_fails_the_command() {
    let sandbox = Sandbox::new();
    // Perft reads no scores.
    let plan = format!(
        "version = 1\ntitle = \"t\"\nseed = 1\nengine = \"echo\"\nsuites = [\"{WORKSPACE}/suites/perft.toml\"]\n"
    );
    sandbox.write("plan.toml", &plan);
    let output = sandbox.run("mutants --plan plan.toml --fault ScoreFromWhite");
    assert_eq!(output.code, Some(1), "{}{}", output.out, output.err);
    assert!(
        output.out.contains("NOT CAUGHT") && output.out.contains("0 of 1 bugs are caught"),
        "{}",
        output.out
    );
}

#[test]
fn unknown_bugs_are_refused() {
    let sandbox = Sandbox::new();
    refused(
        &sandbox,
        "mutants --mutant Sound",
        &["'--mutant <NAME>'", "`Sound` is not known", "ScanStopsEarly"],
    );
    refused(
        &sandbox,
        "mutants --fault Sound",
        &["'--fault <NAME>'", "`Sound` is not known", "ForgetHistory"],
    );
    refused(&sandbox, "mutants --foreign-only", &["--foreign <SPEC>"]);
}
