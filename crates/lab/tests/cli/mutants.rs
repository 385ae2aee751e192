//! `mutants`: known bugs through the suites.

use crate::room::Room;
use crate::{WORKSPACE, refused};

#[test]
fn the_suite_and_the_cause_that_catch_a_fault_are_named() {
    let room = Room::new();
    let plan = format!("{WORKSPACE}/suites/mutants.toml");
    let said = room.run(&format!("mutants --plan {plan} --fault PerftShort --json"));
    assert_eq!(said.code, Some(0), "{}", said.err);
    for part in
        ["\"fault\":\"PerftShort\"", "\"suite\":\"perft\"", "\"cause\":\"wrong count\"", "\"is_named\":true"]
    {
        assert!(said.out.contains(part), "lacks {part}: {}", said.out);
    }
}

#[test]
fn a_fault_that_gets_through_fails_the_command() {
    let room = Room::new();
    // Counts of leaves have nothing to do with scores.
    let plan = format!(
        "version = 1\ntitle = \"t\"\nseed = 1\nengine = \"echo\"\nsuites = [\"{WORKSPACE}/suites/perft.toml\"]\n"
    );
    room.write("plan.toml", &plan);
    let said = room.run("mutants --plan plan.toml --fault ScoreFromWhite");
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    assert!(said.out.contains("NOT CAUGHT") && said.out.contains("0 of 1 are caught"), "{}", said.out);
}

#[test]
fn bugs_that_are_not_known_are_refused() {
    let room = Room::new();
    refused(
        &room,
        "mutants --mutant Sound",
        &["'--mutant <NAME>'", "`Sound` is not known", "ScanStopsEarly"],
    );
    refused(&room, "mutants --fault Sound", &["'--fault <NAME>'", "`Sound` is not known", "ForgetHistory"]);
    refused(&room, "mutants --foreign-only", &["--foreign <SPEC>"]);
}
